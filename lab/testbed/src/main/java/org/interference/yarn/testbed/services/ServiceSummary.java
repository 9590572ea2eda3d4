package org.interference.yarn.testbed.services;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.report.ReportFigures;

/**
 * How long requests took under each plan, and how much less under the planner's than under those that look at one thing alone. Pure.
 */
final class ServiceSummary {
    /** Of what a run's processes waited for a CPU before it, in per cent; in a quiet box it is less. */
    private static final double MOST_WAITED = 5;

    private ServiceSummary() {}

    /** Returns {@code <case>.response_ms.<plan>}, and {@code <case>.gain_over_<plan>_only}, paired by repetition, positive is better. */
    static ObjectNode of(List<ServiceResult> results) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        Map<String, List<ServiceResult>> cases =
                results.stream().collect(Collectors.groupingBy(ServiceResult::name, TreeMap::new, Collectors.toList()));
        cases.forEach((name, of) -> {
            ObjectNode node = root.putObject(name);
            Map<PlannedBy, Map<Integer, Double>> response = response(of);
            ObjectNode milliseconds = node.putObject("response_ms");
            response.forEach((plan, runs) -> put(milliseconds, plan.toString(), runs));
            gain(node, response, PlannedBy.INTERFERENCE);
            gain(node, response, PlannedBy.AFFINITY);
            ObjectNode tiers = node.putObject("response_ms_of_tiers");
            of.stream()
                    .collect(Collectors.groupingBy(ServiceResult::tier, TreeMap::new, Collectors.toList()))
                    .forEach((tier, its) -> {
                        ObjectNode byPlan = tiers.putObject(tier);
                        response(its).forEach((plan, runs) -> put(byPlan, plan.toString(), runs));
                    });
            node.put(
                    "runs_quiet",
                    of.stream()
                            .filter(result -> result.waited() < MOST_WAITED)
                            .map(result -> result.plan() + " " + result.repetition())
                            .distinct()
                            .count());
        });
        return root;
    }

    /** Of each run, the mean over the tiers that are asked; each counts alike, however often it could be asked. */
    private static Map<PlannedBy, Map<Integer, Double>> response(List<ServiceResult> results) {
        return results.stream()
                .collect(Collectors.groupingBy(
                        ServiceResult::plan,
                        () -> new EnumMap<>(PlannedBy.class),
                        Collectors.groupingBy(
                                ServiceResult::repetition,
                                TreeMap::new,
                                Collectors.averagingDouble(ServiceResult::mean))));
    }

    private static void gain(ObjectNode node, Map<PlannedBy, Map<Integer, Double>> response, PlannedBy other) {
        Map<Integer, Double> ours = response.getOrDefault(PlannedBy.BOTH, Map.of());
        Map<Integer, Double> gains = new TreeMap<>();
        response.getOrDefault(other, Map.of()).forEach((repetition, theirs) -> {
            if (ours.containsKey(repetition)) {
                gains.put(repetition, 1 - ours.get(repetition) / theirs);
            }
        });
        if (!gains.isEmpty()) {
            put(node, "gain_over_" + other + "_only", gains);
        }
    }

    private static void put(ObjectNode node, String name, Map<Integer, Double> runs) {
        Interval interval = Interval.of(
                runs.values().stream().mapToDouble(Double::doubleValue).toArray());
        node.set(name, ReportFigures.of(interval).put("repetitions", runs.size()));
    }
}
