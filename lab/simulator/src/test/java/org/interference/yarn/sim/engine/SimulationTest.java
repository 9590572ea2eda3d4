package org.interference.yarn.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.sim.engine.RunOutcome.JobOutcome;
import org.interference.yarn.sim.engine.RunOutcome.TaskOutcome;
import org.interference.yarn.sim.policy.Policies;
import org.interference.yarn.sim.workload.NamedKinds;
import org.interference.yarn.sim.workload.Pattern;
import org.interference.yarn.sim.workload.Patterns;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.workload.SimTask;
import org.interference.yarn.sim.workload.SimTaskKinds;
import org.interference.yarn.sim.world.DataLocality;
import org.interference.yarn.sim.world.GroundTruth;
import org.interference.yarn.sim.world.Load;
import org.interference.yarn.sim.world.Measurement;
import org.interference.yarn.sim.world.World;
import org.interference.yarn.sim.world.Worlds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class SimulationTest {
    private static final ClusterShape SMALL = new ClusterShape(4, 4);
    private static final World HEAVY = world("water-heavy");

    static Stream<Policy> policies() {
        return Policies.all().stream();
    }

    static Stream<Pattern> patterns() {
        return Patterns.all().stream();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void twoRunsOfOneSeedAreEqual(Policy policy) {
        assertThat(run(HEAVY, policy, jobs(1), 1)).isEqualTo(run(HEAVY, policy, jobs(1), 1));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void everyTaskRunsOnceAndNoNodeRunsMoreThanItsSlots(Policy policy) {
        List<SimJob> jobs = jobs(2);

        RunOutcome outcome = run(HEAVY, policy, jobs, 2);

        assertThat(outcome.jobs()).hasSameSizeAs(jobs);
        for (int i = 0; i < jobs.size(); i++) {
            JobOutcome job = outcome.jobs().get(i);
            assertThat(job.tasks()).hasSize(jobs.get(i).tasks().size());
            assertThat(job.tasks()).allSatisfy(task -> {
                assertThat(task.started()).isGreaterThanOrEqualTo(job.submitted());
                assertThat(task.slowdown()).isGreaterThanOrEqualTo(1 - 1e-6);
            });
        }
        Map<String, List<TaskOutcome>> byNode = outcome.jobs().stream()
                .flatMap(job -> job.tasks().stream())
                .collect(Collectors.groupingBy(TaskOutcome::node));
        byNode.forEach((node, tasks) ->
                assertThat(mostAtOnce(tasks)).as(node).isBetween(1, policy.slots(SMALL.slotsPerNode())));
    }

    @ParameterizedTest
    @MethodSource("patterns")
    void withoutInterferenceEveryTaskTakesAsLongAsAlone(Pattern pattern) {
        List<SimJob> jobs = pattern.jobs(new SplittableRandom(3), SMALL.slots());

        RunOutcome outcome = run(world("none"), Policies.all().get(0), jobs, 3);

        assertThat(outcome.jobs().stream().flatMap(job -> job.tasks().stream()))
                .allSatisfy(task -> assertThat(task.slowdown()).isCloseTo(1, Offset.offset(1e-6)));
    }

    @Test
    void aTaskAloneOnTheClusterHasSlowdownOneInEveryWorldWithoutDaemons() {
        SimJob alone = new SimJob(
                "app15",
                "a",
                Duration.ofSeconds(3),
                List.of(new SimTask(NamedKinds.kind("app15"), Duration.ofSeconds(20))));

        for (World world : Worlds.all()) {
            if (world.daemons().everyNthNode() > 0) {
                continue;
            }
            RunOutcome outcome = run(world, Policies.all().get(0), List.of(alone), 4);

            assertThat(outcome.jobs().get(0).tasks().get(0).slowdown())
                    .as(world.name())
                    .isCloseTo(1, Offset.offset(1e-6));
        }
    }

    @Test
    void aTruthThatTheReportDoesNotKnowIsTakenAsItIs() {
        GroundTruth twiceAsSlowInCompany = new GroundTruth() {
            @Override
            public double[] slowdowns(List<Load> together) {
                return together.stream()
                        .mapToDouble(load -> together.size() > 1 ? 2 : 1)
                        .toArray();
            }
        };
        World world = new World("company", "Company slows.", twiceAsSlowInCompany, Measurement.USUAL);
        List<SimTask> two = List.of(
                new SimTask(NamedKinds.kind("light-idle"), Duration.ofSeconds(10)),
                new SimTask(NamedKinds.kind("light-idle"), Duration.ofSeconds(10)));

        RunOutcome outcome = Simulation.run(new Simulation.Setup(
                world,
                List.of(new SimJob("two", "a", Duration.ZERO, two)),
                Policies.all().get(0),
                new ClusterShape(1, 2),
                5,
                Knowledge.NONE));

        // The first runs alone for the second until the next heartbeat, and one of them alone again at the end.
        assertThat(outcome.jobs().get(0).tasks())
                .allSatisfy(task -> assertThat(task.slowdown()).isBetween(1.8, 2.0));
    }

    @Test
    void aClusterThatIsIdleForHoursCostsNoHeartbeats() {
        SimTask task = new SimTask(NamedKinds.kind("app10"), Duration.ofSeconds(5));
        List<SimJob> jobs = List.of(
                new SimJob("early", "a", Duration.ZERO, List.of(task)),
                new SimJob("late", "b", Duration.ofHours(1000), List.of(task)));

        RunOutcome outcome = run(HEAVY, Policies.named("ours-cold"), jobs, 6);

        assertThat(outcome.jobs().get(1).finished()).isBetween(3_600_005.0 - 1, 3_600_010.0);
    }

    /** One node of four has a copy of each task's input; by default Capacity waits five seconds for one of these. */
    @ParameterizedTest
    @ValueSource(strings = {"capacity", "ours-capacity"})
    void tasksTakeLongerFarFromTheirInputAndAreMostlyNearIt(String policy) {
        ClusterShape shape = new ClusterShape(12, 2);
        List<SimJob> jobs = Patterns.all().get(0).jobs(new SplittableRandom(11), shape.slots());

        RunOutcome outcome = Simulation.run(new Simulation.Setup(
                world("none").with(new DataLocality(0.5)), jobs, Policies.named(policy), shape, 11, Knowledge.NONE));

        List<TaskOutcome> tasks =
                outcome.jobs().stream().flatMap(job -> job.tasks().stream()).toList();
        long near = tasks.stream()
                .filter(task -> Math.abs(task.slowdown() - 1) < 1e-6)
                .count();
        long far = tasks.stream()
                .filter(task -> Math.abs(task.slowdown() - 1.5) < 1e-6)
                .count();
        assertThat(near + far).isEqualTo(tasks.size());
        assertThat((double) near / tasks.size()).isGreaterThan(0.6);
    }

    /** Sixty tasks of a kind on nodes of three sizes, where nobody slows anybody down: one profile, and what nodes of one size would show. */
    @ParameterizedTest
    @ValueSource(strings = {"app10", "light-idle"})
    void profilesAreOfTheReferenceNodeWhateverTheSizesOfNodes(String kind) {
        World sizes = Worlds.named("sizes-heavy").withoutContention().measuredExactly();
        World equal = HEAVY.withoutContention().measuredExactly();
        // The second node is the first that has something to say of itself.
        double reference = sizes.sizes().of(1);

        for (Signal signal : List.of(Signal.CPU, Signal.NETP, Signal.BLK)) {
            assertThat(levelOf(kind, sizes, signal))
                    .as(signal.meaning())
                    .isCloseTo(levelOf(kind, equal, signal) / reference, Percentage.withPercentage(3));
        }
    }

    private static double levelOf(String kind, World world, Signal signal) {
        List<SimTask> tasks = Collections.nCopies(60, new SimTask(NamedKinds.kind(kind), Duration.ofSeconds(20)));
        RunOutcome outcome =
                run(world, Policies.named("ours-cold"), List.of(new SimJob("job", "a", Duration.ZERO, tasks)), 9);
        return outcome.learnt().profiles().stream()
                .filter(profile -> profile.key().text().startsWith("ifc:"))
                .findFirst()
                .orElseThrow()
                .load()
                .level(signal)
                .orElseThrow();
    }

    @Test
    void ourSchedulerLearnsAProfileOfEveryApplicationThatRan() {
        RunOutcome outcome = run(HEAVY, Policies.named("ours-cold"), jobs(7), 7);

        List<String> names =
                jobs(7).stream().map(SimJob::name).distinct().sorted().toList();
        assertThat(outcome.learnt().profiles())
                .extracting(profile -> profile.key().text())
                .containsAll(names.stream()
                        .map(name -> "ifc:" + System.getProperty("user.name") + "/" + name + "/priority-0")
                        .toList());
    }

    @Test
    void aLifeGoesOnFromWhatTheLastOneHasSeen() {
        Knowledge first = lives(Knowledge.NONE);
        Knowledge second = lives(first);

        long total = first.kept().experience().samples().total();
        assertThat(total).isPositive();
        // The kinds that it knows already teach from their first task on.
        assertThat(second.kept().experience().samples().total()).isGreaterThan(2 * total);
        assertThat(second.kept().experience().samples().recent())
                .containsAll(first.kept().experience().samples().recent());
    }

    private static Knowledge lives(Knowledge before) {
        return Simulation.run(new Simulation.Setup(HEAVY, jobs(8), Policies.learner(), SMALL, 8, before))
                .learnt();
    }

    private static int mostAtOnce(List<TaskOutcome> tasks) {
        int most = 0;
        for (TaskOutcome task : tasks) {
            int others = (int) tasks.stream()
                    .filter(other -> other.started() <= task.started() && other.finished() > task.started())
                    .count();
            most = Math.max(most, others);
        }
        return most;
    }

    private static List<SimJob> jobs(long seed) {
        return Patterns.all().get(0).jobs(new SplittableRandom(seed), SMALL.slots()).stream()
                .sorted(Comparator.comparing(SimJob::submitted))
                .filter(job ->
                        SimTaskKinds.all().stream().anyMatch(kind -> kind.name().equals(job.name())))
                .toList();
    }

    private static RunOutcome run(World world, Policy policy, List<SimJob> jobs, long seed) {
        return Simulation.run(new Simulation.Setup(world, jobs, policy, SMALL, seed, Knowledge.NONE));
    }

    private static World world(String name) {
        return Worlds.all().stream()
                .filter(world -> world.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
