package org.interference.yarn.capacity.yarn;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.interference.yarn.capacity.KindMemory;
import org.interference.yarn.capacity.NodePressure;
import org.interference.yarn.capacity.NodeState;
import org.interference.yarn.capacity.RunningContainer;
import org.interference.yarn.capacity.Size;
import org.interference.yarn.capacity.WaitingKind;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.place.Matching;
import org.interference.yarn.place.Offer;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Request;
import org.interference.yarn.place.yarn.WantedKind;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.Signal;

/** Puts together what is known of one node. Not thread-safe. */
final class NodeStates {
    private static final double BYTES_PER_MB = 1 << 20;

    private final Ingest ingest;
    private final Placement placement;
    private final ProfileRepository profiles;
    private final Function<RMContainer, Optional<Request>> asked;
    private final LongFunction<Instant> began;
    /** Containers that were asked about: to make that takes longer than all else. YARN has one object for each. */
    private IdentityHashMap<RMContainer, Known> known = new IdentityHashMap<>();

    private IdentityHashMap<RMContainer, Known> knownThisTime = new IdentityHashMap<>();
    /** Of few kinds of task there are containers on every node. */
    private final Map<TaskIdentity, Kind> kinds = new HashMap<>();

    private final GrownNodes grown;
    /** Who waits, waits for many a node. */
    private final IdentityHashMap<WantedKind, Wanted> wanted = new IdentityHashMap<>();

    private long time;

    /** What of one that waits is the same on every node. */
    private record Wanted(String name, Size size, Kind kind) {}

    /**
     * @param started worked out when it was first seen: a clock that is set anew later makes it no older
     * @param request as what it was asked for, of which kind; empty if its application is gone
     */
    private record Known(String id, Instant started, Optional<Request> request, Optional<Kind> kind) {}

    /** A kind of task, and what is known of it at one time. */
    private static final class Kind {
        private final TaskIdentity task;
        private Optional<TaskProfile> profile = Optional.empty();
        private Optional<KindMemory> memory = Optional.empty();
        /** As a level of 1 in the profile was when that was worked out, MiB: mostly nodes are alike. */
        private double memoryMb = Double.NaN;

        private long lookedUp = -1;

        private Kind(TaskIdentity task) {
            this.task = task;
        }
    }

    /**
     * @param asked as what a container was asked for; empty if its application is gone
     * @param began when something began, by the time that is an argument here, that YARN says began so many ms after 1970
     * @param grown told who is on nodes that are larger than configured: whoever of others goes leaves room that is configured, and is not theirs
     */
    NodeStates(
            Ingest ingest,
            Placement placement,
            ProfileRepository profiles,
            Function<RMContainer, Optional<Request>> asked,
            LongFunction<Instant> began,
            GrownNodes grown) {
        this.ingest = ingest;
        this.placement = placement;
        this.profiles = profiles;
        this.asked = asked;
        this.began = began;
        this.grown = grown;
    }

    /** Begins with all nodes anew: what nobody has asked about since the last time is forgotten. */
    void again() {
        known = knownThisTime;
        // As many as the last time, mostly.
        knownThisTime = new IdentityHashMap<>(known.size());
        time++;
        wanted.clear();
        kinds.values().removeIf(kind -> kind.lookedUp < time - 1);
    }

    /** Forgets all containers: nobody asks about them for now. */
    void forget() {
        known = new IdentityHashMap<>();
        knownThisTime = new IdentityHashMap<>();
        wanted.clear();
        kinds.clear();
    }

    /**
     * Returns the state of one node.
     *
     * @param size who gave it what
     * @param usable what it is to be taken for
     * @param countsCores whether the scheduler counts cores: YARN's default calculator lets containers have more than there are
     * @param waiting what waits anywhere
     */
    NodeState of(
            SchedulerNode node,
            KnownSize size,
            Size usable,
            boolean countsCores,
            List<WantedKind> waiting,
            Instant now) {
        String name = node.getNodeID().toString();
        Optional<NodeSample> sample = ingest.newest(name);
        Memory memory = Memory.of(sample);
        return new NodeState(
                name,
                size.configured(),
                usable,
                running(node, size, countsCores, sample, memory),
                waiting(node, size, waiting, countsCores, memory, now),
                pressure(sample, memory),
                sample.map(newest -> age(newest, now)),
                grown.owes(node.getNodeID()));
    }

