package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalDouble;
import org.interference.yarn.signal.Capacities;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Scale;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

class UndisturbedWorkTest {
    private static final Capacities HERE = new Capacities(16, 64e9, 2e8, 1e10);

    private final UndisturbedWork work = new UndisturbedWork(10);

    /** More bytes come from faster disks, and nobody is slowed down there by slower ones. */
    @Test
    void bytesAreComparedAmongNodesOfOneSortAlone() {
        Scale fast = Scale.between(new Capacities(16, 64e9, 8e8, 1e10), HERE);
        for (int run = 0; run < RateRuns.LEAST_RUNS; run++) {
            work.add("sort", reading(8e8), fast, false);
        }

        assertThat(slowdown(Signal.READB, reading(1e8), Scale.ONE)).isEmpty();
        assertThat(slowdown(Signal.READB, reading(4e8), fast)).hasValue(2);

        work.add("sort", reading(2e8), Scale.ONE, true);
        assertThat(slowdown(Signal.READB, reading(1e8), Scale.ONE)).hasValue(2);
        assertThat(slowdown(Signal.READB, reading(4e8), fast)).hasValue(2);
    }

    /** Of processor time it is known what a node gives. */
    @Test
    void networksTellNodesApartByWhatGoesThroughThem() {
        Scale fast = Scale.between(new Capacities(16, 64e9, 2e8, 1e10), new Capacities(16, 64e9, 2e8, 1e9));
        work.add("copy", new InterferenceVector(Map.of(Signal.NETP, 0.8, Signal.CPU, 0.2)), fast, true);
        InterferenceVector half = new InterferenceVector(Map.of(Signal.NETP, 0.4, Signal.CPU, 0.1));

        assertThat(work.slowdown(Signal.NETP, "copy", half, Scale.ONE)).isEmpty();
        assertThat(work.slowdown(Signal.NETP, "copy", half, fast)).hasValue(2);
        assertThat(work.slowdown(Signal.CPU, "copy", half, Scale.ONE)).hasValue(2);
    }

    private OptionalDouble slowdown(Signal measure, InterferenceVector mean, Scale toReference) {
        return work.slowdown(measure, "sort", mean, toReference);
    }

    private static InterferenceVector reading(double bytes) {
        return new InterferenceVector(Map.of(Signal.READB, bytes, Signal.WRITEB, 0.0));
    }
}
