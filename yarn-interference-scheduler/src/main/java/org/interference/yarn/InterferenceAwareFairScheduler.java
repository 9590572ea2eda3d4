package org.interference.yarn;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.NeedyApplications;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.OpenFairScheduler;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.app.SchedulerPlugin;
import org.interference.yarn.app.Surroundings;
import org.interference.yarn.place.Matching;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.place.yarn.InterferenceAppPlacementAllocator;
import org.interference.yarn.place.yarn.PlacementHost;
import org.interference.yarn.place.yarn.YarnPlacement;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.rest.Sources;

/**
 * The FairScheduler, which gives a node to whom it suits best among those who need it almost equally. A class that {@code
 * yarn.resourcemanager.scheduler.class} names.
 *
 * <p>Almost equally: an application within some containers of the neediest of its queue, a queue within twice as many of the
 * neediest queue ({@code yarn.interference.place.match-containers-ahead}). Limits, shares, locality delays, reservations and
 * preemption stay the parent's. A wrong setting stops the ResourceManager at start; any other failure leaves it running as
 * the parent.
 */
public class InterferenceAwareFairScheduler extends OpenFairScheduler implements PlacementHost, RestHost {
    private final SchedulerPlugin plugin = new SchedulerPlugin("FairScheduler");
    private final NeedyApplications needy = new NeedyApplications(this);
    /** Why the next container is allocated; only under the scheduler's write lock. */
    private Ranking.Reason reason = Ranking.Reason.PARENT_SINGLE_NODE;

    @Override
    public void serviceInit(Configuration conf) throws Exception {
        plugin.create(conf, rmContext, surroundings());
        super.serviceInit(conf);
    }

    /** Returns the time and the threads that the plugin is to use; asked once, at start. */
    protected Surroundings surroundings() {
        return Surroundings.ofThisMachine();
    }

    @Override
    public void serviceStart() throws Exception {
        plugin.start();
        super.serviceStart();
    }

    @Override
    public void serviceStop() throws Exception {
        super.serviceStop();
        plugin.stop();
    }

    /** {@code yarn rmadmin -refreshQueues}: also reads the plugin's settings of the place stage. */
    @Override
    public void reinitialize(Configuration conf, RMContext context) throws IOException {
        plugin.refresh(conf);
        super.reinitialize(conf, context);
    }

    @Override
    protected boolean isOn() {
        return plugin.placement().map(placement -> !placement.isOff()).orElse(false);
    }

    @Override
    @SuppressWarnings("CatchThrowable") // On a thread of the ResourceManager's; the parent decides.
    protected Decided decide(FSSchedulerNode node) {
        try {
            return decided(node);
        } catch (Throwable e) {
            plugin.placement().ifPresent(placement -> placement.failed(e));
            return Decided.BY_PARENT;
        }
    }

    private Decided decided(FSSchedulerNode node) {
        reason = Ranking.Reason.PARENT_SINGLE_NODE;
        Optional<YarnPlacement> placement = plugin.placement();
        int ahead = placement.map(YarnPlacement::containersAhead).orElse(0);
        if (ahead == 0 && placement.map(YarnPlacement::mayMatch).orElse(false)) {
            reason = Ranking.Reason.PARENT_NO_TIME;
        }
        if (ahead == 0 || !Resources.fitsIn(getMinimumResourceCapability(), node.getUnallocatedResource())) {
            return Decided.BY_PARENT;
        }
        Decision decision = placement.get().timed(() -> decision(node, ahead, placement.get()));
        Matching.Choice choice = decision.choice();
        if (choice.reason() == Matching.Reason.DECLINED_FOR_NOBODY) {
            return Decided.LEFT;
        }
        if (choice.taken().isEmpty()) {
            return Decided.BY_PARENT;
        }
        NeedyApplications.Place taken = decision.waiting().get(choice.taken().getAsInt());
        reason = Ranking.Reason.MATCHED;
        if (mayServe(taken.application(), taken.queue(), node)
                && !taken.application().assignContainer(node).equals(Resources.none())) {
            return Decided.ALLOCATED;
        }
        reason = Ranking.Reason.PARENT_SINGLE_NODE;
        return Decided.BY_PARENT;
    }

    /** @param waiting those that the choice was made among */
    private record Decision(List<NeedyApplications.Place> waiting, Matching.Choice choice) {}

    private Decision decision(FSSchedulerNode node, int ahead, YarnPlacement placement) {
        List<NeedyApplications.Place> waiting = needy.almostEquallyNeedy(node, ahead, placement);
        List<Matching.Contender> contenders = new ArrayList<>(waiting.size());
        waiting.forEach(place -> contenders.add(place.contender().orElseThrow()));
        return new Decision(waiting, placement.choose(contenders, node));
    }

    @Override
    protected void leave() {
        reason = Ranking.Reason.PARENT_NOT_RANKED;
    }

    @Override
    @SuppressWarnings("CatchThrowable") // In the middle of an allocation.
    public void allocated(InterferenceAppPlacementAllocator<?> asks, SchedulerNode node) {
        plugin.placement().ifPresent(placement -> {
            try {
                FSAppAttempt application = getSchedulerApp(asks.attempt());
                if (application != null && placement.allocated(asks, application, node, reason)) {
                    needy.served(application.getApplicationAttemptId());
                }
            } catch (Throwable e) {
                placement.failed(e);
            }
        });
    }

    @Override
    public void recoverContainersOnNode(List<NMContainerStatus> reports, RMNode node) {
        super.recoverContainersOnNode(reports, node);
        plugin.recovered(this, reports);
    }

    @Override
    protected void completedContainerInternal(
            RMContainer container, ContainerStatus status, RMContainerEventType event) {
        // A reservation that ends was never a task.
        boolean ran = container.getState() != RMContainerState.RESERVED;
        super.completedContainerInternal(container, status, event);
        if (ran) {
            plugin.completed(container, status);
        }
    }

    @Override
    public void handle(SchedulerEvent event) {
        super.handle(event);
        plugin.handled(event);
    }

    @Override
    public Optional<YarnPlacement> placement() {
        return plugin.placement();
    }

    @Override
    public Optional<Sources> restSources() {
        return plugin.restSources();
    }
}
