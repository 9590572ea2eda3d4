package org.interference.yarn.testbed;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.report.ReportFigures;

/**
 * The comparisons as programs read them: {@code results.testbed.<mix>.<figure>} is what the mix is to show ({@link Mix#shows}) against a stock scheduler, the placebo and ours-warm; ours
 * without profiles is under {@code cold}, ours on Capacity under {@code capacity}, and every policy by itself under {@code policies}. Gains are
 * fractions, positive is better.
 */
final class Summary {
    private static final String WARM = "ours-warm";
    private static final String COLD = "ours-cold";
    private static final String ON_CAPACITY = "ours-capacity";
    private static final String PLACEBO = "placebo";
    private static final String FAIR = "fair";
    private static final String CAPACITY = "capacity";

    private final ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** Returns the document for the comparisons of each mix. */
    ObjectNode of(Map<Mix, MixComparison> comparisons) {
        ObjectNode root = json.createObjectNode();
        ObjectNode testbed = root.putObject("results").putObject("testbed");
        comparisons.forEach((mix, comparison) -> {
            ObjectNode node = testbed.putObject(mix.toString());
            String ours = mix.shows();
            node.put("repetitions", comparison.pairs(ours, FAIR).size());
            node.put("trainings", comparison.trainings());
            against(node, comparison, ours, FAIR);
            reduction(node, "makespan_gain_vs_capacity", comparison, ours, CAPACITY, RunFigures::makespan);
            reduction(node, "makespan_gain_vs_placebo", comparison, ours, PLACEBO, RunFigures::makespan);
            reduction(node, "turnaround_gain_vs_placebo", comparison, ours, PLACEBO, RunFigures::turnaround);
            if (!ours.equals(WARM)) {
                reduction(node, "makespan_gain_vs_ours_fair", comparison, ours, WARM, RunFigures::makespan);
            }
            ObjectNode cold = node.putObject("cold");
            against(cold, comparison, COLD, FAIR);
            reduction(cold, "makespan_gain_vs_capacity", comparison, COLD, CAPACITY, RunFigures::makespan);
            against(node.putObject("capacity"), comparison, ON_CAPACITY, CAPACITY);
            ObjectNode policies = node.putObject("policies");
            for (String policy : comparison.policies()) {
                alone(policies.putObject(policy), comparison, policy);
            }
            ObjectNode seconds = node.putObject("seconds_alone");
            comparison.alone().forEach((kind, value) -> seconds.put(kind, ReportFigures.rounded(value)));
            node.put("runs", comparison.runs());
            node.put("runs_quiet", comparison.quietRuns());
        });
        if (testbed.path(Mix.UNCONTENDED.toString()).has("makespan_gain_vs_fair")) {
            MixComparison uncontended = comparisons.get(Mix.UNCONTENDED);
            Interval gain = uncontended.reduction(WARM, FAIR, RunFigures::makespan);
            put(
                    testbed,
                    "uncontended_loss",
                    gain.negated(),
                    uncontended.pairs(WARM, FAIR).size());
        }
        return root;
    }

    String text(ObjectNode document) {
        return document.toPrettyString() + "\n";
    }

    private static void against(ObjectNode node, MixComparison comparison, String policy, String stock) {
        reduction(node, "makespan_gain_vs_" + stock, comparison, policy, stock, RunFigures::makespan);
        reduction(node, "turnaround_gain_vs_" + stock, comparison, policy, stock, RunFigures::turnaround);
        reduction(node, "p95_slowdown_gain_vs_" + stock, comparison, policy, stock, RunFigures::slowdownP95);
        int pairs = comparison.pairs(policy, stock).size();
        if (pairs > 0) {
            // More is better.
            Interval less = comparison.reduction(policy, stock, RunFigures::density);
            put(node, "density_gain_vs_" + stock, less.negated(), pairs);
        }
        if (comparison.policies().contains(policy)) {
            mean(node, "failed", comparison, policy, RunFigures::failed);
            mean(node, "starved", comparison, policy, RunFigures::starved);
        }
    }

    private static void alone(ObjectNode node, MixComparison comparison, String policy) {
        mean(node, "makespan_s", comparison, policy, RunFigures::makespan);
        mean(node, "turnaround_s", comparison, policy, RunFigures::turnaround);
        mean(node, "p95_slowdown", comparison, policy, RunFigures::slowdownP95);
        mean(node, "density", comparison, policy, RunFigures::density);
        mean(node, "failed", comparison, policy, RunFigures::failed);
        mean(node, "starved", comparison, policy, RunFigures::starved);
        node.put("master_cpu_s", ReportFigures.rounded(comparison.masterSeconds(policy)));
    }

    private static void reduction(
            ObjectNode node,
            String name,
            MixComparison comparison,
            String policy,
            String other,
            ToDoubleFunction<RunFigures> figure) {
        int pairs = comparison.pairs(policy, other).size();
        if (pairs > 0) {
            put(node, name, comparison.reduction(policy, other, figure), pairs);
        }
    }

    private static void mean(
            ObjectNode node,
            String name,
            MixComparison comparison,
            String policy,
            ToDoubleFunction<RunFigures> figure) {
        put(
                node,
                name,
                comparison.mean(policy, figure),
                comparison.pairs(policy, policy).size());
    }

    private static void put(ObjectNode node, String name, Interval interval, int seeds) {
        node.set(name, ReportFigures.of(interval).put("seeds", seeds));
    }
}
