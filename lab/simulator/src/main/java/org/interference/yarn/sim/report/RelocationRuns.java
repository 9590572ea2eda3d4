package org.interference.yarn.sim.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.policy.RelocatingPolicies;

/** The runs of {@link MeasureRelocation} by world, policy and seed, and what {@code relocation.json} has of them. Not thread-safe. */
final class RelocationRuns {
    private static final String SEPARATOR = "\t";
    private static final int NAMES = 3;

    private final Map<String, Map<Long, RelocationRun>> cells = new TreeMap<>();

    /** Reads what {@link #line} wrote. */
    static RelocationRuns of(List<String> lines) {
        RelocationRuns runs = new RelocationRuns();
        for (String line : lines) {
            String[] fields = line.split(SEPARATOR, NAMES + 1);
            runs.cells
                    .computeIfAbsent(fields[0] + SEPARATOR + fields[1], cell -> new TreeMap<>())
                    .put(Long.parseLong(fields[2]), RelocationRun.of(fields[NAMES]));
        }
        return runs;
    }

    static String line(String world, String policy, long seed, RelocationRun run) {
        return String.join(SEPARATOR, world, policy, Long.toString(seed), run.text());
    }

    boolean has(String world, String policy, long seed) {
        return cell(world, policy).containsKey(seed);
    }

    private Map<Long, RelocationRun> cell(String world, String policy) {
        return cells.getOrDefault(world + SEPARATOR + policy, Map.of());
    }

    /** Returns the figures; gains are fractions of the makespan or turnaround without relocation, positive is better, paired by seed. */
    ObjectNode figures(String destructive, String mild) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ObjectNode bad = root.putObject("destructive");
        put(bad, "makespan_gain", gain(destructive, RelocationRun::makespan));
        put(bad, "turnaround_gain", gain(destructive, RelocationRun::turnaround));
        Collection<RelocationRun> ours =
                cell(destructive, RelocatingPolicies.OURS).values();
        bad.put("seeds", ours.size())
                .put("left", total(ours, RelocationRun::left))
                .put("failed", total(ours, RelocationRun::failed));
        root.put(
                "work_lost",
                ReportFigures.rounded(
                        ours.stream().mapToDouble(RelocationRun::lost).average().orElse(0)));
        share(root, "helped_share", ours, RelocationRun::helped, run -> run.helped() + run.harmed());
        gain(mild, RelocationRun::makespan).ifPresent(gain -> root.set("mild_loss", ReportFigures.of(gain.negated())));
        List<RelocationRun> all = new ArrayList<>(ours);
        all.addAll(cell(mild, RelocatingPolicies.OURS).values());
        ObjectNode published = root.putObject("published").put("moves", total(all, RelocationRun::moves));
        share(published, "less_done_share", all, RelocationRun::wrong, RelocationRun::moves);
        return root;
    }

    private static void put(ObjectNode json, String name, Optional<Interval> interval) {
        interval.ifPresent(known -> json.set(name, ReportFigures.of(known)));
    }

    /** Of nothing there is no share. */
    private static void share(
            ObjectNode json,
            String name,
            Collection<RelocationRun> runs,
            ToDoubleFunction<RelocationRun> part,
            ToDoubleFunction<RelocationRun> whole) {
        long all = total(runs, whole);
        if (all > 0) {
            json.put(name, ReportFigures.rounded(total(runs, part) / (double) all));
        }
    }

    private static long total(Collection<RelocationRun> runs, ToDoubleFunction<RelocationRun> of) {
        return Math.round(runs.stream().mapToDouble(of).sum());
    }

    private Optional<Interval> gain(String world, ToDoubleFunction<RelocationRun> cost) {
        Map<Long, RelocationRun> with = cell(world, RelocatingPolicies.OURS);
        Map<Long, RelocationRun> without = cell(world, RelocatingPolicies.WITHOUT);
        double[] gains = with.keySet().stream()
                .filter(without::containsKey)
                .mapToDouble(seed -> 1 - cost.applyAsDouble(with.get(seed)) / cost.applyAsDouble(without.get(seed)))
                .toArray();
        return gains.length < 2 ? Optional.empty() : Optional.of(Interval.of(gains));
    }
}
