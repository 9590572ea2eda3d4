package org.interference.yarn.testbed.cores;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.report.ReportFigures;

/** How much more work containers do under each rule than without node control, and without it a second time, which is chance alone. Pure. */
final class CoreSummary {
    private static final String OFF = "off";
    private static final String OURS = "ours";
    /** What rules are called in the file. */
    private static final Map<String, String> SECTIONS = Map.of(OURS, OURS, "published", "ctbra", "again", "noise");

    private CoreSummary() {}

    /**
     * Puts {@code <rule>.work_gain_<mix>} into {@code results}, paired by repetition, positive is more work; and {@code harm}, with that of disk shares.
     * Figures that {@code runs} say nothing of stay.
     *
     * @param commit what ran
     */
    static void put(List<CoreRun> runs, Optional<String> commit, ObjectNode results) {
        new TreeMap<>(SECTIONS)
                .forEach((rule, section) -> CoreMix.ALL.forEach(mix -> {
                    double[] gains = gains(runs, mix.name(), rule);
                    if (gains.length > 0) {
                        ObjectNode figure = ReportFigures.of(Interval.of(gains)).put("repetitions", gains.length);
                        commit.ifPresent(at -> figure.put("commit", at));
                        results.withObject("/" + section).set("work_gain_" + mix.name(), figure);
                    }
                }));
        results.put("yarn_containers", 1);
        results.put("harm", ReportFigures.rounded(harm(results)));
    }

    private static double[] gains(List<CoreRun> runs, String mix, String rule) {
        Map<Integer, Double> with = logs(runs, mix, rule);
        Map<Integer, Double> without = logs(runs, mix, OFF);
        return with.keySet().stream()
                .filter(without::containsKey)
                .mapToDouble(repetition -> Math.expm1(with.get(repetition) - without.get(repetition)))
                .toArray();
    }

    private static Map<Integer, Double> logs(List<CoreRun> runs, String mix, String rule) {
        return runs.stream()
                .filter(run -> run.mix().equals(mix) && run.rule().equals(rule))
                .collect(Collectors.toMap(
                        CoreRun::repetition, CoreRun::logOfRate, (first, again) -> again, TreeMap::new));
    }

    /** The greatest mean loss of any mix under our rule, and of the makespan by our disk shares where that was measured. */
    private static double harm(ObjectNode results) {
        List<Double> gains = results.path(OURS).findValues("mean").stream()
                .map(node -> node.asDouble())
                .toList();
        double least = DoubleStream.concat(
                        gains.stream().mapToDouble(Double::doubleValue),
                        DoubleStream.of(results.path("disk_makespan_gain").asDouble(0)))
                .min()
                .orElse(0);
        return Math.max(0, -least);
    }
}
