package org.interference.yarn.sim.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.interference.yarn.sim.faults.FairnessCheck.Needy;
import org.junit.jupiter.api.Test;

class FairnessCheckTest {
    private static final int AHEAD = 2;

    @Test
    void anApplicationMayBeSoManyContainersAheadOfOneBesideIt() {
        Needy needier = new Needy("needier", "a", 0, 4096, 1, 1024, true);

        assertThat(served(2048, needier)).isEmpty();
        assertThat(served(2049, needier)).hasSize(1);
    }

    private static List<String> served(long used, Needy needier) {
        Needy served = new Needy("served", "a", used, 4096, 1, 1024, true);
        return FairnessCheck.passedOver(List.of(served, needier), "served", AHEAD);
    }

    @Test
    void aQueueMayBeTwiceAsManyAheadByItsWeight() {
        Needy needier = new Needy("needier", "b", 0, 0, 2, 1024, true);

        assertThat(servedOf(2048, needier)).isEmpty();
        assertThat(servedOf(2049, needier)).hasSize(1);
    }

    /** Its neediest application may wait for more than is free, and reserve the node. */
    @Test
    void aQueueIsBehindByContainersOfAnySizeThatItWaitsFor() {
        Needy served = new Needy("served", "a", 0, 4 * 3072, 1, 1024, true);
        Needy fits = new Needy("fits", "b", 0, 0, 1, 1024, true);
        Needy waits = new Needy("waits", "b", 0, 0, 1, 3072, false);

        assertThat(FairnessCheck.passedOver(List.of(served, fits), "served", AHEAD))
                .hasSize(1);
        assertThat(FairnessCheck.passedOver(List.of(served, fits, waits), "served", AHEAD))
                .isEmpty();
    }

    private static List<String> servedOf(long queueUsed, Needy needier) {
        Needy served = new Needy("served", "a", 0, queueUsed, 1, 1024, true);
        return FairnessCheck.passedOver(List.of(served, needier), "served", AHEAD);
    }

    @Test
    void whoDoesNotWaitIsNotPassedOver() {
        assertThat(served(100_000, new Needy("served", "a", 100_000, 4096, 1, 1024, true)))
                .isEmpty();
    }

    @Test
    void nothingIsSaidOfWhoWasServedOtherwise() {
        Needy needier = new Needy("needier", "a", 0, 4096, 1, 1024, true);

        assertThat(FairnessCheck.passedOver(List.of(needier), "served", AHEAD)).isEmpty();
    }
}
