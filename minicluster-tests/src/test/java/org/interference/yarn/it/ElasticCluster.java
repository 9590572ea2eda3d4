package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceOption;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeResourceUpdateEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.interference.yarn.capacity.CapacityReport;
import org.interference.yarn.capacity.SizeDecision;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;

/** A ResourceManager with one node that may be given other sizes. */
abstract class ElasticCluster extends TimedCluster {
    static final int NODE_MB = 8 * 1024;
    static final int NODE_CORES = 8;
    static final int TASK_MB = 1024;
    static final int LARGER_MB = NODE_MB + TASK_MB;
    /** The master and these fill a node as it is configured. */
    static final int TASKS = 7;

    static final String MODE = "yarn.interference.capacity.mode";
    static final String LABEL_MODES = "yarn.interference.capacity.label-modes";
    static final String QUEUE_GROWTH = "yarn.interference.capacity.queue-growth";

    MockNM node;

    void start(Class<?> scheduler, String mode) throws Exception {
        start(scheduler, mode, NODE_MB);
    }

    void start(Class<?> scheduler, String mode, int nodeMb) throws Exception {
        Configuration conf = configuration(scheduler, CertainPredictor.class);
        conf.set(MODE, mode);
        // Masters may have all of a queue.
        conf.set(
                "yarn.scheduler.fair.allocation.file",
                Files.writeString(
                                directory.resolve("queues.xml"),
                                "<allocations><queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault></allocations>")
                        .toString());
        node = start(conf, "127.0.0.1:1000", nodeMb, NODE_CORES, profile());
    }

    /** A kind of task that uses a twentieth of a node's memory, and hardly a CPU. */
    private static TaskProfile profile() throws IOException {
        return profile("small/priority-1", 0.05);
    }

    /** A kind of task that uses so much of a node's memory, and hardly a CPU. */
    static TaskProfile profile(String kind, double memory) throws IOException {
        return profile(
                kind, Map.of(Signal.CPU, Averages.constant(10, 0.01), Signal.MEM, Averages.constant(10, memory)), 60);
    }

    RMApp submit(String name) throws Exception {
        return submit(name, TASK_MB, Set.of("ifc:small"));
    }

    /** Starts an application that asks for so many tasks, and fills the node with it. */
    MockAM fill(int tasks) throws Exception {
        MockAM master = MockRM.launchAndRegisterAM(submit("first"), rm, node);
        master.allocate(List.of(master.createResourceReq(ResourceRequest.ANY, TASK_MB, 1, tasks)), List.of());
        rm.drainEvents();
        beat(tasks + 2);
        return master;
    }

    void beat(int times) throws Exception {
        beat(node, times);
    }

    SchedulerNode scheduled() {
        return scheduled(node);
    }

    int running() {
        return scheduled().getNumContainers();
    }

    long usableMb() {
        return scheduled().getTotalResource().getMemorySize();
    }

    CapacityReport.Node told() {
        return plugin().capacity().get().nodes().get(0);
    }

    SizeDecision decision() {
        return told().decision().orElseThrow();
    }

    void administratorSets(int megabytes, int timeout) throws Exception {
        administratorAsksFor(Resource.newInstance(megabytes, NODE_CORES), timeout);
        rm.drainEvents();
    }

    /** YARN is to do it later. */
    void administratorAsksFor(Resource resource, int timeout) {
        rm.getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMNodeResourceUpdateEvent(node.getNodeId(), ResourceOption.newInstance(resource, timeout)));
    }

    /** As an earlier life did of a node. */
    void keep(String name) throws IOException {
        Path models = Files.createDirectories(directory.resolve("store").resolve("models"));
        Files.writeString(
                models.resolve("node-sizes-00000001.json"),
                "{\"%s\":{\"memoryMb\":%d,\"vcores\":%d}}".formatted(name, NODE_MB, NODE_CORES));
    }

    /** Returns what is kept of nodes' sizes. */
    String kept() throws IOException {
        StringBuilder kept = new StringBuilder();
        for (Path file : keptSizes()) {
            kept.append(Files.readString(file));
        }
        return kept.toString();
    }

    private List<Path> keptSizes() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("store").resolve("models"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("node-sizes-"))
                    .toList();
        }
    }

    /** As a disk might: what is kept of nodes' sizes can no longer be read. */
    void damageKeptSizes() throws IOException {
        List<Path> kept = keptSizes();
        assertThat(kept).isNotEmpty();
        for (Path file : kept) {
            Files.writeString(file, "{\"127.0.0.1:1000\":{\"memoryMb\":");
        }
    }

    // What passes

    /** Its configured size is kept, and then the node grows by a task. */
    void grow() throws Exception {
        tick(6);
        tick(6);
        assertThat(usableMb()).isEqualTo(LARGER_MB);
    }

    /** The node reports, and so many seconds later the background has its turn. */
    void tick(int seconds) throws Exception {
        report();
        tickWithoutReport(seconds);
    }

    void tickWithoutReport(int seconds) throws Exception {
        pass(seconds);
    }

    private void report() {
        report(0.5, 0.05);
    }

    /**
     * The node reports.
     *
     * @param taken share of its memory that no process could have
     * @param used share of it that each container uses
     */
    void report(double taken, double used) {
        Map<Signal, Reading> readings = Map.of(Signal.CPU, reading(0.01), Signal.MEM, reading(used));
        List<ContainerReport> containers = new ArrayList<>();
        for (RMContainer container : scheduled().getCopiedListOfRunningContainers()) {
            containers.add(
                    new ContainerReport(container.getContainerId().toString(), Duration.ofSeconds(1), false, readings));
        }
        report(
                node,
                containers,
                Map.of(NodeMetric.MEMORYBYTES, (double) NODE_MB * (1 << 20), NodeMetric.MEMORY, taken));
    }
}
