package org.interference.yarn.sim.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.interference.yarn.sim.faults.FaultPlan.Act;
import org.interference.yarn.sim.faults.FaultPlan.Applicant;
import org.interference.yarn.sim.faults.FaultPlan.Ask;
import org.interference.yarn.sim.faults.FaultPlan.Happens;
import org.interference.yarn.sim.faults.FaultPlan.Kind;
import org.interference.yarn.sim.faults.FaultPlan.Tenant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The first lives of {@code bin/lab faults}: enough to find what is often wrong. */
@Timeout(900)
class FaultRunsTest {
    private static final int LIVES = Integer.getInteger("lives", 16);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void whateverHappensTheInvariantsHold(Kind kind) {
        FaultRuns faults = new FaultRuns(directory);
        for (long seed = 0; seed < LIVES; seed++) {
            FaultPlan plan = FaultPlan.of(seed, kind);
            Map<Invariants, List<String>> broken = faults.broken(plan);
            if (!broken.isEmpty()) {
                ByteArrayOutputStream told = new ByteArrayOutputStream();
                faults.explain(plan, broken, new PrintStream(told, true, StandardCharsets.UTF_8));
                throw new AssertionError(told.toString(StandardCharsets.UTF_8));
            }
        }
    }

    /** A node that says again, spells otherwise and dates a millisecond later what it says of containers that live long. */
    @ParameterizedTest
    @EnumSource
    void nobodyTeachesMoreThanItsContainersLive(Kind kind) {
        List<Applicant> applicants = List.of(
                new Applicant(
                        Tenant.VICTIM,
                        0,
                        Enemies.VICTIMS_NAME,
                        Enemies.VICTIMS_TYPE,
                        new TreeSet<>(),
                        Enemies.VICTIMS_LEVEL,
                        0),
                new Applicant(Tenant.ENEMY, 1, "another", Enemies.VICTIMS_TYPE, new TreeSet<>(), 0.1, 0));
        int smallest = 3;
        Act act = new Act(
                640,
                true,
                List.of(
                        new Ask(0, 0, smallest, 2),
                        new Ask(0, 1, smallest, 4),
                        new Happens(1, new Fault.Lies(0, Fault.Lie.FORGED)),
                        new Happens(1, new Fault.Lies(1, Fault.Lie.FORGED)),
                        new Happens(1, new Fault.Lies(2, Fault.Lie.FORGED)),
                        // For which the others must end, while the nodes lie.
                        new Ask(639, 0, smallest, 12)));
        FaultPlan plan = new FaultPlan(1, kind, List.of(4, 4, 4), List.of(1, 1, 1), applicants, List.of(act));

        assertThat(new FaultRuns(directory).broken(plan)).isEmpty();
    }

    /** Without this one the other would also pass for lives in which nothing happens. */
    @ParameterizedTest
    @EnumSource
    void containersGoElsewhereThanByTheStockScheduler(Kind kind) {
        int otherwise = 0;
        for (long seed = 0; seed < 5; seed++) {
            FaultPlan plan = FaultPlan.of(seed, kind);
            LifeHistory stock = ClusterLife.of(plan, Variant.STOCK, Optional.empty(), directory);
            LifeHistory ours = ClusterLife.of(plan, Variant.ON, Optional.of(stock), directory);
            assertThat(stock.allocated()).hasSizeGreaterThan(10);
            assertThat(ours.sizes()).containsKey("Commits.waiting");
            otherwise += stock.allocated().equals(ours.allocated()) ? 0 : 1;
        }

        assertThat(otherwise).isGreaterThan(1);
    }

    @Test
    void storeOfAnEarlierLifeOfTheSameSeedIsNotTakenForThisOnes() {
        FaultPlan plan = FaultPlan.of(2, Kind.FAIR);
        Act nothing = new Act(2, false, List.of());
        FaultPlan idle = new FaultPlan(
                plan.seed(), plan.kind(), plan.slots(), plan.weights(), plan.applicants(), List.of(nothing));
        FaultRuns faults = new FaultRuns(directory);

        assertThat(faults.broken(idle)).isEmpty();
        assertThat(faults.broken(plan)).isEmpty();
    }

    /** Else a scheduler that leaves a node for a second is blamed for the second in which the last node was lost. */
    @Test
    void nobodyIsExpectedToBeServedWithoutNodes() {
        Applicant applicant = new Applicant(Tenant.VICTIM, 0, "job", "simulated", new TreeSet<>(), 0.5, 0);
        Act act = new Act(10, false, List.of(new Happens(2, new Fault.NodeSilent(0)), new Ask(5, 0, 0, 3)));
        FaultPlan plan = new FaultPlan(1, Kind.FAIR, List.of(4), List.of(1, 1, 1), List.of(applicant), List.of(act));

        LifeHistory stock = ClusterLife.of(plan, Variant.STOCK, Optional.empty(), directory);

        assertThat(stock.thrown()).isEmpty();
        assertThat(stock.drained()).containsExactly(new LifeHistory.Drained(0, 0, 0, Set.of()));
    }

    /** All nodes are leaving, so that the largest has no room; YARN's scheduler divided by the size that it made of the ask. */
    @Test
    void nobodyAsksForWhatYarnWouldRefuse() {
        FaultPlan plan = FaultPlan.of(3817, Kind.CAPACITY_BY_PASSES);

        assertThat(ClusterLife.of(plan, Variant.STOCK, Optional.empty(), directory)
                        .thrown())
                .isEmpty();
    }
}