    /** Returns when the NodeManager of a node began, in ms since the epoch by its clock; empty if it has not reported. */
    OptionalLong nodeSince(NodeId node) {
        return ingest.newest(node.toString()).stream()
                .mapToLong(sample -> sample.report().incarnation())
                .findAny();
    }

    private static Duration age(NodeSample sample, Instant now) {
        Duration age = Duration.between(sample.receivedAt(), now);
        return age.isNegative() ? Duration.ZERO : age;
    }

    /**
     * How memory levels are MiB.
     *
     * @param nodeMb by which a level on the node is; NaN if it does not tell
     * @param profileMb by which a level in a profile is
     */
    private record Memory(double nodeMb, double profileMb) {
        private static final Memory UNTOLD = new Memory(Double.NaN, Double.NaN);

        static Memory of(Optional<NodeSample> sample) {
            return sample.map(newest -> {
                        double mb = newest.capacities().memoryBytes() / BYTES_PER_MB;
                        return new Memory(mb, mb * newest.scale().inverse().of(Signal.MEM));
                    })
                    .orElse(UNTOLD);
        }

        boolean isTold() {
            return !Double.isNaN(nodeMb);
        }
    }

    // What runs

    private List<RunningContainer> running(
            SchedulerNode node, KnownSize size, boolean countsCores, Optional<NodeSample> sample, Memory memory) {
        Map<String, Double> used = usedMb(sample, memory);
        List<RMContainer> inOrder = node.getCopiedListOfRunningContainers();
        inOrder.forEach(container -> knownThisTime.put(container, known(container)));
        if (size.grownSince().isPresent()) {
            // Elsewhere all are there by right.
            inOrder = new ArrayList<>(inOrder);
            // Masters are there by right, whoever came before them.
            inOrder.sort(Comparator.comparing(RMContainer::isAMContainer)
                    .reversed()
                    .thenComparing(container -> knownThisTime.get(container).started())
                    .thenComparing(RMContainer::getContainerId));
        }
        List<RunningContainer> running = new ArrayList<>(inOrder.size());
        boolean isOurs = !size.asked().isEmpty();
        IdentityHashMap<RMContainer, RunningContainer> seen = new IdentityHashMap<>();
        Size byRight = Size.ZERO;
        for (RMContainer container : inOrder) {
            Size requested = counted(Sizes.of(container.getAllocatedResource()), countsCores);
            boolean isCounted = container.getExecutionType() != ExecutionType.OPPORTUNISTIC;
            boolean isByGrowth = isCounted
                    && !container.isAMContainer()
                    && isSinceGrowth(knownThisTime.get(container).started(), size)
                    && ((isOurs && grown.isByGrowth(node.getNodeID(), container))
                            || size.configured().holdsOnlyGrown(byRight, requested));
            if (isCounted && !isByGrowth) {
                byRight = byRight.plus(requested);
            }
            RunningContainer known = running(container, requested, isByGrowth, used, memory);
            running.add(known);
            seen.put(container, known);
        }
        grown.saw(node.getNodeID(), seen, request -> memory(profile(request.task()), memory));
        return running;
    }

    /** Whoever was there before the node was grown is there by right, whatever an administrator has made of the node since. */
    private static boolean isSinceGrowth(Instant started, KnownSize size) {
        // YARN counts whole milliseconds.
        return size.grownSince()
                .filter(since -> started.plusMillis(1).isAfter(since))
                .isPresent();
    }

    private RunningContainer running(
            RMContainer container, Size requested, boolean byGrowth, Map<String, Double> used, Memory memory) {
        Known task = knownThisTime.get(container);
        Optional<Request> request = task.request();
        Double usedMb = used.get(task.id());
        return new RunningContainer(
                task.id(),
                requested,
                usedMb == null ? OptionalDouble.empty() : OptionalDouble.of(usedMb),
                task.kind().flatMap(kind -> memory(kind, memory)),
                byGrowth,
                container.isAMContainer(),
                request.map(placement.accounts()::weight).orElse(1.0),
                task.started(),
                container.getExecutionType() == ExecutionType.OPPORTUNISTIC);
    }

    private Known known(RMContainer container) {
        Known before = known.get(container);
        if (before != null && before.request().isPresent()) {
            return before;
        }
        Optional<Request> request = asked.apply(container);
        return new Known(
                container.getContainerId().toString(),
                before == null ? began.apply(container.getCreationTime()) : before.started(),
                request,
                request.map(Request::task).map(this::kind));
    }

