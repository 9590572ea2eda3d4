package org.interference.yarn.benchmarks.sls;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.sls.SLSRunner;
import org.apache.hadoop.yarn.sls.scheduler.SLSSchedulerCommons;
import org.apache.hadoop.yarn.sls.scheduler.SchedulerMetrics;
import org.apache.hadoop.yarn.sls.scheduler.SchedulerWrapper;
import org.apache.hadoop.yarn.sls.scheduler.Tracker;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.HeartbeatCodec;

/**
 * Our scheduler as the Scheduler Load Simulator wants one: with its clocks. The simulator's nodes have no counters, so every
 * heartbeat brings made-up ones, before any clock runs. Made by YARN, by reflection.
 */
public final class SimulatedLoadScheduler extends InterferenceAwareScheduler implements SchedulerWrapper {
    private static volatile Optional<SimulatedLoadScheduler> newest = Optional.empty();

    private final SLSSchedulerCommons clocks = new SLSSchedulerCommons(this);
    /** Only on the thread that handles the scheduler's events. */
    private final Map<NodeId, Long> reports = new HashMap<>();

    private volatile SLSRunner runner;

    @Override
    public void setConf(Configuration conf) {
        super.setConf(conf);
        // As which of the simulator's schedulers it is measured.
        clocks.initMetrics(CapacityScheduler.class, conf);
        newest = Optional.of(this);
    }

    /** Returns the scheduler of this process's ResourceManager; there is no other way to it. */
    static SimulatedLoadScheduler newest() {
        return newest.orElseThrow();
    }

    RMContext context() {
        return rmContext;
    }

    @Override
    public Allocation allocate(
            ApplicationAttemptId attempt,
            List<ResourceRequest> asks,
            List<SchedulingRequest> schedulingRequests,
            List<ContainerId> released,
            List<String> blacklistAdditions,
            List<String> blacklistRemovals,
            ContainerUpdates updates) {
        return clocks.allocate(
                attempt, asks, schedulingRequests, released, blacklistAdditions, blacklistRemovals, updates);
    }

    @Override
    public Allocation allocatePropagated(
            ApplicationAttemptId attempt,
            List<ResourceRequest> asks,
            List<SchedulingRequest> schedulingRequests,
            List<ContainerId> released,
            List<String> blacklistAdditions,
            List<String> blacklistRemovals,
            ContainerUpdates updates) {
        return super.allocate(
                attempt, asks, schedulingRequests, released, blacklistAdditions, blacklistRemovals, updates);
    }

    @Override
    public void handle(SchedulerEvent event) {
        if (event instanceof NodeUpdateSchedulerEvent update) {
            report(update.getRMNode().getNodeID());
        }
        clocks.handle(event);
    }

    @Override
    public void propagatedHandle(SchedulerEvent event) {
        super.handle(event);
    }

    private void report(NodeId id) {
        SchedulerNode node = getNode(id);
        if (node == null || restSources().isEmpty()) {
            return;
        }
        long sequence = reports.merge(id, 1L, Long::sum);
        Instant now = Instant.now();
        List<ContainerReport> containers = new ArrayList<>();
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            int priority = container.getAllocatedSchedulerKey().getPriority().getPriority();
            double level = priority % 7 / 10.0;
            containers.add(new ContainerReport(
                    container.getContainerId().toString(),
                    Duration.ofMillis(Math.max(0, now.toEpochMilli() - container.getCreationTime())),
                    false,
                    Map.of(Signal.CPU, new Reading.Measured(level, level, level, false, "made up"))));
        }
        restSources()
                .get()
                .ingest()
                .accept(id.toString(), HeartbeatCodec.encode(new NodeReport(1, sequence, now, containers)), now);
    }

    @Override
    public String getRealQueueName(String name) throws YarnException {
        CSQueue queue = getQueue(name);
        if (queue == null) {
            throw new YarnException("there is no queue " + name);
        }
        return queue.getQueuePath();
    }

    @Override
    public SchedulerMetrics getSchedulerMetrics() {
        return clocks.getSchedulerMetrics();
    }

    @Override
    public Tracker getTracker() {
        return clocks.getTracker();
    }

    @Override
    public void setSLSRunner(SLSRunner newRunner) {
        runner = newRunner;
    }

    @Override
    public SLSRunner getSLSRunner() {
        return runner;
    }
}
