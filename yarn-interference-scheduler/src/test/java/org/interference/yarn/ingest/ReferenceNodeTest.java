package org.interference.yarn.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.interference.yarn.signal.Capacities;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

class ReferenceNodeTest {
    private static final Capacities SMALL = new Capacities(16, 64e9, 2e8, 1e10);
    private static final Capacities LARGE = new Capacities(64, 256e9, 8e8, 2e10);

    private final ReferenceNode reference = new ReferenceNode();

    @Test
    void onAClusterOfOneKindOfNodeNothingIsScaled() {
        assertThat(reference.scale(SMALL).isOne()).isTrue();
        assertThat(reference.scale(SMALL).isOne()).isTrue();
    }

    @Test
    void firstNodeThatTellsItsCapacitiesIsTheReference() {
        assertThat(reference.scale(Capacities.UNKNOWN).isOne()).isTrue();
        reference.scale(SMALL);

        assertThat(reference.scale(LARGE).of(Signal.CPU)).isEqualTo(4);
        assertThat(reference.scale(LARGE)).as("made once").isSameAs(reference.scale(LARGE));
        assertThat(reference.scale(SMALL).isOne()).isTrue();
        assertThat(reference.capacities()).isEqualTo(SMALL);
    }

    @Test
    void whatTheFirstDoesNotTellIsTakenOfTheNext() {
        reference.scale(new Capacities(16, Double.NaN, Double.NaN, Double.NaN));

        assertThat(reference.scale(LARGE).of(Signal.BLK)).isEqualTo(1);
        assertThat(reference.scale(LARGE).of(Signal.CPU)).isEqualTo(4);
        assertThat(reference.scale(SMALL).of(Signal.BLK)).isEqualTo(0.25);
    }

    @Test
    void earlierLifesReferenceStays() {
        reference.scale(LARGE);
        assertThat(reference.scale(SMALL).of(Signal.CPU)).isEqualTo(0.25);

        reference.restore(SMALL);

        assertThat(reference.scale(LARGE).of(Signal.CPU)).isEqualTo(4);
        assertThat(reference.scale(SMALL).isOne()).isTrue();
    }

    @Test
    void lifeThatLeftNothingChangesNothing() {
        reference.scale(SMALL);

        reference.restore(Capacities.UNKNOWN);

        assertThat(reference.capacities()).isEqualTo(SMALL);
    }
}
