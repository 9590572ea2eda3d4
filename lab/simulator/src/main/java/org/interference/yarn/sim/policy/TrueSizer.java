package org.interference.yarn.sim.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.interference.yarn.capacity.Governor;
import org.interference.yarn.capacity.GovernorSettings;
import org.interference.yarn.capacity.KindMemory;
import org.interference.yarn.capacity.NodePressure;
import org.interference.yarn.capacity.NodeState;
import org.interference.yarn.capacity.RunningContainer;
import org.interference.yarn.capacity.Size;
import org.interference.yarn.capacity.SizeDecision;
import org.interference.yarn.capacity.WaitingKind;
import org.interference.yarn.place.Offer;
import org.interference.yarn.sim.engine.Insight;

/** The project's governor by the world's own slowdowns, and the memory that each task will use at its peak. */
final class TrueSizer implements Sizer {
    private final AbstractYarnScheduler<?, ?> scheduler;
    private final Insight insight;
    private final TrueGains gains;
    private final Governor governor;

    TrueSizer(AbstractYarnScheduler<?, ?> scheduler, Insight insight, GovernorSettings settings) {
        this.scheduler = scheduler;
        this.insight = insight;
        this.gains = new TrueGains(insight);
        this.governor = new Governor(settings);
    }

    @Override
    public Answer answer(Seen node, Instant now) {
        Map<String, WaitingKind> waiting = new LinkedHashMap<>();
        for (Waiters.Waiter waiter : Waiters.of(scheduler)) {
            OptionalDouble gain = gains.gain(node.node(), waiter.attempt());
            if (gain.isPresent()) {
                double known = gain.getAsDouble();
                waiting.put(
                        waiter.attempt().toString(),
                        new WaitingKind(
                                waiter.attempt().toString(),
                                waiter.request(),
                                new Offer.Bid(known, known, known),
                                exactly(insight.everything().peakMb(waiter.attempt()))));
            }
        }
        List<RunningContainer> running = new ArrayList<>();
        for (RMContainer container : node.running()) {
            running.add(new RunningContainer(
                    container.getContainerId().toString(),
                    ElasticNodes.size(container.getAllocatedResource()),
                    OptionalDouble.empty(),
                    exactly(insight.everything().peakMb(node.node().getNodeID(), container.getContainerId())),
                    node.grown().contains(container.getContainerId()),
                    false,
                    1,
                    Instant.ofEpochMilli(container.getCreationTime())));
        }
        NodeState state = new NodeState(
                node.name(),
                node.configured(),
                node.now(),
                running,
                List.copyOf(waiting.values()),
                NodePressure.UNTOLD,
                Optional.of(Duration.ZERO),
                false);
        SizeDecision decision = governor.decide(state, now);
        decision.evictions().forEach(governor::evicted);
        return new Answer(
                decision.size(),
                decision.evictions().stream()
                        .map(eviction -> ContainerId.fromString(eviction.container()))
                        .toList());
    }

    @Override
    public boolean hasRoom(SchedulerNode node, Size configured, ApplicationAttemptId newcomer) {
        double used = insight.everything().peakMb(newcomer).orElse(0);
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            used += insight.everything()
                    .peakMb(node.getNodeID(), container.getContainerId())
                    .orElse((double) container.getAllocatedResource().getMemorySize());
        }
        return used <= (1 - governor.settings().reserve()) * configured.memoryMb();
    }

    private static Optional<KindMemory> exactly(OptionalDouble mb) {
        return mb.isPresent()
                ? Optional.of(new KindMemory(mb.getAsDouble(), 0, mb.getAsDouble(), Long.MAX_VALUE))
                : Optional.empty();
    }
}