    private static Map<String, Double> usedMb(Optional<NodeSample> sample, Memory memory) {
        Map<String, Double> used = new HashMap<>();
        if (memory.isTold()) {
            for (ContainerReport report : sample.map(NodeSample::own).orElse(List.of())) {
                double level = report.level(Signal.MEM);
                if (!report.ended() && !Double.isNaN(level)) {
                    used.put(report.container(), level * memory.nodeMb());
                }
            }
        }
        return used;
    }

    // Who waits

    private List<WaitingKind> waiting(
            SchedulerNode node,
            KnownSize size,
            List<WantedKind> waiting,
            boolean countsCores,
            Memory memory,
            Instant now) {
        List<WantedKind> here = new ArrayList<>(waiting.size());
        List<Matching.Contender> contenders = new ArrayList<>(waiting.size());
        for (WantedKind kind : waiting) {
            // YARN's default calculator counts memory alone. Whoever is larger than what is configured is not placed
            // here.
            if (kind.partition().equals(node.getPartition())
                    && counted(Sizes.of(kind.size()), countsCores).fitsIn(size.configured())
                    && (!countsCores || Sizes.hasOthers(node.getUnallocatedResource(), kind.size()))) {
                here.add(kind);
                kind.contender().ifPresent(contenders::add);
            }
        }
        // In the order of those who are matched.
        Iterator<Offer.Bid> gains = (contenders.isEmpty()
                        ? Optional.<List<Offer.Bid>>empty()
                        : placement
                                .freeNodes()
                                .gains(contenders, node.getNodeID().toString(), now))
                .orElse(List.of())
                .iterator();
        List<WaitingKind> kinds = new ArrayList<>(here.size());
        for (WantedKind kind : here) {
            Wanted known = wanted.computeIfAbsent(kind, this::wanted);
            kinds.add(new WaitingKind(
                    known.name(),
                    counted(known.size(), countsCores),
                    kind.contender().isPresent() && gains.hasNext() ? gains.next() : Offer.Bid.UNKNOWN,
                    memory(known.kind(), memory)));
        }
        return kinds;
    }

    private Wanted wanted(WantedKind kind) {
        TaskIdentity task = kind.request().task();
        return new Wanted(task.keys().get(0).text(), Sizes.of(kind.size()), kind(task));
    }

    private static Size counted(Size size, boolean countsCores) {
        return countsCores ? size : new Size(size.memoryMb(), 0);
    }

    // What is measured

    private Kind kind(TaskIdentity task) {
        return kinds.computeIfAbsent(task, Kind::new);
    }

    private Optional<KindMemory> memory(Kind kind, Memory memory) {
        if (kind.lookedUp != time) {
            kind.profile = profile(kind.task);
            kind.lookedUp = time;
            kind.memoryMb = Double.NaN;
        }
        // Of nothing that is told it is worked out anew: NaN is no number's equal.
        if (kind.memoryMb != memory.profileMb()) {
            kind.memory = memory(kind.profile, memory);
            kind.memoryMb = memory.profileMb();
        }
        return kind.memory;
    }

    /** A profile that many kinds share says nothing of how much memory one of them uses. */
    private Optional<TaskProfile> profile(TaskIdentity task) {
        return profiles.find(task).filter(profile -> !profile.key().level().isCoarse());
    }

    private static Optional<KindMemory> memory(Optional<TaskProfile> profile, Memory memory) {
        return memory.isTold() ? profile.flatMap(known -> KindMemory.of(known, memory.profileMb())) : Optional.empty();
    }

    private static NodePressure pressure(Optional<NodeSample> sample, Memory memory) {
        return sample.map(newest -> {
                    OptionalDouble taken = newest.report().figures().value(NodeMetric.MEMORY);
                    return new NodePressure(
                            told(newest, NodeMetric.PSICPU),
                            told(newest, NodeMetric.PSIIOF),
                            told(newest, NodeMetric.PSIMEM),
                            told(newest, NodeMetric.SPACE),
                            taken.isPresent() && memory.isTold()
                                    ? OptionalDouble.of((1 - taken.getAsDouble()) * memory.nodeMb())
                                    : OptionalDouble.empty());
                })
                .orElse(NodePressure.UNTOLD);
    }

    private static OptionalDouble told(NodeSample sample, NodeMetric metric) {
        return sample.report().figures().value(metric);
    }
}
