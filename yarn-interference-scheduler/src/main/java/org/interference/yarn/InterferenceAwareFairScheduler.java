package org.interference.yarn;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.NeedyApplications;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.OpenFairScheduler;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.app.SchedulerPlugin;
import org.interference.yarn.app.Surroundings;
import org.interference.yarn.capacity.yarn.NodeSizes;
import org.interference.yarn.fault.Part;
import org.interference.yarn.place.Gate;
import org.interference.yarn.place.Matching;
import org.interference.yarn.place.Offered;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.place.yarn.InterferenceAppPlacementAllocator;
import org.interference.yarn.place.yarn.PlacementHost;
import org.interference.yarn.place.yarn.YarnPlacement;
import org.interference.yarn.relocate.yarn.Relocations;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.rest.Sources;

/**
 * The FairScheduler, which gives a node to whom it suits best among those who need it almost equally. A class that {@code
 * yarn.resourcemanager.scheduler.class} names.
 *
 * <p>Almost equally: an application within some containers of any needier one of its queue, a queue within twice as many of any needier
 * queue beside it ({@code yarn.interference.place.containers-ahead}), as the queues' policies count (ADR-0027). Limits, shares,
 * locality delays, reservations and preemption stay the parent's. Where YARN may preempt, no node is left as it is: for who is below its share
 * containers are killed, however much space there is. Whatever fails, or is set wrongly, leaves it running as the parent.
 */
public class InterferenceAwareFairScheduler extends OpenFairScheduler implements PlacementHost, RestHost {
    private final SchedulerPlugin plugin = new SchedulerPlugin("FairScheduler");
    private final NeedyApplications<Matching.Contender> needy = new NeedyApplications<>(this, this::contender);
    /** Why the next container is allocated; only under the scheduler's write lock. */
    private Ranking.Reason reason = Ranking.Reason.PARENT_SINGLE_NODE;
    /** What was decided about the node that is next allocated on; only under the scheduler's write lock. */
    private Optional<Offered> offered = Optional.empty();
    /** Whom that gives it to, or the parent would. */
    private ApplicationAttemptId offeredTo;
    /** In which {@link Gate#epoch} the applications were read; only under the scheduler's write lock. */
    private Object epoch = Decided.BY_PARENT;

    @Override
    public void serviceInit(Configuration conf) throws Exception {
        plugin.create(conf, rmContext, this::surroundings);
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
        Runnable ours = plugin.read(conf, context);
        super.reinitialize(conf, context);
        ours.run();
    }

    @Override
    protected boolean isOn() {
        return plugin.placement()
                .map(placement -> !placement.stage().gate().isOff())
                .orElse(false);
    }

    @Override
    protected Decided decide(FSSchedulerNode node) {
        return plugin.placement()
                .map(placement -> placement.stage().gate().decide(() -> decided(node, placement), Decided.BY_PARENT))
                .orElse(Decided.BY_PARENT);
    }

    private Decided decided(FSSchedulerNode node, YarnPlacement placement) {
        reason = Ranking.Reason.PARENT_SINGLE_NODE;
        offered = Optional.empty();
        int ahead = placement.stage().freeNodes().containersAhead();
        if (ahead == 0 && placement.stage().freeNodes().mayMatch()) {
            reason = Ranking.Reason.PARENT_NO_TIME;
        }
        if (ahead == 0 || !Resources.fitsIn(getMinimumResourceCapability(), node.getUnallocatedResource())) {
            return Decided.BY_PARENT;
        }
        Decision decision = decision(node, ahead, placement);
        Matching.Choice choice = decision.choice();
        if (choice.leaves()) {
            return Decided.LEFT;
        }
        offered = choice.offered();
        boolean parents = choice.taken().isEmpty() || choice.isToldOnly();
        if (parents && offered.isEmpty()) {
            return Decided.BY_PARENT;
        }
        FSAppAttempt taken =
                decision.waiting().get(parents ? 0 : choice.taken().getAsInt()).application();
        offeredTo = taken.getApplicationAttemptId();
        if (parents) {
            return Decided.NEXT_BY_PARENT;
        }
        reason = Ranking.Reason.MATCHED;
        if (!taken.assignContainer(node).equals(Resources.none())) {
            return Decided.ALLOCATED;
        }
        reason = Ranking.Reason.PARENT_SINGLE_NODE;
        return Decided.BY_PARENT;
    }

    /** @param waiting those that the choice was made among */
    private record Decision(List<NeedyApplications.Candidate<Matching.Contender>> waiting, Matching.Choice choice) {}

