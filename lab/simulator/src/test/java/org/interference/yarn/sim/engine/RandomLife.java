package org.interference.yarn.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.event.RMAppAttemptRegistrationEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.util.Records;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.HeartbeatCodec;

/**
 * A random, seeded life of a cluster in virtual time: a real ResourceManager, applications of three queues that ask for containers of
 * several kinds and sizes, up to a whole node, and give them back. Everything happens on the caller's thread, so a seed gives
 * one sequence of events. Whatever the scheduler is, no node may ever hold more than it has.
 */
final class RandomLife implements AutoCloseable {
    static final int PRIORITIES = 4;
    private static final int QUEUES = 3;
    private static final String TAG = "any-task";
    private static final int SLOT = ResourceManagerDriver.SLOT_MEGABYTES;

    private final Random random;
    private final AbstractYarnScheduler<?, ?> scheduler;
    private final HandDrivenResourceManager daemon;
    private final VirtualClock clock;
    private final Visit visit;
    private final List<NodeId> nodes = new ArrayList<>();
    private final List<Application> applications = new ArrayList<>();
    private final List<String> placements = new ArrayList<>();
    private long sequence;

    /** Lets the scheduler decide about one node. */
    @FunctionalInterface
    interface Visit {
        void of(AbstractYarnScheduler<?, ?> scheduler, RMNode node);
    }

    /** @param held containers that it has got and not given back */
    private record Application(ApplicationAttemptId attempt, String queue, Map<ContainerId, Container> held) {}

    /** @param clock that the scheduler was made with */
    RandomLife(
            long seed, AbstractYarnScheduler<?, ?> scheduler, Configuration settings, VirtualClock clock, Visit visit) {
        this.random = new Random(seed);
        this.scheduler = scheduler;
        this.clock = clock;
        this.visit = visit;
        HandDrivenResourceManager.fixIdentities();
        scheduler.setClock(clock);
        this.daemon = new HandDrivenResourceManager(new SchedulerConfiguration(settings, scheduler));
        daemon.start();
        daemon.drainEvents();
        int size = 4 + random.nextInt(8);
        for (int i = 0; i < 3 + random.nextInt(5); i++) {
            register(ResourceManagerDriver.nodeId(i), size);
        }
        for (int i = 0; i < 2 + random.nextInt(4); i++) {
            submit(ResourceManagerDriver.attempt(i), "abc".substring(i % QUEUES, i % QUEUES + 1));
        }
    }

    /** Returns the keys of all that is asked for. */
    static List<String> tasks() {
        List<String> tasks = new ArrayList<>();
        for (int priority = 0; priority < PRIORITIES + 3; priority++) {
            tasks.add("ifc:" + System.getProperty("user.name") + "/" + TAG + "/priority-" + priority);
        }
        return tasks;
    }

    /** Lives for {@code seconds}; at most {@code containers} are asked for at once. */
    RandomLife live(int seconds, int containers) {
        for (int second = 0; second < seconds; second++) {
            Application who = applications.get(random.nextInt(applications.size()));
            List<ContainerId> released = new ArrayList<>();
            for (ContainerId container : List.copyOf(who.held().keySet())) {
                if (random.nextInt(3) == 0) {
                    released.add(container);
                }
            }
            // YARN expects that what is asked at one priority has one size.
            int priority = random.nextInt(PRIORITIES);
            ask(who, 1 + random.nextInt(containers), 1 + priority % 3, priority, released);
            second();
        }
        return this;
    }

    /** Lets everybody ask for more than there is, in containers of one slot, for {@code seconds}. */
    RandomLife saturate(int seconds) {
        for (int i = 0; i < applications.size(); i++) {
            ask(applications.get(i), 500, 1, PRIORITIES + 1 + i % 2, List.of());
        }
        for (int second = 0; second < seconds; second++) {
            for (Application application : applications) {
                List<ContainerId> released = new ArrayList<>();
                for (ContainerId container : List.copyOf(application.held().keySet())) {
                    if (random.nextInt(10) == 0) {
                        released.add(container);
                    }
                }
                allocate(application, List.of(), released);
            }
            second();
        }
        return this;
    }

    /** Lets the first application refuse the first node from now on. */
    RandomLife refuseANode() {
        scheduler.allocate(
                applications.get(0).attempt(),
                List.of(),
                List.of(),
                List.of(),
                List.of(node(nodes.get(0)).getNodeName()),
                List.of(),
                new ContainerUpdates());
        return this;
    }

    /** Returns how many containers the first application was given on the first node. */
    long takenThoughRefused() {
        String name = applications.get(0).attempt().getApplicationId().toString();
        return placements.stream()
                .filter(placement -> placement.startsWith(name) && placement.endsWith("-> " + nodes.get(0)))
                .count();
    }

    /** Returns the applications that share a queue with an earlier one. */
    List<String> latecomers() {
        return applications.stream()
                .skip(QUEUES)
                .map(application -> application.attempt().getApplicationId().toString())
                .toList();
    }

    /** Asks for one container of all that the smallest node has. */
    RandomLife askForAWholeNode() {
        long megabytes = nodes.stream()
                .mapToLong(node -> node(node).getTotalResource().getMemorySize())
                .min()
                .orElseThrow();
        ask(applications.get(0), 1, (int) (megabytes / SLOT), PRIORITIES, List.of());
        return this;
    }

