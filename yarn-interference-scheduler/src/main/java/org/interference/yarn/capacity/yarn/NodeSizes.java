package org.interference.yarn.capacity.yarn;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.interference.yarn.capacity.CapacityReport;
import org.interference.yarn.capacity.CapacityReport.StandsBack;
import org.interference.yarn.capacity.Governor;
import org.interference.yarn.capacity.GovernorSettings;
import org.interference.yarn.capacity.Size;
import org.interference.yarn.capacity.SizeDecision;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.fault.Part;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.Request;
import org.interference.yarn.place.yarn.WantedKind;
import org.interference.yarn.place.yarn.YarnPlacement;
import org.interference.yarn.profile.ProfileRepository;

/**
 * The sizes of the nodes of one ResourceManager: has the governor decide about each every few seconds and, in mode on, does what it decides. Thread-safe; no
 * method throws.
 *
 * <p>Nobody is killed to make a node smaller, but for who was admitted only because it was larger than configured and has to go. Where somebody else has a say about a node it
 * is left to him ({@link StandsBack}), but it goes back to what is configured. Without a say, as in mode off, every node that was given another size gets its
 * configured one back.
 */
public final class NodeSizes {
    /** Between two decisions about a node. */
    static final Duration INTERVAL = Duration.ofSeconds(2);

    private final RMContext rmContext;
    private final YarnPlacement placement;
    private final Governor governor;
    private final Faults faults;
    private final LongFunction<Instant> began;
    private final NodeStates states;
    private final GrownNodes grown;
    private final GrownRoom room;
    private final KnownSizes sizes;
    /** What nodes were to be given in shadow. */
    private final Map<NodeId, Size> wouldBe = new ConcurrentHashMap<>();

    /** Which nodes are, or were about to be, given another size. */
    private final Set<NodeId> wantsToGrow = ConcurrentHashMap.newKeySet();

    private final Resizing resizing;
    private final LongAdder killed = new LongAdder();
    private volatile CapacityReport report = CapacityReport.OFF;
    private Instant next = Instant.MIN;
    private double gainSeconds;
    private long notApplied;

    /**
     * @param asked as what a container was asked for; empty if its application is gone
     * @param began when something began, by the time that is an argument here, that YARN says began so many ms after 1970
     */
    public NodeSizes(
            RMContext rmContext,
            Ingest ingest,
            ProfileRepository profiles,
            YarnPlacement placement,
            Function<RMContainer, Optional<Request>> asked,
            LongFunction<Instant> began,
            GovernorSettings settings,
            ConfiguredSizes store,
            Faults faults) {
        this.rmContext = rmContext;
        this.placement = placement;
        this.governor = new Governor(settings);
        this.faults = faults;
        this.began = began;
        this.resizing = new Resizing(rmContext);
        this.grown = new GrownNodes(asked);
        this.states = new NodeStates(ingest, placement.stage(), profiles, asked, began, grown);
        this.sizes = new KnownSizes(store, states);
        this.room = new GrownRoom(rmContext, placement, grown, sizes.byNode(), this::settings);
        placement.stage().freeNodes().grownBy(room::hasOnlyGrownFree);
    }

    /** Takes new settings: they are followed at the next tick. */
    public void refresh(GovernorSettings settings) {
        governor.refresh(settings);
    }

    /** Returns the settings in force. */
    public GovernorSettings settings() {
        return governor.settings();
    }

    /** Returns what was made of all nodes last. */
    public CapacityReport report() {
        return report;
    }

    /** Returns what may go where a node is larger than it is configured. */
    public GrownRoom room() {
        return room;
    }

    /** Returns who is to hear of every event of a node. */
    public EventHandler<RMNodeEvent> listener() {
        return new SizesOfOthers(rmContext, sizes, faults);
    }

    /** Notes that a container was killed on a node, perhaps for want of memory: if that is larger than configured, it goes back. */
    public void killed(RMContainer container, Instant now) {
        KnownSize known = sizes.byNode().get(container.getAllocatedNode());
        if (known != null && mayBeForGrowth(container, known)) {
            killed.increment();
            governor.killed(
                    container.getAllocatedNode().toString(),
                    Duration.between(began.apply(container.getCreationTime()), now),
                    now);
        }
    }

    /** Returns whether its node is larger than it is configured, or has more containers than it would have. */
    private boolean mayBeForGrowth(RMContainer container, KnownSize known) {
        SchedulerNode node = scheduler().getSchedulerNode(container.getAllocatedNode());
        return node != null
                && (!Sizes.of(node.getTotalResource()).fitsIn(known.configured())
                        || !Sizes.of(node.getAllocatedResource())
                                .or(Sizes.of(container.getAllocatedResource()))
                                .fitsIn(known.configured()));
    }

