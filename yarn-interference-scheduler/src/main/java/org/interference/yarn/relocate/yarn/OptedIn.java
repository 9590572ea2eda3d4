package org.interference.yarn.relocate.yarn;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.place.FreeNodes;
import org.interference.yarn.place.Matching;
import org.interference.yarn.place.Request;
import org.interference.yarn.place.yarn.YarnPlacement;
import org.interference.yarn.place.yarn.YarnTasks;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.relocate.Candidate;
import org.interference.yarn.relocate.RelocationSettings;
import org.interference.yarn.signal.Capacities;
import org.interference.yarn.signal.ContainerReport;

/** Finds the running containers that are opted in, and puts together what is known of each. Not thread-safe. */
final class OptedIn {
    /** An application's tag by which its owner says that its tasks start again. */
    private static final String TAG = "ifc-restartable";
    /** Frameworks whose masters start a task again that was preempted, and count no failure. */
    private static final Set<String> RESTARTABLE = Set.of("MAPREDUCE", "TEZ");
    /** Of more, the rest of the applications has to wait until there are fewer: each costs a prediction for a hundred nodes. */
    private static final int MOST = 1000;
    /** Nodes with room that are looked at for one container, each from another on: all of them for all would take the one background thread for seconds. */
    private static final int MOST_TARGETS = 100;

    private final RMContext rmContext;
    private final Ingest ingest;
    private final YarnPlacement placement;
    private final FreeNodes freeNodes;
    private final ProfileRepository profiles;
    private final Function<RMContainer, Optional<Request>> asked;
    private final LongFunction<Instant> began;
    private final Predicate<String> hasQueue;

    /**
     * @param asked as what a container was asked for; empty if its application is gone
     * @param began when something began, by the time that is an argument here, that YARN says began so many ms after 1970
     * @param hasQueue whether the scheduler has a queue, by its full path
     */
    OptedIn(
            RMContext rmContext,
            Ingest ingest,
            YarnPlacement placement,
            ProfileRepository profiles,
            Function<RMContainer, Optional<Request>> asked,
            LongFunction<Instant> began,
            Predicate<String> hasQueue) {
        this.rmContext = rmContext;
        this.ingest = ingest;
        this.placement = placement;
        this.freeNodes = placement.stage().freeNodes();
        this.profiles = profiles;
        this.asked = asked;
        this.began = began;
        this.hasQueue = hasQueue;
    }

