package org.interference.yarn.sim.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.interference.yarn.sim.workload.SharedResource;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.junit.jupiter.api.Test;

class KindInferenceTest {
    private static final SimTaskKind IDLE = new SimTaskKind("idle", Map.of());
    private static final SimTaskKind CPU = new SimTaskKind("cpu", Map.of(SharedResource.CPU, 0.5));
    private static final SimTaskKind DISK = new SimTaskKind("disk", Map.of(SharedResource.DISK, 0.5));
    private static final SimTaskKind NETWORK = new SimTaskKind("network", Map.of(SharedResource.NETWORK, 0.5));
    private static final SimTaskKind CACHE =
            new SimTaskKind("cache", Map.of(SharedResource.CPU, 0.4, SharedResource.CACHE, 0.6));
    private static final NodeShape NODE = new NodeShape(2, 100, 1000);

    private final KindInference inference = new KindInference(List.of(IDLE, CPU, DISK, NETWORK, CACHE), NODE);

    @Test
    void aTaskIsOfTheKindWhoseDemandIsNearest() {
        assertThat(inference.kind(task(0.1, 10, 100))).isEqualTo(IDLE);
        assertThat(inference.kind(task(9, 10, 100))).isEqualTo(CPU);
        assertThat(inference.kind(task(1, 400, 100))).isEqualTo(DISK);
        assertThat(inference.kind(task(1, 10, 4000))).isEqualTo(NETWORK);
    }

    @Test
    void aTaskIsNeverTakenForAKindThatLivesOnWhatATraceDoesNotShow() {
        // Exactly its CPU demand.
        assertThat(inference.kind(task(8, 0, 0))).isEqualTo(CPU);
    }

    @Test
    void withoutCpuTimeTheOtherCountersDecide() {
        TracedTask task = new TracedTask(Duration.ofSeconds(10), OptionalDouble.empty(), 400, 0);

        assertThat(inference.kind(task)).isEqualTo(DISK);
    }

    @Test
    void moreThanANodeHasCountsAsAllOfIt() {
        assertThat(inference.kind(task(1, Long.MAX_VALUE, 0))).isEqualTo(DISK);
    }

    @Test
    void whereNoKindShowsInATraceItIsAnyOfThem() {
        assertThat(new KindInference(List.of(CACHE), NODE).kind(task(0, 0, 0))).isEqualTo(CACHE);
    }

    private static TracedTask task(double cpuSeconds, long diskBytes, long networkBytes) {
        return new TracedTask(Duration.ofSeconds(10), OptionalDouble.of(cpuSeconds), diskBytes, networkBytes);
    }
}