    /**
     * Lets every container end a second after it began, and nobody ask for more, until nobody waits.
     *
     * @return how many seconds that took
     */
    int drain() {
        for (int seconds = 1; seconds <= 600; seconds++) {
            for (Application application : applications) {
                allocate(application, List.of(), List.copyOf(application.held().keySet()));
            }
            if (applications.stream().noneMatch(this::waits)) {
                return seconds;
            }
            second();
        }
        throw new AssertionError("after ten minutes there are still asks: " + placements);
    }

    /** Returns where each container went, in order. */
    List<String> placements() {
        return List.copyOf(placements);
    }

    /** Returns what the queues hold, in megabytes. */
    Map<String, Long> heldByQueue() {
        Map<String, Long> held = new TreeMap<>();
        for (Application application : applications) {
            long megabytes = application.held().values().stream()
                    .mapToLong(container -> container.getResource().getMemorySize())
                    .sum();
            held.merge(application.queue(), megabytes, Long::sum);
        }
        return held;
    }

    AbstractYarnScheduler<?, ?> scheduler() {
        return scheduler;
    }

    @Override
    public void close() {
        daemon.stop();
    }

    private void second() {
        clock.set(clock.seconds() + 1);
        if (scheduler instanceof RestHost host && host.restSources().isPresent()) {
            report(host);
        }
        if (scheduler instanceof FairScheduler fair) {
            // Not by a thread of its own: its clock would be this machine's.
            fair.update();
        }
        List<NodeId> inTurn = new ArrayList<>(nodes);
        Collections.shuffle(inTurn, random);
        for (NodeId node : inTurn) {
            visit.of(scheduler, daemon.getRMContext().getRMNodes().get(node));
            daemon.drainEvents();
            Resource left = node(node).getUnallocatedResource();
            assertThat(Resources.fitsIn(Resources.none(), left))
                    .as("%s has %s left", node, left)
                    .isTrue();
        }
        for (Application application : applications) {
            allocate(application, List.of(), List.of());
        }
    }

    private SchedulerNode node(NodeId id) {
        return scheduler.getSchedulerNode(id);
    }

    /** Gives every node a fresh sample of what runs there. */
    private void report(RestHost host) {
        sequence++;
        Map<NodeId, List<ContainerReport>> reports = new HashMap<>();
        for (Application application : applications) {
            application.held().forEach((id, container) -> {
                double level = container.getPriority().getPriority() % 2 == 0 ? 0.9 : 0.1;
                reports.computeIfAbsent(container.getNodeId(), node -> new ArrayList<>())
                        .add(new ContainerReport(
                                id.toString(),
                                Duration.ofSeconds(sequence),
                                false,
                                Map.of(Signal.CPU, new Reading.Measured(level, level, level, false, "injected"))));
            });
        }
        for (NodeId node : nodes) {
            NodeReport report = new NodeReport(1, sequence, clock.instant(), reports.getOrDefault(node, List.of()));
            host.restSources()
                    .orElseThrow()
                    .ingest()
                    .accept(node.toString(), HeartbeatCodec.encode(report), clock.instant());
        }
    }

    private boolean waits(Application application) {
        SchedulerApplicationAttempt attempt = scheduler.getApplicationAttempt(application.attempt());
        return attempt.getSchedulerKeys().stream().anyMatch(key -> attempt.getOutstandingAsksCount(key) > 0);
    }

    private void ask(Application who, int containers, int slots, int priority, List<ContainerId> released) {
        ResourceRequest ask = ResourceRequest.newInstance(
                Priority.newInstance(priority), ResourceRequest.ANY, Resource.newInstance(slots * SLOT, 1), containers);
        allocate(who, List.of(ask), released);
    }

    private void allocate(Application who, List<ResourceRequest> asks, List<ContainerId> released) {
        released.forEach(who.held()::remove);
        List<Container> got = scheduler
                .allocate(who.attempt(), asks, List.of(), released, List.of(), List.of(), new ContainerUpdates())
                .getContainers();
        daemon.drainEvents();
        for (Container container : got) {
            who.held().put(container.getId(), container);
            placements.add("%s: %d -> %s"
                    .formatted(
                            who.attempt().getApplicationId(),
                            container.getId().getContainerId(),
                            container.getNodeId()));
        }
    }

    private void register(NodeId node, int slots) {
        try {
            Resource capacity = Resource.newInstance(SLOT * slots, 4 * slots);
            daemon.getResourceTrackerService()
                    .registerNodeManager(RegisterNodeManagerRequest.newInstance(
                            node, 2, capacity, "3.5.0", List.of(), List.of(), Set.of(), capacity));
            daemon.drainEvents();
            nodes.add(node);
        } catch (YarnException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void submit(ApplicationAttemptId attempt, String queue) {
        ApplicationSubmissionContext submission = Records.newRecord(ApplicationSubmissionContext.class);
        submission.setApplicationId(attempt.getApplicationId());
        submission.setApplicationName(TAG);
        submission.setApplicationType(ResourceManagerDriver.APPLICATION_TYPE);
        submission.setApplicationTags(Set.of("ifc:" + TAG));
        submission.setUnmanagedAM(true);
        submission.setQueue("root." + queue);
        submission.setPriority(Priority.newInstance(0));
        submission.setAMContainerSpec(
                ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(), null, null, null));
        submission.setResource(Resource.newInstance(SLOT, 1));
        try {
            daemon.getClientRMService().submitApplication(SubmitApplicationRequest.newInstance(submission));
        } catch (YarnException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon.drainEvents();
        daemon.dispatcher().getEventHandler().handle(new RMAppAttemptRegistrationEvent(attempt, "localhost", 0, ""));
        daemon.drainEvents();
        applications.add(new Application(attempt, queue, new LinkedHashMap<>()));
    }
}
