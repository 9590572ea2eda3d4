package org.interference.yarn.sim.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.interference.yarn.capacity.Size;
import org.interference.yarn.sim.engine.ClusterShape;
import org.interference.yarn.sim.engine.Knowledge;
import org.interference.yarn.sim.engine.Policy;
import org.interference.yarn.sim.engine.RunOutcome;
import org.interference.yarn.sim.engine.Simulation;
import org.interference.yarn.sim.workload.Patterns;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.world.Worlds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that have other sizes than they are configured with, and memory that runs out. */
@Timeout(300)
class ElasticNodesTest {
    private static final ClusterShape SMALL = new ClusterShape(4, 4);
    private static final Size CONTAINER = new Size(1024, 1);

    @ParameterizedTest
    @ValueSource(strings = {"fair", "capacity"})
    void grownNodesRunMoreContainersAndEveryTaskEnds(String parent) {
        List<Size> most = new ArrayList<>(List.of(Size.ZERO));
        RunOutcome outcome = run("overrequested", parent, (node, now) -> {
            most.set(0, most.get(0).or(node.used()));
            return Sizer.Answer.of(node.configured().times(1.5));
        });

        assertThat(most.get(0)).isEqualTo(new Size(6 * 1024, 6));
        assertThatEveryTaskEnded(outcome);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fair", "capacity"})
    void nodeWithTooManyContainersKillsTheLargestAndItsTaskBeginsAnew(String parent) {
        Instant[] first = new Instant[1];
        RunOutcome outcome = run("full-mild", parent, (node, now) -> {
            first[0] = first[0] == null ? now : first[0];
            return Sizer.Answer.of(
                    now.isBefore(first[0].plusSeconds(20)) ? node.configured().times(2) : node.configured());
        });

        assertThat(outcome.use().killedForMemory()).isPositive();
        assertThat(outcome.use().lostSeconds()).isPositive();
        assertThat(outcome.use().evicted()).isZero();
        assertThatEveryTaskEnded(outcome);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fair", "capacity"})
    void containersThatHaveToGoAreKilledByTheirNodeAndTheirTasksBeginAnew(String parent) {
        Instant[] first = new Instant[1];
        RunOutcome outcome = run("overrequested", parent, (node, now) -> {
            first[0] = first[0] == null ? now : first[0];
            boolean early = now.isBefore(first[0].plusSeconds(20));
            return new Sizer.Answer(
                    early ? node.configured().plus(CONTAINER) : node.configured(),
                    early ? List.copyOf(node.grown()) : List.of());
        });

        assertThat(outcome.use().evicted()).isPositive();
        assertThat(outcome.use().lostSeconds()).isPositive();
        assertThatEveryTaskEnded(outcome);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fair", "capacity"})
    void nodeThatShrinksKillsNobodyAndTakesNobody(String parent) {
        RunOutcome outcome = run(
                "overrequested",
                parent,
                (node, now) -> Sizer.Answer.of(node.configured().times(0.5)));

        assertThat(outcome.use().lostSeconds()).isZero();
        assertThatEveryTaskEnded(outcome);
    }

    @Test
    void memoryIsEnoughForNodesOfTheirConfiguredSizeInEveryWorld() {
        Worlds.elastic().forEach(world -> assertThat(
                        run(world.name(), Policies.named("fair")).use().killedForMemory())
                .as(world.name())
                .isZero());
    }

    @ParameterizedTest
    @ValueSource(strings = {ElasticPolicies.THRESHOLD, ElasticPolicies.OURS, ElasticPolicies.CLAIRVOYANT})
    void twoRunsOfOneSeedAreEqual(String policy) {
        assertThat(run("overrequested", elastic(policy))).isEqualTo(run("overrequested", elastic(policy)));
    }

    private static Policy elastic(String name) {
        return ElasticPolicies.all(new SizeHistory()).stream()
                .filter(policy -> policy.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void assertThatEveryTaskEnded(RunOutcome outcome) {
        List<SimJob> jobs = jobs();
        for (int i = 0; i < jobs.size(); i++) {
            assertThat(outcome.jobs().get(i).finished()).isNotNaN();
            assertThat(outcome.jobs().get(i).tasks()).hasSameSizeAs(jobs.get(i).tasks());
        }
    }

    private static List<SimJob> jobs() {
        return Patterns.all().get(0).jobs(new SplittableRandom(1), SMALL.slots());
    }

    private static RunOutcome run(String world, String parent, Sizer sizer) {
        Policy placing = Policies.named(parent);
        return run(
                world,
                new Row(
                        "test",
                        placing.describes(),
                        parent,
                        placing.freedom(),
                        false,
                        false,
                        Row.Kind.USUAL,
                        placing::configure,
                        insight -> {
                            AbstractYarnScheduler<?, ?> scheduler =
                                    (AbstractYarnScheduler<?, ?>) placing.scheduler(insight);
                            ElasticNodes.of(scheduler, insight, sizer);
                            return scheduler;
                        }));
    }

    private static RunOutcome run(String world, Policy policy) {
        return Simulation.run(new Simulation.Setup(Worlds.named(world), jobs(), policy, SMALL, 1, Knowledge.NONE));
    }
}