    private AbstractYarnScheduler<?, ?> scheduler() {
        return (AbstractYarnScheduler<?, ?>) rmContext.getScheduler();
    }

    /** Decides about every node, if the time has come. Called by one thread at a time. */
    public void tick(Instant now) {
        boolean read = sizes.read(now);
        GovernorSettings settings = settings();
        notApplied = notApplied();
        if (mayDoNothing() || settings.isOff() || !read) {
            wouldBe.clear();
            states.forget();
            restoreAll(now);
            report(settings, List.of());
        } else if (!now.isBefore(next)) {
            next = now.plus(INTERVAL);
            decideAll(settings, now);
        }
        sizes.keep(wantsToGrow);
    }

    private void report(GovernorSettings settings, List<CapacityReport.Node> nodes) {
        Map<String, Mode> labelModes = new HashMap<>(settings.labelModes());
        labelModes.replaceAll((label, mode) -> inForce(mode));
        report = new CapacityReport(
                settings.mode(),
                inForce(settings.mode()),
                labelModes,
                nodes,
                notApplied,
                resizing.evictions(),
                killed.sum(),
                governor.lostShare(),
                gainSeconds,
                governor.counts());
    }

    private long notApplied() {
        return sizes.byNode().entrySet().stream()
                .filter(entry -> {
                    RMNode node = rmContext.getRMNodes().get(entry.getKey());
                    return node != null
                            && node.getState() == NodeState.RUNNING
                            && entry.getValue().isLate(Sizes.of(node.getTotalCapability()));
                })
                .count();
    }

    private Mode inForce(Mode mode) {
        return mayDoNothing() ? Mode.OFF : mode;
    }

    /** Without placement nobody knows what one more container would add. */
    private boolean mayDoNothing() {
        return placement.stage().gate().forbidsEverything();
    }

    // Back to what is configured

    private void restoreAll(Instant now) {
        wantsToGrow.clear();
        lookForWhomWeHaveSeenBefore();
        sizes.byNode()
                .forEach((id, known) -> faults.safely(Part.CAPACITY, () -> {
                    RMNode node = rmContext.getRMNodes().get(id);
                    if (node == null || !restored(node, known, now)) {
                        return;
                    }
                    forget(id);
                }));
    }

    private void lookForWhomWeHaveSeenBefore() {
        for (String name : sizes.missing()) {
            faults.safely(Part.CAPACITY, () -> {
                RMNode node = rmContext.getRMNodes().get(NodeId.fromString(name));
                if (node != null && node.getState() == NodeState.RUNNING) {
                    sizes.of(node);
                }
            });
        }
    }

    /** Sees to it that {@code node} has its configured size, and returns whether nothing of ours is left. */
    private boolean restored(RMNode node, KnownSize last, Instant now) {
        if (node.getState() != NodeState.RUNNING) {
            return false;
        }
        KnownSize known = KnownSizes.seen(last, node);
        if (known.asked().isEmpty()) {
            return true;
        }
        // Also where a size that we asked for is on its way: this comes after it.
        Size back = withoutKilling(node, known.configured());
        sizes.asks(node, back, now);
        if (!back.equals(Sizes.of(node.getTotalCapability()))) {
            resizing.set(node, back);
        }
        return false;
    }

    /** Where YARN has once been told to kill for a size, as where a node was to be decommissioned, it does so for every other one: then it has no less than is in use. */
    private Size withoutKilling(RMNode node, Size size) {
        SchedulerNode there = scheduler().getSchedulerNode(node.getNodeID());
        return there != null && there.isOvercommitTimeOutSet() ? size.or(Sizes.of(there.getAllocatedResource())) : size;
    }

    // Decisions

    private void decideAll(GovernorSettings settings, Instant now) {
        List<WantedKind> waiting = placement.waiting(request -> settings.growsFor(request.queue()));
        List<CapacityReport.Node> nodes = new ArrayList<>();
        states.again();
        for (SchedulerNode node : scheduler().getNodeTracker().getAllNodes()) {
            Mode mode = settings.mode(node.getPartition());
            faults.safely(Part.CAPACITY, () -> nodes.add(decided(node, mode, waiting, now)));
        }
        forgetWhoLeft();
        nodes.sort(Comparator.comparing(CapacityReport.Node::node));
        report(settings, nodes);
    }

    /** A node that is lost for a while comes back with the size that it was given last. */
    private void forgetWhoLeft() {
        wouldBe.keySet().retainAll(rmContext.getRMNodes().keySet());
        for (NodeId id : List.copyOf(sizes.byNode().keySet())) {
            if (!rmContext.getRMNodes().containsKey(id)
                    && !rmContext.getInactiveRMNodes().containsKey(id)) {
                forget(id);
            }
        }
    }

    private void forget(NodeId id) {
        sizes.byNode().remove(id);
        wantsToGrow.remove(id);
        grown.forget(id);
        governor.forget(id.toString());
    }

