package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.interference.yarn.advice.Amount;
import org.interference.yarn.advice.NodeAdvisor;
import org.interference.yarn.learn.Attribution;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskProfile;

/** How many nodes are needed, and how many interference costs. Sums alone: whoever may ask sees them. */
final class NodeAdviceAnswers {
    private final Sources sources;
    /** Run times in seconds by kind of task; asked for each once. */
    private final Map<TaskIdentity, OptionalDouble> runTimes = new HashMap<>();

    NodeAdviceAnswers(Sources sources) {
        this.sources = sources;
    }

    /**
     * Answers.
     *
     * @param preparation how long it takes from asking for a node until it runs
     * @param use the share of the cluster that a threshold would keep in use
     */
    ObjectNode nodes(Duration preparation, double use) {
        Sources.Demand demand = sources.cluster().scheduling().demand();
        ObjectNode answer =
                Json.object().put("nodes", demand.nodes()).put("preparationSeconds", preparation.toSeconds());
        if (demand.nodes() == 0 || !(demand.all().memoryMb() > 0)) {
            return answer.put("reason", "NO_NODES").put("why", "no node runs, so that nobody knows what one has");
        }
        Amount node = demand.all().times(1.0 / demand.nodes());
        List<NodeAdvisor.Tasks> running = demand.running().stream()
                .map(task -> new NodeAdvisor.Tasks(task.size(), 1, remaining(task)))
                .toList();
        List<NodeAdvisor.Tasks> waiting = demand.waiting().stream()
                .map(ask -> new NodeAdvisor.Tasks(ask.each(), ask.count(), runTime(ask.task())))
                .toList();
        NodeAdvisor.Advice advice = NodeAdvisor.of(
                new NodeAdvisor.Cluster(demand.nodes(), node, demand.free(), running, waiting, preparation));
        describe(answer, advice, demand.nodes());
        describe(answer.putObject("running"), running);
        describe(answer.putObject("waiting"), waiting).put("tooLarge", advice.tooLarge());
        describeThreshold(answer.putObject("byUse"), demand, use);
        describeInterference(answer.putObject("interference"), demand, node);
        return answer;
    }

    private static void describe(ObjectNode json, NodeAdvisor.Advice advice, int nodes) {
        json.put("action", advice.action().name())
                .put("change", advice.change())
                .put("needed", nodes + (long) advice.change())
                .put("againSeconds", advice.again().toSeconds());
        describe(json.putObject("shortageNow"), advice.shortageNow());
        describe(json.putObject("shortageThen"), advice.shortageThen());
        describe(json.putObject("idleThen"), advice.idleThen());
    }

    private static void describe(ObjectNode json, Amount amount) {
        json.put("memoryMb", Math.round(amount.memoryMb())).put("vcores", Math.round(amount.vcores()));
    }

    private static ObjectNode describe(ObjectNode json, List<NodeAdvisor.Tasks> tasks) {
        long unknown = tasks.stream()
                .filter(some -> some.seconds().isEmpty())
                .mapToLong(NodeAdvisor.Tasks::count)
                .sum();
        return json.put(
                        "tasks",
                        tasks.stream().mapToLong(NodeAdvisor.Tasks::count).sum())
                .put("ofUnknownLength", unknown);
    }

    private static void describeThreshold(ObjectNode json, Sources.Demand demand, double desired) {
        Amount used = demand.all().plus(demand.free().times(-1));
        double use = Math.max(0, used.in(demand.all()));
        json.put("use", Json.rounded(use))
                .put("desiredUse", desired)
                .put("nodes", NodeAdvisor.byUse(demand.nodes(), use, desired));
    }

    /** Of what each container takes of the nodes, what it would not take if nobody slowed it down. */
    private void describeInterference(ObjectNode json, Sources.Demand demand, Amount node) {
        double lost = 0;
        int known = 0;
        for (Sources.Running task : demand.running()) {
            Optional<Attribution.Victim> victim = sources.learnt().attribution().victim(task.container());
            if (victim.isPresent()) {
                known++;
                lost += task.size().in(node) * (1 - 1 / victim.get().slowdown());
            }
        }
        json.put("nodes", Json.rounded(lost)).put("containers", known);
    }

    private OptionalDouble remaining(Sources.Running task) {
        OptionalDouble whole = runTime(task.task());
        return whole.isEmpty()
                ? whole
                : OptionalDouble.of(
                        Math.max(0, whole.getAsDouble() - task.since().toMillis() / 1000.0));
    }

    private OptionalDouble runTime(TaskIdentity task) {
        return runTimes.computeIfAbsent(task, kind -> sources.learnt()
                .profiles()
                .find(kind)
                .map(TaskProfile::runTimeSeconds)
                .filter(seconds -> seconds.count() > 0)
                .map(Averages::mean)
                .map(OptionalDouble::of)
                .orElse(OptionalDouble.empty()));
    }
}
