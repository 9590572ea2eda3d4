package org.interference.yarn.learn.cluster;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.interference.yarn.signal.InterferenceClass;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * What kinds of tasks there are, by what they press on. Immutable.
 *
 * @param signals that the figures of points and centres belong to, in their order
 * @param points one for each profile, in the order in which these were given
 * @param clusters by number from 0
 * @param choices what each number of clusters that was tried looks like
 * @param merges of the hierarchy, the nearest first, one fewer than there are points; none of what an earlier release stored
 */
public record Characterisation(
        List<Signal> signals, List<Point> points, List<Cluster> clusters, List<Choice> choices, List<Merge> merges) {
    public Characterisation {
        signals = List.copyOf(signals);
        points = List.copyOf(points);
        clusters = List.copyOf(clusters);
        choices = List.copyOf(choices);
        merges = merges == null ? List.of() : List.copyOf(merges);
    }

    /**
     * One profile.
     *
     * @param x and {@code y}: its first two principal components
     * @param cluster by K-means
     * @param branch by hierarchical clustering, cut into as many
     */
    public record Point(String key, double x, double y, int cluster, int branch) {}

    /**
     * Profiles that are alike.
     *
     * @param centre the mean level of each signal
     * @param classes of these levels (thesis, Table 6.1)
     */
    public record Cluster(int size, Map<Signal, Double> centre, Map<Signal, InterferenceClass> classes) {
        public Cluster {
            centre = Map.copyOf(centre);
            classes = Map.copyOf(classes);
        }

        /** Returns its classes as a name, for example {@code blk=high cpu=low}; {@code quiet} if all are absent. */
        public String name() {
            String pressed = new TreeMap<>(classes)
                    .entrySet().stream()
                            .filter(entry -> entry.getValue() != InterferenceClass.ABSENT)
                            .map(entry -> entry.getKey().wireName() + "="
                                    + entry.getValue().name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(" "));
            return pressed.isEmpty() ? "quiet" : pressed;
        }

        /** Returns the load of a task of which no more is known than that it is one of these. */
        public InterferenceVector load() {
            return new InterferenceVector(centre);
        }
    }

    /**
     * A number of clusters.
     *
     * @param within sum of squared distances to the centres: where it stops falling fast is the elbow
     * @param silhouette mean over the points, from -1 to 1 (Rousseeuw, 1987)
     */
    public record Choice(int clusters, double within, double silhouette) {}

    /**
     * Two branches of the hierarchy that become one.
     *
     * @param left the number of a point, or that of all points and the number of an earlier merge together; and so is {@code right}
     * @param height how far apart they are, by Ward's linkage
     */
    public record Merge(int left, int right, double height) {}

    /** Returns the cluster whose centre is nearest to {@code load} on the signals that both have; empty if none are. */
    public Optional<Integer> nearest(InterferenceVector load) {
        List<Signal> known = signals.stream()
                .filter(signal -> load.level(signal).isPresent())
                .toList();
        if (known.isEmpty()) {
            return Optional.empty();
        }
        return IntStream.range(0, clusters.size())
                .boxed()
                .min(Comparator.comparingDouble(cluster -> distance(clusters.get(cluster), load, known)));
    }

    private static double distance(Cluster cluster, InterferenceVector load, List<Signal> known) {
        return known.stream()
                .mapToDouble(signal -> cluster.centre().get(signal)
                        - Math.min(1, load.level(signal).orElseThrow()))
                .map(difference -> difference * difference)
                .sum();
    }
}