    private Decision decision(FSSchedulerNode node, int ahead, YarnPlacement placement) {
        Gate gate = placement.stage().gate();
        Object now = gate.epoch();
        if (!now.equals(epoch)) {
            needy.forget();
            epoch = now;
        }
        long began = gate.begin();
        try {
            List<NeedyApplications.Candidate<Matching.Contender>> waiting = needy.almostEquallyNeedy(
                    node, ahead, Math.max(1, placement.stage().ranking().choices()));
            if (needy.hasRead()) {
                gate.worked(began);
                began = gate.begin();
            }
            return new Decision(waiting, choice(waiting, node, placement));
        } finally {
            gate.spent(began);
        }
    }

    private Matching.Choice choice(
            List<NeedyApplications.Candidate<Matching.Contender>> waiting,
            FSSchedulerNode node,
            YarnPlacement placement) {
        List<Matching.Contender> contenders = new ArrayList<>(waiting.size());
        waiting.forEach(candidate -> contenders.add(candidate.kind()));
        return placement.choose(
                contenders,
                who -> waiting.get(who).application().getApplicationAttemptId(),
                who -> waiting.get(who).key(),
                node,
                !mayPreempt());
    }

    private Optional<Matching.Contender> contender(FSAppAttempt application, SchedulerRequestKey key) {
        return plugin.placement().flatMap(placement -> placement.contender(application, key));
    }

    @Override
    protected void leave() {
        reason = Ranking.Reason.PARENT_NOT_RANKED;
        offered = Optional.empty();
    }

    @Override
    public void allocated(InterferenceAppPlacementAllocator<?> asks, SchedulerNode node) {
        // Whether that is a task's or makes one larger: it is less needy.
        needy.moved(asks.attempt());
        plugin.placement()
                .ifPresent(placement -> placement.stage().gate().faults().safely(Part.ACCOUNTING, () -> {
                    FSAppAttempt application = getSchedulerApp(asks.attempt());
                    // Where the parent cannot serve its first, what was told of that is not what happens.
                    Optional<Offered> told =
                            offered.filter(any -> asks.attempt().equals(offeredTo));
                    if (application != null) {
                        placement.allocated(asks, application, node, reason, told);
                    }
                }));
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
        needy.moved(container.getApplicationAttemptId());
        if (ran) {
            plugin.completed(container, status);
        }
    }

    @Override
    public void handle(SchedulerEvent event) {
        if (!isOfNobody(event)) {
            plugin.handle(event, true, () -> super.handle(event));
        }
    }

    /**
     * Whoever was to be told that a container is to leave may have ended since, and the parent takes it for there: of an application the ResourceManager ends, and a
     * container is one that is to leave for as long as its application lives.
     */
    private boolean isOfNobody(SchedulerEvent event) {
        return event instanceof ContainerPreemptEvent preemption
                && (getApplicationAttempt(preemption.getAppId()) == null
                        || getRMContainer(preemption.getContainer().getContainerId()) == null);
    }

    /** Returns who is asked to leave his node, and kept from it; empty while the plugin is not running. */
    protected Optional<Relocations> relocations() {
        return plugin.relocations();
    }

    @Override
    public Optional<YarnPlacement> placement() {
        return plugin.placement();
    }

    @Override
    protected boolean isRestricted(FSSchedulerNode node) {
        return sizes().map(sizes -> sizes.room().isGrown(node)).orElse(false)
                || plugin.placement()
                        .filter(YarnPlacement::keepsAnybodyForGroups)
                        .isPresent()
                || relocations()
                        .map(relocations -> relocations.keepsAnybodyFrom(node.getNodeID()))
                        .orElse(false);
    }

    @Override
    protected boolean isToBeLeftReserved(FSSchedulerNode node) {
        return sizes().map(sizes -> sizes.room().isReservedForConfigured(node)).orElse(false);
    }

    @Override
    public Optional<SchedulerNode> restrictedOffer() {
        return restrictedOnThisThread();
    }

    @Override
    public boolean keepsFrom(ApplicationAttemptId application, SchedulerNode node) {
        return relocations()
                .map(relocations -> relocations.keeps(application, node.getNodeID()))
                .orElse(false);
    }

    @Override
    public boolean keepsOffGrown(InterferenceAppPlacementAllocator<?> asks, SchedulerNode node, Resource container) {
        return sizes().map(sizes -> sizes.room().keepsOff(asks, node, container))
                .orElse(false);
    }

    /** Returns the sizes of the nodes; empty while the plugin is not running. */
    protected Optional<NodeSizes> sizes() {
        return plugin.sizes();
    }

    @Override
    public Optional<Sources> restSources() {
        return plugin.restSources();
    }
}
