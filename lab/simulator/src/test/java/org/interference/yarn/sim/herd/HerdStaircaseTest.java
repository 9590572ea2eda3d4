package org.interference.yarn.sim.herd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.interference.yarn.sim.herd.Staircase.Container;
import org.interference.yarn.sim.herd.StaircaseRun.Policy;
import org.junit.jupiter.api.Test;

class HerdStaircaseTest {
    /** The published figure 5-1: four containers of one thread on four cores, one more each 100 s, and the same on two cores. */
    @Test
    void hostOfFourCoresClimbsAllStepsAndOneOfTwoCoresHalfOfThem() {
        List<Container> four = List.of(
                new Container(0, 1, 0, 400),
                new Container(0, 1, 100, 400),
                new Container(0, 1, 200, 400),
                new Container(0, 1, 300, 400));

        assertThat(StaircaseRun.of(new Staircase(1, 4, four), Policy.CONTROL).hostCpu())
                .isCloseTo((1 + 2 + 3 + 4) / 16.0, within(1e-9));
        assertThat(StaircaseRun.of(new Staircase(1, 2, four), Policy.CONTROL).hostCpu())
                .isCloseTo((1 + 2 + 2 + 2) / 8.0, within(1e-9));
    }

    /** Published of CFS: "distributes CPU utilization evenly to the containers even if they have a higher thread-count". */
    @Test
    void threadsDoNotCountAndTheMultiThreadedLeaves() {
        Staircase crowded = new Staircase(
                2,
                2,
                List.of(new Container(0, 4, 0, 3000), new Container(0, 1, 0, 3000), new Container(0, 1, 0, 3000)));

        assertThat(StaircaseRun.of(crowded, Policy.CONTROL).containerCpu()).isCloseTo(2.0 / 3, within(1e-9));
        assertThat(StaircaseRun.of(crowded, Policy.GREEDY_FOR_THREADS).containerCpu())
                .as("alone it has two cores, and the others have one each")
                .isGreaterThan(4.0 / 3 * 0.75);
    }

    @Test
    void conditionsOfTheOltpPolicyAreDecidedAsPublished() {
        assertThat(OltpExamples.wrong()).isZero();
    }

    /** As published of the hosts' CPU (19, 29 and 43 %): the form for threads gains more than the first, and less than who knows all. */
    @Test
    void policiesGainInThePublishedOrder() {
        JsonNode figures = StaircaseFigures.of(1, 20);

        double greedy = figures.at("/greedy/host_cpu_gain").asDouble();
        double threads = figures.at("/greedy_for_threads/host_cpu_gain").asDouble();
        assertThat(figures.at("/control/moves").asDouble()).isZero();
        assertThat(greedy).isPositive();
        assertThat(threads).isGreaterThan(greedy);
        assertThat(figures.at("/ideal/host_cpu_gain").asDouble()).isGreaterThan(threads);
    }
}
