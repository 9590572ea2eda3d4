package org.interference.yarn.sim.optimum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.interference.yarn.sim.workload.NamedKinds;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.interference.yarn.sim.workload.SimTaskKinds;
import org.interference.yarn.sim.world.GroundTruth;
import org.interference.yarn.sim.world.Worlds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptimumTest {
    private static final Offset<Double> NOISE = within(1e-6);
    private static final GroundTruth NONE = Worlds.named("none").truth();

    @Test
    void tasksThatDestroyEachOtherRunOneAfterTheOther() {
        assertThat(Optimum.of(together(3), tasks(10, 10), 1, 2).makespan()).isCloseTo(20, NOISE);
    }

    @Test
    void tasksThatHardlyHurtEachOtherRunTogether() {
        assertThat(Optimum.of(together(1.5), tasks(10, 10), 1, 2).makespan()).isCloseTo(15, NOISE);
    }

    @Test
    void withoutInterferenceItIsTheBestPartition() {
        // 5 + 4 and 3 + 3 + 3; the longest first on the node that is free first would take 10.
        Schedule schedule = Optimum.of(NONE, tasks(3, 5, 3, 4, 3), 2, 1);

        assertThat(schedule.makespan()).isCloseTo(9, NOISE);
        assertThat(schedule.times().get(1).finished() - schedule.times().get(1).started())
                .isCloseTo(5, NOISE);
    }

    @Test
    void nothingStartsBeforeItIsSubmitted() {
        SimTaskKind kind = NamedKinds.kind("app01");
        List<KnownTask> tasks = List.of(new KnownTask(0, "a", kind, 30, 5), new KnownTask(1, "b", kind, 0, 5));

        Schedule schedule = Optimum.of(NONE, tasks, 1, 2);

        assertThat(schedule.times().get(0)).isEqualTo(new Schedule.Times(0, 30, 35));
        assertThat(schedule.makespan()).isEqualTo(35);
    }

    /** Whoever decides at random whenever something happens, a thousand times, never does better. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "none",
                "water-heavy",
                "water-destructive",
                "curves-heavy",
                "curves-destructive",
                "table-destructive"
            })
    void noScheduleThatIsTriedIsShorter(String world) {
        GroundTruth truth = Worlds.named(world).truth();
        for (long seed = 1; seed <= 3; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<KnownTask> tasks = IntStream.range(0, 6)
                    .mapToObj(number -> {
                        SimTaskKind kind = SimTaskKinds.all()
                                .get(random.nextInt(SimTaskKinds.all().size()));
                        return new KnownTask(number, kind.name(), kind, 4 * random.nextInt(3), 5 + random.nextInt(20));
                    })
                    .toList();

            double optimum = Optimum.of(truth, tasks, 2, 2).makespan();

            for (int i = 0; i < 1000; i++) {
                assertThat(anySchedule(truth, tasks, random).makespan()).isGreaterThanOrEqualTo(optimum - 1e-6);
            }
        }
    }

    @Test
    void manyTasksAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Optimum.of(NONE, tasks(1, 1, 1, 1, 1, 1, 1, 1, 1), 2, 2))
                .withMessage("the optimum is found of 1 to 8 tasks, not of 9");
    }

    private static Schedule anySchedule(GroundTruth truth, List<KnownTask> tasks, SplittableRandom random) {
        SharedNodes nodes = SharedNodes.empty(truth, tasks, 2);
        while (!nodes.isDone()) {
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, tasks.size()).boxed().toList());
            Collections.shuffle(order, new Random(random.nextLong()));
            for (int task : order) {
                int node = random.nextInt(2);
                if (nodes.waits(task) && nodes.running(node) < 2 && random.nextInt(4) > 0) {
                    nodes = nodes.with(task, node);
                }
            }
            nodes = nodes.untilNextEvent();
        }
        return nodes.schedule();
    }

    /** Each is as many times slower as is said as soon as it has company. */
    private static GroundTruth together(double slowdown) {
        return loads -> {
            double[] slowdowns = new double[loads.size()];
            Arrays.fill(slowdowns, loads.size() > 1 ? slowdown : 1);
            return slowdowns;
        };
    }

    private static List<KnownTask> tasks(double... works) {
        return IntStream.range(0, works.length)
                .mapToObj(i -> new KnownTask(i, "job-" + i, NamedKinds.kind("app01"), 0, works[i]))
                .toList();
    }
}
