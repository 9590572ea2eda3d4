package org.interference.yarn.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.sim.workload.SharedResource;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.workload.SimTask;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.interference.yarn.sim.world.GroundTruth;
import org.interference.yarn.sim.world.Load;
import org.junit.jupiter.api.Test;

class NodeTest {
    private static final double SECONDS = 10;
    private static final SimTaskKind KIND = new SimTaskKind(
            "kind", Map.of(SharedResource.CPU, 0.4, SharedResource.DISK, 0.5, SharedResource.MEMORY_BANDWIDTH, 0.6));

    @Test
    void whoWaitsForMemoryStaysOnItsProcessorAndExecutesLess() {
        Map<Signal, Double> shown = levels(SharedResource.MEMORY_BANDWIDTH);

        assertThat(shown.get(Signal.CPU)).isCloseTo(0.4, within(1e-9));
        assertThat(shown.get(Signal.CPUWAIT)).isZero();
        assertThat(shown.get(Signal.BLKWAIT)).isZero();
        assertThat(shown.get(Signal.INSTR)).isCloseTo(alone().get(Signal.INSTR) / 2, within(1.0));
    }

    @Test
    void whoWaitsForAProcessorIsSeenToWaitForItAlone() {
        Map<Signal, Double> shown = levels(SharedResource.CPU);

        assertThat(shown.get(Signal.CPU)).isCloseTo(0.2, within(1e-9));
        assertThat(shown.get(Signal.CPUWAIT)).isCloseTo(0.5, within(1e-9));
        assertThat(shown.get(Signal.BLKWAIT)).isZero();
    }

    @Test
    void whoWaitsForTheDiskIsSeenToWaitForItAlone() {
        Map<Signal, Double> shown = levels(SharedResource.DISK);

        assertThat(shown.get(Signal.CPU)).isCloseTo(0.2, within(1e-9));
        assertThat(shown.get(Signal.CPUWAIT)).isZero();
        assertThat(shown.get(Signal.BLKWAIT)).isCloseTo(0.25, within(1e-9));
    }

    private static Map<Signal, Double> alone() {
        return levels(SharedResource.DISK, 1);
    }

    private static Map<Signal, Double> levels(SharedResource contended) {
        return levels(contended, 2);
    }

    /** Returns the mean levels of one of so many tasks that are half as fast together, by one resource. */
    private static Map<Signal, Double> levels(SharedResource contended, int tasks) {
        Node node =
                new Node(0, ResourceManagerDriver.nodeId(0), halved(contended), List.of(), 1, Double.POSITIVE_INFINITY);
        SimTask task = new SimTask(KIND, Duration.ofHours(1));
        SimJob job = new SimJob("job", "a", Duration.ZERO, List.of(task, task));
        SimulatedJob run = new SimulatedJob(0, job, "job", ResourceManagerDriver.attempt(0));
        for (int i = 0; i < tasks; i++) {
            Container container = Container.newInstance(
                    ContainerId.newContainerId(run.attempt(), i + 1),
                    node.id(),
                    "",
                    Resource.newInstance(1, 1),
                    Priority.newInstance(0),
                    null);
            node.start(new RunningTask(run, run.start(0, 0, any -> true), container, KIND, 3600, 0, 0));
        }
        node.advance(SECONDS);
        Map<Signal, Double> counted = node.running().get(0).counted();
        counted.replaceAll((signal, sum) -> sum / SECONDS);
        return counted;
    }

    private static GroundTruth halved(SharedResource contended) {
        return new GroundTruth() {
            @Override
            public double[] slowdowns(List<Load> together) {
                double[] slowdowns = new double[together.size()];
                Arrays.fill(slowdowns, together.size() > 1 ? 2 : 1);
                return slowdowns;
            }

            @Override
            public double[] slowdowns(List<Load> together, Set<SharedResource> resources) {
                double[] slowdowns = slowdowns(together);
                if (!resources.contains(contended)) {
                    Arrays.fill(slowdowns, 1);
                }
                return slowdowns;
            }
        };
    }
}
