package org.interference.yarn.learn.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.interference.yarn.signal.InterferenceClass;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import smile.clustering.HierarchicalClustering;
import smile.clustering.KMeans;
import smile.clustering.linkage.WardLinkage;
import smile.projection.PCA;

/**
 * Finds kinds of tasks: K-means (the best of many starts, each settled by {@link SettledClustering}), hierarchical clustering (Ward) and two principal components of profile vectors (thesis,
 * section 4.3). Deterministic. Published is the order of principal components first (4.3.2), then clusters (4.3.3); here clusters are of the signals themselves, and the
 * components are for drawing.
 *
 * <p>The seven IntP signals and block wait take part, as far as nearly all profiles have them; levels above 1 count as 1, and nothing is scaled
 * further, because a level is already a share of the node. The number of clusters is the one that is asked for, or that with the best silhouette.
 */
public final class Characteriser {
    /** Those of IntP, and how long a task waits for disks: behind a throttle, its service time shows little of it. */
    private static final List<Signal> SIGNALS = List.of(
            Signal.NETP, Signal.NETS, Signal.BLK, Signal.MBW, Signal.LLCMR, Signal.LLOCC, Signal.CPU, Signal.BLKWAIT);

    private static final int MOST_CLUSTERS = 15;
    private static final int ITERATIONS = 100;
    /** Of 120 profiles without clear kinds, eight starts leave fifteen clusters up to 4 % wider than need be; 64 leave them 0.4 %. */
    private static final int MOST_STARTS = 64;

    private static final int FEWEST_STARTS = 16;
    /** Starts times profiles: a second for each number of clusters at most. */
    private static final int EFFORT = 32_000;

    private static final long SEED = 20_190_301;
    /** Ward's linkage takes a distance for each pair. */
    private static final int MOST_PROFILES = 2000;

    /** A signal that fewer have takes no part; who has not all the others is left out. */
    private static final double MOST_HAVE = 0.95;

    private Characteriser() {}

    private static boolean has(Map.Entry<String, InterferenceVector> profile, Signal signal) {
        return profile.getValue().level(signal).isPresent();
    }

    /**
     * Returns what {@code profiles} have in common; empty if there are fewer than three, or all are the same.
     *
     * @param profiles load by key; of very many the first
     * @param wanted how many clusters; 0: as many as look best. At most as many as there are different profiles
     */
    public static Optional<Characterisation> of(SortedMap<String, InterferenceVector> profiles, int wanted) {
        List<Map.Entry<String, InterferenceVector>> some =
                profiles.entrySet().stream().limit(MOST_PROFILES).toList();
        List<Signal> signals = SIGNALS.stream()
                .filter(signal ->
                        some.stream().filter(entry -> has(entry, signal)).count() >= MOST_HAVE * some.size())
                .toList();
        List<Map.Entry<String, InterferenceVector>> entries = some.stream()
                .filter(entry -> signals.stream().allMatch(signal -> has(entry, signal)))
                .toList();
        double[][] points = entries.stream()
                .map(entry -> signals.stream()
                        .mapToDouble(signal ->
                                Math.min(1, entry.getValue().level(signal).orElseThrow()))
                        .toArray())
                .toArray(double[][]::new);
        int different =
                (int) Arrays.stream(points).map(Arrays::hashCode).distinct().count();
        if (different < 3 || signals.size() < 2) {
            return Optional.empty();
        }
        double[][] distances = distances(points);
        List<Characterisation.Choice> choices = new ArrayList<>();
        List<int[]> labels = new ArrayList<>();
        int asked = Math.min(wanted, different);
        for (int k : tried(different, asked)) {
            SettledClustering clustering = kMeans(points, k);
            labels.add(clustering.labels());
            choices.add(
                    new Characterisation.Choice(k, clustering.within(), silhouette(distances, clustering.labels())));
        }
        int best = IntStream.range(0, choices.size())
                .boxed()
                .max(Comparator.comparing(
                                (Integer choice) -> choices.get(choice).clusters() == asked)
                        .thenComparing(choice -> choices.get(choice).silhouette()))
                .orElseThrow();
        HierarchicalClustering hierarchy = new HierarchicalClustering(new WardLinkage(distances(points)));
        int[] branches = hierarchy.partition(choices.get(best).clusters());
        double[][] projected = new PCA(points).setProjection(2).project(points);
        List<Characterisation.Point> placed = new ArrayList<>();
        for (int i = 0; i < points.length; i++) {
            placed.add(new Characterisation.Point(
                    entries.get(i).getKey(), projected[i][0], projected[i][1], labels.get(best)[i], branches[i]));
        }
        return Optional.of(new Characterisation(
                signals,
                placed,
                clusters(points, labels.get(best), choices.get(best).clusters(), signals),
                choices,
                merges(hierarchy)));
    }

