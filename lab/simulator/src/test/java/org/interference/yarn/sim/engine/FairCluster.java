package org.interference.yarn.sim.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.event.RMAppAttemptRegistrationEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.util.Records;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.HeartbeatCodec;

/**
 * A FairScheduler in a real ResourceManager, whose nodes and applications do what a test says, in virtual time and on the caller's
 * thread. ApplicationMasters run elsewhere.
 */
final class FairCluster implements AutoCloseable {
    private final FairScheduler scheduler;
    private final VirtualClock clock;
    private final HandDrivenResourceManager daemon;
    private final List<NodeId> nodes = new ArrayList<>();
    private int applications;
    private long sequence;

    /**
     * @param clock that the scheduler was made with
     * @param allocations an allocation file's queues
     */
    FairCluster(FairScheduler scheduler, VirtualClock clock, Path directory, String allocations, Configuration settings)
            throws IOException {
        this.scheduler = scheduler;
        this.clock = clock;
        Path file = Files.writeString(
                Files.createTempFile(directory, "allocations", ".xml"),
                "<allocations>" + allocations + "</allocations>");
        Configuration conf = new Configuration(settings);
        conf.set("yarn.scheduler.fair.allocation.file", file.toString());
        HandDrivenResourceManager.fixIdentities();
        scheduler.setClock(clock);
        this.daemon = new HandDrivenResourceManager(new SchedulerConfiguration(conf, scheduler));
        daemon.start();
        daemon.drainEvents();
    }

    NodeId register(int megabytes, int cores) throws IOException, YarnException {
        NodeId node = ResourceManagerDriver.nodeId(nodes.size());
        Resource capacity = Resource.newInstance(megabytes, cores);
        daemon.getResourceTrackerService()
                .registerNodeManager(RegisterNodeManagerRequest.newInstance(
                        node, 2, capacity, "3.5.0", List.of(), List.of(), Set.of(), capacity));
        daemon.drainEvents();
        nodes.add(node);
        return node;
    }

    /** Submits an application a millisecond after the last one. */
    FSAppAttempt submit(String queue, String kind) {
        return submit(queue, kind, Map.of());
    }

    /** @param properties by which YARN is to schedule it */
    FSAppAttempt submit(String queue, String kind, Map<String, String> properties) {
        clock.set(clock.seconds() + 0.001);
        var attempt = ResourceManagerDriver.attempt(applications);
        applications++;
        ApplicationSubmissionContext submission = Records.newRecord(ApplicationSubmissionContext.class);
        submission.setApplicationId(attempt.getApplicationId());
        submission.setApplicationName(kind);
        submission.setApplicationType(ResourceManagerDriver.APPLICATION_TYPE);
        submission.setApplicationTags(Set.of("ifc:" + kind));
        submission.setUnmanagedAM(true);
        submission.setQueue(queue);
        submission.setApplicationSchedulingPropertiesMap(properties);
        submission.setPriority(Priority.newInstance(0));
        submission.setAMContainerSpec(
                ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(), null, null, null));
        submission.setResource(Resource.newInstance(ResourceManagerDriver.SLOT_MEGABYTES, 1));
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
        return scheduler.getSchedulerApp(attempt);
    }

    /** Asks for containers anywhere. */
    void ask(FSAppAttempt application, int priority, Resource container, int containers) {
        ask(
                application,
                List.of(ResourceRequest.newInstance(
                        Priority.newInstance(priority), ResourceRequest.ANY, container, containers)));
    }

    void ask(FSAppAttempt application, List<ResourceRequest> asks) {
        allocate(application, asks, List.of());
        scheduler.update();
    }

    void release(FSAppAttempt application, List<ContainerId> containers) {
        allocate(application, List.of(), containers);
        scheduler.update();
    }

    private void allocate(FSAppAttempt application, List<ResourceRequest> asks, List<ContainerId> released) {
        scheduler.allocate(
                application.getApplicationAttemptId(),
                asks,
                List.of(),
                released,
                List.of(),
                List.of(),
                new ContainerUpdates());
        daemon.drainEvents();
    }

    /** One heartbeat of {@code node}, without a report. */
    void heartbeat(NodeId node) {
        scheduler.handle(
                new NodeUpdateSchedulerEvent(daemon.getRMContext().getRMNodes().get(node)));
        daemon.drainEvents();
    }

    /** Lets nodes report and send heartbeats in turn, a millisecond apart, until {@code containers} run or nobody gets any more. */
    void fill(int containers) {
        long before;
        do {
            before = running();
            for (NodeId node : nodes) {
                clock.set(clock.seconds() + 0.001);
                if (running() < containers) {
                    report(node);
                    heartbeat(node);
                }
            }
        } while (running() > before);
    }

    /**
     * Gives {@code node} a fresh sample: what is asked for at even priorities uses the CPU in full, what at odd ones hardly at all, and on
     * every second node there is somebody else who uses it.
     */
    void report(NodeId node) {
        if (!(scheduler instanceof RestHost host) || host.restSources().isEmpty()) {
            return;
        }
        sequence++;
        List<ContainerReport> reports = new ArrayList<>();
        if (nodes.indexOf(node) % 2 == 0) {
            reports.add(report("a neighbour", 0.9));
        }
        for (RMContainer container : node(node).getCopiedListOfRunningContainers()) {
            boolean harms = container.getContainer().getPriority().getPriority() % 2 == 0;
            reports.add(report(container.getContainerId().toString(), harms ? 0.9 : 0.1));
        }
        host.restSources()
                .orElseThrow()
                .ingest()
                .accept(
                        node.toString(),
                        HeartbeatCodec.encode(new NodeReport(1, sequence, clock.instant(), reports)),
                        clock.instant());
    }

    private ContainerReport report(String container, double level) {
        return new ContainerReport(
                container,
                Duration.ofSeconds(sequence),
                false,
                Map.of(Signal.CPU, new Reading.Measured(level, level, level, false, "injected")));
    }

    FSSchedulerNode node(NodeId node) {
        return scheduler.getSchedulerNode(node);
    }

    int running() {
        return nodes.stream().mapToInt(node -> node(node).getNumContainers()).sum();
    }

    FairScheduler scheduler() {
        return scheduler;
    }

    @Override
    public void close() {
        daemon.stop();
    }
}
