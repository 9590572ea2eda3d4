package org.interference.yarn.sim.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.interference.yarn.capacity.Governor;
import org.interference.yarn.capacity.GovernorSettings;
import org.interference.yarn.capacity.KindMemory;
import org.interference.yarn.capacity.NodePressure;
import org.interference.yarn.capacity.NodeState;
import org.interference.yarn.capacity.RunningContainer;
import org.interference.yarn.capacity.SizeDecision;
import org.interference.yarn.capacity.WaitingKind;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.place.Matching;
import org.interference.yarn.place.Offer;
import org.interference.yarn.place.Request;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.rest.Sources;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.sim.engine.Insight;

/** The project's governor, by what the project's scheduler knows: profiles, reports and predictions. */
final class LearntSizer implements Sizer {
    private static final double BYTES_PER_MB = 1 << 20;

    private final AbstractYarnScheduler<?, ?> scheduler;
    private final Insight insight;
    private final Governor governor;
    private final SizeHistory history;
    private Instant looked = Instant.MIN;
    private final Map<Alike, Waiting> waiting = new LinkedHashMap<>();

    /** Who waits as a kind. */
    private record Waiting(TaskIdentity task, Waiters.Waiter first, Optional<Matching.Contender> contender) {}

    private record Alike(String kind, org.interference.yarn.capacity.Size request) {}

    /** @param scheduler one of the project's */
    LearntSizer(
            AbstractYarnScheduler<?, ?> scheduler, Insight insight, GovernorSettings settings, SizeHistory history) {
        this.scheduler = scheduler;
        this.insight = insight;
        this.governor = new Governor(settings);
        this.history = history;
    }

    @Override
    public Answer answer(Seen node, Instant now) {
        Sources sources = ((RestHost) scheduler).restSources().orElseThrow();
        if (now.isAfter(looked)) {
            looked = now;
            look(sources, now);
        }
        Optional<NodeSample> sample = sources.ingest().newest(node.name());
        double nodeMb = sample.flatMap(newest -> metric(newest, NodeMetric.MEMORYBYTES))
                .map(bytes -> bytes / BYTES_PER_MB)
                .orElse(0.0);
        NodeState state = new NodeState(
                node.name(),
                node.configured(),
                node.now(),
                running(node, sources, sample, nodeMb),
                waiting(node, sources, nodeMb, now),
                pressure(sample, nodeMb),
                sample.map(newest -> Duration.between(newest.receivedAt(), now)));
        SizeDecision decision = governor.decide(state, now);
        history.add(now, decision.size().memoryMb());
        List<ContainerId> evicted = decision.evictions().stream()
                .map(eviction -> ContainerId.fromString(eviction.container()))
                .toList();
        return new Answer(decision.size(), evicted);
    }

    private void look(Sources sources, Instant now) {
        waiting.clear();
        for (Waiters.Waiter waiter : Waiters.of(scheduler)) {
            Optional<TaskIdentity> task = insight.next().apply(waiter.attempt());
            if (task.isPresent()) {
                Request request =
                        new Request(waiter.attempt().toString(), waiter.key().toString(), task.get(), false);
                waiting.computeIfAbsent(
                        new Alike(task.get().keys().get(0).text(), waiter.request()),
                        alike -> new Waiting(
                                task.get(),
                                waiter,
                                sources.placement().freeNodes().contender(request, now)));
            }
        }
    }

    private List<WaitingKind> waiting(Seen node, Sources sources, double nodeMb, Instant now) {
        List<Waiting> known = waiting.values().stream()
                .filter(one -> one.contender().isPresent())
                .toList();
        Optional<List<Offer.Bid>> gains = sources.placement()
                .freeNodes()
                .gains(known.stream().map(one -> one.contender().get()).toList(), node.name(), now);
        List<WaitingKind> kinds = new ArrayList<>();
        waiting.forEach((alike, one) -> {
            int place = known.indexOf(one);
            kinds.add(new WaitingKind(
                    alike.kind(),
                    alike.request(),
                    place < 0 || gains.isEmpty()
                            ? Offer.Bid.UNKNOWN
                            : gains.get().get(place),
                    memory(sources, one.task(), nodeMb)));
        });
        return kinds;
    }

    private static List<RunningContainer> running(
            Seen node, Sources sources, Optional<NodeSample> sample, double nodeMb) {
        Map<String, Double> used = new LinkedHashMap<>();
        sample.ifPresent(newest -> {
            for (ContainerReport report : newest.own()) {
                double level = report.level(Signal.MEM);
                if (!report.ended() && !Double.isNaN(level)) {
                    used.put(report.container(), level * nodeMb);
                }
            }
        });
        List<RunningContainer> running = new ArrayList<>();
        for (RMContainer container : node.running()) {
            String id = container.getContainerId().toString();
            Optional<TaskIdentity> task = sources.cluster().tasks().apply(id).map(Sources.Task::identity);
            running.add(new RunningContainer(
                    id,
                    ElasticNodes.size(container.getAllocatedResource()),
                    used.containsKey(id) ? OptionalDouble.of(used.get(id)) : OptionalDouble.empty(),
                    task.flatMap(one -> memory(sources, one, nodeMb)),
                    node.grown().contains(container.getContainerId()),
                    false,
                    1,
                    Instant.ofEpochMilli(container.getCreationTime())));
        }
        return running;
    }

    private static Optional<KindMemory> memory(Sources sources, TaskIdentity task, double nodeMb) {
        return sources.learnt().profiles().find(task).flatMap(profile -> KindMemory.of(profile, nodeMb));
    }

    private static NodePressure pressure(Optional<NodeSample> sample, double nodeMb) {
        Optional<Double> taken = sample.flatMap(newest -> metric(newest, NodeMetric.MEMORY));
        return new NodePressure(
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                taken.map(share -> OptionalDouble.of((1 - share) * nodeMb)).orElse(OptionalDouble.empty()));
    }

    private static Optional<Double> metric(NodeSample sample, NodeMetric metric) {
        OptionalDouble value = sample.report().figures().value(metric);
        return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
    }
}