    /** Those that show where the silhouette is best, and the one that is asked for. */
    private static int[] tried(int different, int asked) {
        return IntStream.concat(
                        IntStream.rangeClosed(2, Math.min(MOST_CLUSTERS, different)),
                        IntStream.of(asked).filter(k -> k > MOST_CLUSTERS))
                .toArray();
    }

    private static List<Characterisation.Merge> merges(HierarchicalClustering hierarchy) {
        int[][] tree = hierarchy.getTree();
        double[] heights = hierarchy.getHeight();
        return IntStream.range(0, tree.length)
                .mapToObj(i -> new Characterisation.Merge(tree[i][0], tree[i][1], heights[i]))
                .toList();
    }

    /** Smile would start on a pool of threads of its own; here one is enough. */
    private static SettledClustering kMeans(double[][] points, int clusters) {
        // The thread's own generator, so that the same profiles give the same clusters.
        smile.math.Math.setSeed(SEED);
        return IntStream.range(0, Math.min(MOST_STARTS, Math.max(FEWEST_STARTS, EFFORT / points.length)))
                .mapToObj(start -> settled(points, new KMeans(points, clusters, ITERATIONS)))
                .min(Comparator.comparingDouble(SettledClustering::within))
                .orElseThrow();
    }

    private static SettledClustering settled(double[][] points, KMeans found) {
        return new SettledClustering(points, found.getClusterLabel(), found.getNumClusters());
    }

    private static double[][] distances(double[][] points) {
        double[][] distances = new double[points.length][points.length];
        for (int i = 0; i < points.length; i++) {
            for (int j = 0; j < i; j++) {
                distances[i][j] = smile.math.Math.distance(points[i], points[j]);
                distances[j][i] = distances[i][j];
            }
        }
        return distances;
    }

    /** Of a point alone in its cluster the silhouette is 0. */
    private static double silhouette(double[][] distances, int[] labels) {
        int clusters = Arrays.stream(labels).max().orElseThrow() + 1;
        double sum = 0;
        for (int i = 0; i < labels.length; i++) {
            double[] far = new double[clusters];
            int[] members = new int[clusters];
            for (int j = 0; j < labels.length; j++) {
                if (j != i) {
                    far[labels[j]] += distances[i][j];
                    members[labels[j]]++;
                }
            }
            if (members[labels[i]] == 0) {
                continue;
            }
            double own = far[labels[i]] / members[labels[i]];
            double other = Double.POSITIVE_INFINITY;
            for (int cluster = 0; cluster < clusters; cluster++) {
                if (cluster != labels[i] && members[cluster] > 0) {
                    other = Math.min(other, far[cluster] / members[cluster]);
                }
            }
            double larger = Math.max(own, other);
            sum += larger == 0 || Double.isInfinite(other) ? 0 : (other - own) / larger;
        }
        return sum / labels.length;
    }

    private static List<Characterisation.Cluster> clusters(
            double[][] points, int[] labels, int count, List<Signal> signals) {
        List<Characterisation.Cluster> clusters = new ArrayList<>();
        for (int cluster = 0; cluster < count; cluster++) {
            int number = cluster;
            int[] members = IntStream.range(0, labels.length)
                    .filter(i -> labels[i] == number)
                    .toArray();
            EnumMap<Signal, Double> centre = new EnumMap<>(Signal.class);
            EnumMap<Signal, InterferenceClass> classes = new EnumMap<>(Signal.class);
            for (int i = 0; i < signals.size(); i++) {
                int figure = i;
                double mean = Arrays.stream(members)
                        .mapToDouble(member -> points[member][figure])
                        .average()
                        .orElse(0);
                centre.put(signals.get(i), mean);
                classes.put(signals.get(i), InterferenceClass.of(mean));
            }
            clusters.add(new Characterisation.Cluster(members.length, centre, classes));
        }
        return clusters;
    }
}