    /** Returns all of them, by the ids of their applications. */
    List<Candidate> find(RelocationSettings settings, Instant now) {
        AbstractYarnScheduler<?, ?> scheduler = (AbstractYarnScheduler<?, ?>) rmContext.getScheduler();
        // While anybody waits no room is for who has a place already.
        boolean isAnyRoom = placement.waiting(request -> true).isEmpty();
        List<SchedulerNode> nodes = scheduler.getNodeTracker().getAllNodes().stream()
                .filter(node -> isAnyRoom
                        && node.getRMNode().getState() == NodeState.RUNNING
                        && node.getReservedContainer() == null
                        && node.getUnallocatedResource().getMemorySize() > 0)
                .<SchedulerNode>map(node -> node)
                .sorted(Comparator.comparing(SchedulerNode::getNodeID))
                .toList();
        List<Candidate> found = new ArrayList<>();
        scheduler.getSchedulerApplications().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry ->
                        add(entry.getKey(), entry.getValue().getCurrentAppAttempt(), settings, nodes, found, now));
        return found;
    }

    private void add(
            ApplicationId id,
            SchedulerApplicationAttempt attempt,
            RelocationSettings settings,
            List<SchedulerNode> nodes,
            List<Candidate> found,
            Instant now) {
        RMApp app = rmContext.getRMApps().get(id);
        if (app == null || attempt == null) {
            return;
        }
        String queue = YarnTasks.path(attempt.getQueue());
        boolean tagged =
                app.getApplicationTags() != null && app.getApplicationTags().contains(TAG);
        if (!tagged && !settings.queues().of(queue, false)) {
            return;
        }
        boolean restartable = tagged
                || (app.getApplicationType() != null
                        && RESTARTABLE.contains(app.getApplicationType().toUpperCase(Locale.ROOT)));
        Optional<String> known = Optional.of(queue).filter(hasQueue);
        for (RMContainer container : attempt.getLiveContainers()) {
            // Of an opportunistic one no scheduler hears when it ends.
            if (found.size() < MOST
                    && container.getState() == RMContainerState.RUNNING
                    && container.getExecutionType() != ExecutionType.OPPORTUNISTIC) {
                asked.apply(container)
                        .ifPresent(request -> found.add(candidate(container, request, known, restartable, nodes, now)));
            }
        }
    }

    private Candidate candidate(
            RMContainer container,
            Request request,
            Optional<String> queue,
            boolean restartable,
            List<SchedulerNode> nodes,
            Instant now) {
        String node = container.getAllocatedNode().toString();
        boolean master = container.isAMContainer();
        // Of what stays anyway nothing is predicted.
        Optional<Matching.Contender> contender =
                master || !restartable || queue.isEmpty() ? Optional.empty() : freeNodes.contender(request, now);
        return new Candidate(
                container.getContainerId().toString(),
                request.application(),
                queue,
                request.task().stage().orElse(request.application()),
                node,
                master,
                restartable,
                ran(container, node, now),
                kind(request.task(), node),
                contender.flatMap(who -> staying(who, container, node, now)),
                contender.flatMap(who -> target(who, container, nodes, now)));
    }

    /** The longer of what YARN and its node say: their clocks differ, and a node that has started anew forgets. */
    private Duration ran(RMContainer container, String node, Instant now) {
        String id = container.getContainerId().toString();
        Duration told = ingest.newest(node).stream()
                .flatMap(sample -> sample.own().stream())
                .filter(report -> report.container().equals(id))
                .map(ContainerReport::observed)
                .findFirst()
                .orElse(Duration.ZERO);
        Duration since = Duration.between(began.apply(container.getCreationTime()), now);
        return since.compareTo(told) > 0 ? since : told;
    }

    private Optional<Candidate.Staying> staying(
            Matching.Contender who, RMContainer container, String node, Instant now) {
        return freeNodes
                .effectOf(who, container.getContainerId().toString(), node, now)
                .map(effect -> new Candidate.Staying(
                        effect.gain(),
                        effect.slowdown(),
                        effect.harm(),
                        effect.margin().orElse(Double.POSITIVE_INFINITY),
                        company(container, now)));
    }

    private OptionalDouble company(RMContainer container, Instant now) {
        SchedulerNode node =
                ((AbstractYarnScheduler<?, ?>) rmContext.getScheduler()).getSchedulerNode(container.getAllocatedNode());
        return node == null
                ? OptionalDouble.empty()
                : node.getCopiedListOfRunningContainers().stream()
                        .filter(other -> !other.isAMContainer()
                                && !other.getContainerId().equals(container.getContainerId()))
                        .flatMapToDouble(other -> remaining(other, now).stream())
                        .average();
    }

    private OptionalDouble remaining(RMContainer container, Instant now) {
        double ran =
                ran(container, container.getAllocatedNode().toString(), now).toMillis() / 1000.0;
        return asked.apply(container)
                .flatMap(request -> profile(request.task()))
                .map(profile -> profile.runTimeSeconds().mean())
                .filter(mean -> mean > 0)
                .map(mean -> OptionalDouble.of(Math.max(0, mean - ran)))
                .orElse(OptionalDouble.empty());
    }

    private Optional<Candidate.Target> target(
            Matching.Contender who, RMContainer container, List<SchedulerNode> nodes, Instant now) {
        SchedulerNode own =
                ((AbstractYarnScheduler<?, ?>) rmContext.getScheduler()).getSchedulerNode(container.getAllocatedNode());
        if (own == null || nodes.isEmpty() || own.getRMNode().getState() != NodeState.RUNNING) {
            return Optional.empty();
        }
        int first = Math.floorMod(container.getContainerId().hashCode(), nodes.size());
        return Stream.concat(nodes.subList(first, nodes.size()).stream(), nodes.subList(0, first).stream())
                .filter(node -> hasRoom(node, own, container))
                .limit(MOST_TARGETS)
                .flatMap(node -> freeNodes.effectOf(who, node.getNodeID().toString(), now).stream()
                        .map(effect -> new Candidate.Target(node.getNodeID().toString(), effect.gain(), effect.harm())))
                .max(Comparator.comparingDouble(
                        (Candidate.Target target) -> target.gain().atLeast()));
    }

    private static boolean hasRoom(SchedulerNode node, SchedulerNode own, RMContainer container) {
        return !node.getNodeID().equals(own.getNodeID())
                && node.getPartition().equals(own.getPartition())
                && Resources.fitsIn(container.getAllocatedResource(), node.getUnallocatedResource());
    }

    private Optional<Candidate.Kind> kind(TaskIdentity task, String node) {
        return profile(task)
                .map(profile -> new Candidate.Kind(
                        profile.key().text(), profile.samples(), runSeconds(profile), isAlike(profile, node)));
    }

    /** A profile that many kinds share says nothing of how long one of them runs. */
    private Optional<TaskProfile> profile(TaskIdentity task) {
        return profiles.find(task).filter(profile -> !profile.key().level().isCoarse());
    }

    private static double runSeconds(TaskProfile profile) {
        Averages alone = profile.runTimes().alone();
        return alone.count() > 0 ? alone.mean() : profile.runTimeSeconds().mean();
    }

    /** Where either machine is not told, levels are those of the reference node, and nothing speaks against them. */
    private boolean isAlike(TaskProfile profile, String node) {
        double learnt = profile.footprint().machineBytes();
        double here = ingest.newest(node)
                .map(NodeSample::capacities)
                .map(Capacities::memoryBytes)
                .orElse(Double.NaN);
        return !(learnt > 0) || Double.isNaN(here) || Capacities.areAlike(learnt, here);
    }
}
