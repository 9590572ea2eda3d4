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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
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

/** Puts together what is known of one node. Not thread-safe, but for {@link #byGrowth}. */
final class NodeStates {
    private static final double BYTES_PER_MB = 1 << 20;

    private final Ingest ingest;
    private final Placement placement;
    private final ProfileRepository profiles;
    private final Function<RMContainer, Optional<Request>> asked;
    /** Containers that were asked about: to make that takes longer than all else. YARN has one object for each. */
    private IdentityHashMap<RMContainer, Known> known = new IdentityHashMap<>();

    private IdentityHashMap<RMContainer, Known> knownThisTime = new IdentityHashMap<>();
    /** Of few kinds of task there are containers on every node. */
    private final Map<TaskIdentity, Kind> kinds = new HashMap<>();

    /** Who was found to be there by growth the last time: whoever of others goes leaves room that is configured, and is not theirs. */
    private final Map<NodeId, List<RMContainer>> byGrowth = new ConcurrentHashMap<>();

    private long time;

    /** @param request as what it was asked for, of which kind; empty if its application is gone */
    private record Known(String id, Optional<Request> request, Optional<Kind> kind) {}

    /** A kind of task, and what is known of it at one time. */
    private static final class Kind {
        private final TaskIdentity task;
        private Optional<TaskProfile> profile = Optional.empty();
        private long lookedUp = -1;

        private Kind(TaskIdentity task) {
            this.task = task;
        }
    }

    /** @param asked as what a container was asked for; empty if its application is gone */
    NodeStates(
            Ingest ingest,
            Placement placement,
            ProfileRepository profiles,
            Function<RMContainer, Optional<Request>> asked) {
        this.ingest = ingest;
        this.placement = placement;
        this.profiles = profiles;
        this.asked = asked;
    }

    /** Begins with all nodes anew: what nobody has asked about since the last time is forgotten. */
    void again() {
        known = knownThisTime;
        // As many as the last time, mostly.
        knownThisTime = new IdentityHashMap<>(known.size());
        time++;
        kinds.values().removeIf(kind -> kind.lookedUp < time - 1);
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
                waiting(node, waiting, countsCores, memory, now),
                pressure(sample, memory),
                sample.map(newest -> age(newest, now)));
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
        List<RMContainer> inOrder = new ArrayList<>(node.getCopiedListOfRunningContainers());
        inOrder.sort(Comparator.comparingLong(RMContainer::getCreationTime).thenComparing(RMContainer::getContainerId));
        List<RunningContainer> running = new ArrayList<>(inOrder.size());
        List<RMContainer> were =
                size.asked().isEmpty() ? List.of() : byGrowth.getOrDefault(node.getNodeID(), List.of());
        List<RMContainer> are = new ArrayList<>();
        Size byRight = Size.ZERO;
        for (RMContainer container : inOrder) {
            Size requested = counted(Sizes.of(container.getAllocatedResource()), countsCores);
            boolean isByGrowth = isSinceGrowth(container, size)
                    && (were.contains(container) || size.configured().holdsOnlyGrown(byRight, requested));
            if (isByGrowth) {
                are.add(container);
            } else {
                byRight = byRight.plus(requested);
            }
            running.add(running(container, requested, isByGrowth, used, memory));
        }
        if (are.isEmpty()) {
            byGrowth.remove(node.getNodeID());
        } else {
            byGrowth.put(node.getNodeID(), List.copyOf(are));
        }
        return running;
    }

    /** Returns what those have together that were on {@code node} by growth the last time, and still are. Thread-safe. */
    Size byGrowth(NodeId node) {
        Size sum = Size.ZERO;
        for (RMContainer container : byGrowth.getOrDefault(node, List.of())) {
            if (container.getFinishTime() == 0) {
                sum = sum.plus(Sizes.of(container.getAllocatedResource()));
            }
        }
        return sum;
    }

    /** Forgets who is on a node by growth: it left the cluster, or has its configured size for good. */
    void forget(NodeId node) {
        byGrowth.remove(node);
    }

    /** Whoever was there before the node was grown is there by right, whatever an administrator has made of the node since. */
    private static boolean isSinceGrowth(RMContainer container, KnownSize size) {
        return size.grownSince()
                .filter(since -> container.getCreationTime() >= since.toEpochMilli())
                .isPresent();
    }

    private RunningContainer running(
            RMContainer container, Size requested, boolean byGrowth, Map<String, Double> used, Memory memory) {
        Known task = known(container);
        knownThisTime.put(container, task);
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
                Instant.ofEpochMilli(container.getCreationTime()));
    }

    private Known known(RMContainer container) {
        Known before = known.get(container);
        if (before != null && before.request().isPresent()) {
            return before;
        }
        Optional<Request> request = asked.apply(container);
        return new Known(
                container.getContainerId().toString(),
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
            SchedulerNode node, List<WantedKind> waiting, boolean countsCores, Memory memory, Instant now) {
        List<WantedKind> here = waiting.stream()
                .filter(kind -> kind.partition().equals(node.getPartition()))
                // YARN's default calculator counts memory alone.
                .filter(kind -> !countsCores || Sizes.hasOthers(node.getUnallocatedResource(), kind.size()))
                .toList();
        List<Matching.Contender> contenders =
                here.stream().flatMap(kind -> kind.contender().stream()).toList();
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
            kinds.add(new WaitingKind(
                    kind.request().task().keys().get(0).text(),
                    counted(Sizes.of(kind.size()), countsCores),
                    kind.contender().isPresent() && gains.hasNext() ? gains.next() : Offer.Bid.UNKNOWN,
                    memory(kind(kind.request().task()), memory)));
        }
        return kinds;
    }

    private static Size counted(Size size, boolean countsCores) {
        return countsCores ? size : new Size(size.memoryMb(), 0);
    }

    // What is measured

    private Kind kind(TaskIdentity task) {
        return kinds.computeIfAbsent(task, Kind::new);
    }

    private Optional<KindMemory> memory(Kind kind, Memory memory) {
        if (!memory.isTold()) {
            return Optional.empty();
        }
        if (kind.lookedUp != time) {
            kind.profile = profiles.find(kind.task);
            kind.lookedUp = time;
        }
        return kind.profile.flatMap(profile -> KindMemory.of(profile, memory.profileMb()));
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