    private CapacityReport.Node decided(SchedulerNode node, Mode mode, List<WantedKind> waiting, Instant now) {
        NodeId id = node.getNodeID();
        boolean runs = node.getRMNode().getState() == NodeState.RUNNING;
        Size usable = Sizes.of(node.getRMNode().getTotalCapability());
        // YARN gives a node that is to leave other sizes, and its last one back if it may stay.
        if (!runs || node.getRMNode().getState() != NodeState.RUNNING) {
            KnownSize size = sizes.byNode().getOrDefault(id, KnownSize.of(usable));
            return report(node, size, usable, Optional.empty(), Optional.of(StandsBack.NOT_RUNNING));
        }
        Optional<KnownSize> known = sizes.of(node.getRMNode());
        if (known.isEmpty()) {
            return report(node, KnownSize.of(usable), usable, Optional.empty(), Optional.of(StandsBack.NOT_KEPT));
        }
        KnownSize size = known.get();
        if (mode == Mode.OFF) {
            leave(node.getRMNode(), size, now);
            return report(node, size, usable, Optional.empty(), Optional.of(StandsBack.OFF));
        }
        boolean shadow = mode == Mode.SHADOW;
        Size taken = shadow ? wouldBe.getOrDefault(id, size.configured()) : usable;
        org.interference.yarn.capacity.NodeState state =
                states.of(node, size, taken, Sizes.countsCores(rmContext.getScheduler()), waiting, now);
        SizeDecision decision = governor.decide(state, now);
        grown.limit(id, decision.figures().limitMb());
        gained(decision, size);
        Optional<StandsBack> standsBack = standsBack(node, size, decision, mode);
        if (shadow) {
            wouldBe.put(id, decision.size());
            restored(node.getRMNode(), size, now);
        } else {
            follow(node, size, usable, decision, standsBack, now);
        }
        return report(node, size, usable, Optional.of(decision), standsBack);
    }

    /** Leaves alone what nobody is to decide about, with its configured size. */
    private void leave(RMNode node, KnownSize size, Instant now) {
        wouldBe.remove(node.getNodeID());
        wantsToGrow.remove(node.getNodeID());
        governor.forget(node.getNodeID().toString());
        if (restored(node, size, now)) {
            grown.forget(node.getNodeID());
        }
    }

    private void gained(SizeDecision decision, KnownSize size) {
        double atLeast = decision.figures().gainAtLeast().orElse(0);
        if (!decision.size().fitsIn(size.configured()) && atLeast > 0) {
            gainSeconds += atLeast * INTERVAL.toSeconds();
        }
    }

    /** Returns why {@code decision} is not to be followed. */
    private Optional<StandsBack> standsBack(SchedulerNode node, KnownSize size, SizeDecision decision, Mode mode) {
        if (mode == Mode.SHADOW) {
            return Optional.of(StandsBack.SHADOW);
        }
        if (node.isOvercommitTimeOutSet()) {
            return Optional.of(StandsBack.OVERCOMMIT_TIMEOUT);
        }
        if (decision.size().equals(size.configured())) {
            return Optional.empty();
        }
        wantsToGrow.add(node.getNodeID());
        if (node.getReservedContainer() != null) {
            return Optional.of(StandsBack.RESERVED);
        }
        return sizes.isKept(node.getNodeID(), size) ? Optional.empty() : Optional.of(StandsBack.NOT_KEPT);
    }

    private void follow(
            SchedulerNode node,
            KnownSize size,
            Size usable,
            SizeDecision decision,
            Optional<StandsBack> standsBack,
            Instant now) {
        if (standsBack.isEmpty()) {
            boolean isThere = decision.size().equals(usable);
            if (!isThere || !size.asked().isEmpty()) {
                // Also where it came to that by itself, as by a NodeManager that was restarted: nothing else is asked
                // for.
                sizes.asks(node.getRMNode(), decision.size(), now);
            }
            if (!isThere) {
                resizing.set(node.getRMNode(), decision.size());
            }
        } else if (standsBack.equals(Optional.of(StandsBack.OVERCOMMIT_TIMEOUT))
                && !size.asked().isEmpty()) {
            restored(node.getRMNode(), size, now);
        }
        for (SizeDecision.Eviction eviction : decision.evictions()) {
            if (resizing.evict(eviction.container())) {
                governor.evicted(eviction);
            }
        }
    }

    private static CapacityReport.Node report(
            SchedulerNode node,
            KnownSize size,
            Size usable,
            Optional<SizeDecision> decision,
            Optional<StandsBack> standsBack) {
        return new CapacityReport.Node(
                node.getNodeID().toString(),
                size.configured(),
                usable,
                Sizes.of(node.getAllocatedResource()),
                decision,
                standsBack);
    }
}
