package org.interference.yarn.sim.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.policy.ElasticPolicies;

/**
 * What {@code elastic.json} has of the simulation: {@code <world>.<figure>} of our FairScheduler with matching, leaving and sizes together, and {@code
 * <world>.policies.<policy>.<figure>} of every other. Gains are fractions of the other's, positive is better, paired by seed. Pure.
 */
final class ElasticJson {
    private static final String FAIR = "fair";

    /** By the name of the world. */
    private static final Map<String, String> KEYS =
            Map.of("full-destructive", "destructive", "full-mild", "mild", "full-none", "none");

    private final ElasticRuns runs;
    private final List<String> policies;

    private ElasticJson(ElasticRuns runs, List<String> policies) {
        this.runs = runs;
        this.policies = policies;
    }

    /** Returns the figures of all worlds that two runs at least are there of. */
    static ObjectNode of(ElasticRuns runs, List<String> worlds, List<String> policies) {
        ElasticJson json = new ElasticJson(runs, policies);
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        for (String world : worlds) {
            if (runs.seeds(world, ElasticPolicies.OURS, FAIR).size() > 1) {
                root.set(KEYS.getOrDefault(world, world), json.world(world));
            }
        }
        for (String quiet : List.of("full-none", "full-mild")) {
            json.gain(quiet, ElasticPolicies.OURS, FAIR, ElasticRun::makespan)
                    .ifPresent(gain -> root.set(KEYS.get(quiet) + "_loss", ReportFigures.of(gain.negated())));
        }
        return root;
    }

    private ObjectNode world(String world) {
        ObjectNode figures = figures(world, ElasticPolicies.OURS);
        vs(figures, world, "makespan_gain_vs_capacity", "capacity", ElasticRun::makespan);
        vs(figures, world, "makespan_gain_vs_ours_fair", "ours-fair", ElasticRun::makespan);
        vs(figures, world, "makespan_gain_vs_threshold_rule", ElasticPolicies.THRESHOLD, ElasticRun::makespan);
        vs(figures, world, "makespan_gain_vs_placebo", ElasticPolicies.PLACEBO, ElasticRun::makespan);
        used(world, ElasticPolicies.OURS, "capacity")
                .ifPresent(points -> figures.set("used_cpu_points_vs_capacity", ReportFigures.of(points)));
        used(world, ElasticPolicies.OURS, ElasticPolicies.THRESHOLD)
                .ifPresent(points -> figures.set("used_cpu_points_vs_threshold_rule", ReportFigures.of(points)));
        density(figures, world, "capacity", "capacity");
        density(figures, world, "threshold_rule", ElasticPolicies.THRESHOLD);
        captured(world).ifPresent(fraction -> figures.set("captured_fraction", ReportFigures.of(fraction)));
        ObjectNode others = figures.putObject("policies");
        for (String policy : policies) {
            if (!policy.equals(ElasticPolicies.OURS)
                    && runs.seeds(world, policy, FAIR).size() > 1) {
                others.set(policy, figures(world, policy));
            }
        }
        return figures;
    }

