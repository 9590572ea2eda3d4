package org.interference.yarn.testbed;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.lab.stats.Quantiles;

/**
 * The runs of one mix, by policy and repetition, and how policies differ on the same jobs. Immutable.
 *
 * <p>Repetitions that begin with what one training has learnt are not independent of each other: intervals are of the trainings' means.
 */
final class MixComparison {
    private final Map<String, Map<Integer, RunFigures>> figures = new TreeMap<>();
    private final Map<String, Double> alone;
    private final List<RunResult> runs;
    private final int trainings;

    /** One in which every repetition counts by itself. */
    MixComparison(List<RunResult> all) {
        this(all, 1);
    }

    /** @param trainings that repetitions begin with in turn, at least 1; where there is one, every repetition counts by itself */
    MixComparison(List<RunResult> all, int trainings) {
        this.trainings = trainings;
        alone = alone(all);
        runs = all.stream()
                .filter(run -> RunPlan.POLICIES.contains(run.key().policy()))
                .toList();
        for (RunResult run : runs) {
            figures.computeIfAbsent(run.key().policy(), any -> new TreeMap<>())
                    .put(run.key().repetition(), RunFigures.of(run, alone));
        }
    }

    /** Seconds that a container of each kind takes where nothing else is: medians. */
    Map<String, Double> alone() {
        return alone;
    }

    private static Map<String, Double> alone(List<RunResult> all) {
        Map<String, List<Double>> seconds = all.stream()
                .filter(run -> run.key().policy().equals(RunKey.ALONE))
                .flatMap(run -> run.containers().stream())
                .collect(Collectors.groupingBy(
                        ContainerResult::kind,
                        TreeMap::new,
                        Collectors.mapping(ContainerResult::seconds, Collectors.toList())));
        Map<String, Double> medians = new TreeMap<>();
        seconds.forEach((kind, values) -> medians.put(kind, Quantiles.median(values)));
        return medians;
    }

    /** The policies of which there is a run. */
    Set<String> policies() {
        return new TreeSet<>(figures.keySet());
    }

    int runs() {
        return runs.size();
    }

    long quietRuns() {
        return runs.stream().filter(run -> run.conditions().quiet()).count();
    }

    /** Returns the repetitions that both have run. */
    List<Integer> pairs(String policy, String other) {
        List<Integer> pairs =
                new ArrayList<>(figures.getOrDefault(policy, Map.of()).keySet());
        pairs.retainAll(figures.getOrDefault(other, Map.of()).keySet());
        return pairs;
    }

    int trainings() {
        return trainings;
    }

    /** Returns CPU seconds of the ResourceManager, a mean over the runs of {@code policy}. */
    double masterSeconds(String policy) {
        return runs.stream()
                .filter(run -> run.key().policy().equals(policy))
                .mapToDouble(run -> run.conditions().masterSeconds())
                .average()
                .orElseThrow();
    }

    /** Returns the mean over the repetitions of {@code policy}, which has run. */
    Interval mean(String policy, ToDoubleFunction<RunFigures> figure) {
        Map<Integer, RunFigures> its = figures.get(policy);
        return interval(its.keySet(), repetition -> figure.applyAsDouble(its.get(repetition)));
    }

    /** Returns how much less of {@code figure} than {@code other}, as a fraction of it, paired; negative is more. */
    Interval reduction(String policy, String other, ToDoubleFunction<RunFigures> figure) {
        return interval(pairs(policy, other), repetition -> {
            double own = figure.applyAsDouble(figures.get(policy).get(repetition));
            double theirs = figure.applyAsDouble(figures.get(other).get(repetition));
            return (theirs - own) / theirs;
        });
    }

    private Interval interval(Collection<Integer> repetitions, ToDoubleFunction<Integer> value) {
        Map<Integer, Double> means = repetitions.stream()
                .collect(Collectors.groupingBy(
                        repetition -> trainings == 1 ? repetition : repetition % trainings,
                        TreeMap::new,
                        Collectors.averagingDouble(value)));
        return Interval.of(
                means.values().stream().mapToDouble(Double::doubleValue).toArray());
    }
}