    private ObjectNode figures(String world, String policy) {
        ObjectNode figures = JsonNodeFactory.instance.objectNode();
        List<Long> seeds = runs.seeds(world, policy, FAIR);
        figures.put("seeds", seeds.size());
        gain(world, policy, FAIR, ElasticRun::makespan)
                .ifPresent(gain -> figures.set("makespan_gain_vs_fair", ReportFigures.of(gain)));
        gain(world, policy, FAIR, ElasticRun::turnaround)
                .ifPresent(gain -> figures.set("turnaround_gain_vs_fair", ReportFigures.of(gain)));
        used(world, policy, FAIR).ifPresent(points -> figures.set("used_cpu_points", ReportFigures.of(points)));
        gain(world, policy, FAIR, ElasticRun::containers)
                .ifPresent(gain -> figures.set("density_gain_vs_fair", ReportFigures.of(gain.negated())));
        figures.put("used_cpu", mean(world, policy, seeds, ElasticRun::usedCpu));
        figures.put("evicted_work", mean(world, policy, seeds, ElasticRun::lost));
        figures.put("oom_kills", total(world, policy, seeds, ElasticRun::killedForMemory));
        figures.put(
                "oom_kills_vs_stock",
                total(world, policy, seeds, ElasticRun::killedForMemory)
                        - total(world, FAIR, seeds, ElasticRun::killedForMemory));
        figures.put("evicted_containers", total(world, policy, seeds, ElasticRun::evicted));
        figures.put("starved", total(world, policy, seeds, ElasticRun::starved));
        figures.put("starved_of_stock", total(world, FAIR, seeds, ElasticRun::starved));
        figures.put("failed", total(world, policy, seeds, ElasticRun::failed));
        return figures;
    }

    private void vs(ObjectNode figures, String world, String name, String other, ToDoubleFunction<ElasticRun> cost) {
        gain(world, ElasticPolicies.OURS, other, cost).ifPresent(gain -> figures.set(name, ReportFigures.of(gain)));
    }

    private void density(ObjectNode figures, String world, String name, String other) {
        gain(world, ElasticPolicies.OURS, other, ElasticRun::containers)
                .ifPresent(gain -> figures.set("density_gain_vs_" + name, ReportFigures.of(gain.negated())));
    }

    private Optional<Interval> captured(String world) {
        List<Long> seeds = runs.seeds(world, ElasticPolicies.OURS, ElasticPolicies.CLAIRVOYANT);
        seeds.retainAll(runs.seeds(world, ElasticPolicies.OURS, ElasticPolicies.PLACEBO));
        return seeds.size() < 2
                ? Optional.empty()
                : CapturedFraction.of(
                        makespans(world, ElasticPolicies.PLACEBO, seeds),
                        makespans(world, ElasticPolicies.OURS, seeds),
                        makespans(world, ElasticPolicies.CLAIRVOYANT, seeds));
    }

    private double[] makespans(String world, String policy, List<Long> seeds) {
        return seeds.stream()
                .mapToDouble(seed -> runs.run(world, policy, seed).makespan())
                .toArray();
    }

    /** Returns how much less than {@code other} it took. */
    private Optional<Interval> gain(String world, String policy, String other, ToDoubleFunction<ElasticRun> cost) {
        return paired(
                world,
                policy,
                other,
                (own, theirs) -> (cost.applyAsDouble(theirs) - cost.applyAsDouble(own)) / cost.applyAsDouble(theirs));
    }

    /** Returns by how many points of the CPUs more it used. */
    private Optional<Interval> used(String world, String policy, String other) {
        return paired(world, policy, other, (own, theirs) -> 100 * (own.usedCpu() - theirs.usedCpu()));
    }

    private interface Pairing {
        double of(ElasticRun own, ElasticRun theirs);
    }

    private Optional<Interval> paired(String world, String policy, String other, Pairing pairing) {
        List<Long> seeds = runs.seeds(world, policy, other);
        return seeds.size() < 2
                ? Optional.empty()
                : Optional.of(Interval.of(seeds.stream()
                        .mapToDouble(seed -> pairing.of(runs.run(world, policy, seed), runs.run(world, other, seed)))
                        .toArray()));
    }

    private double mean(String world, String policy, List<Long> seeds, ToDoubleFunction<ElasticRun> metric) {
        return ReportFigures.rounded(seeds.stream()
                .mapToDouble(seed -> metric.applyAsDouble(runs.run(world, policy, seed)))
                .average()
                .orElse(0));
    }

    private long total(String world, String policy, List<Long> seeds, ToDoubleFunction<ElasticRun> metric) {
        return Math.round(seeds.stream()
                .mapToDouble(seed -> metric.applyAsDouble(runs.run(world, policy, seed)))
                .sum());
    }
}
