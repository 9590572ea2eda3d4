package org.interference.yarn.sim;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import org.interference.yarn.predict.Composition;

/** The simulator's own borders (ADR-0010). That no plugin imports it is ArchitectureTest's, in minicluster-tests. */
@AnalyzeClasses(
        packages = {"org.interference.yarn.sim", "org.interference.yarn.lab"},
        importOptions = DoNotIncludeTests.class)
class SimulatorArchitectureTest {
    // spotless:off
    @ArchTest
    static final ArchRule theTruthKnowsNoScheduler = noClasses().that().resideInAPackage("..sim.world..")
            .should().dependOnClassesThat().resideInAnyPackage(
                    "..predict..", "..place..", "..profile..", "..learn..", "..ingest..", "..sim.engine..",
                    "..sim.optimum..", "..sim.policy..", "..sim.report..", "org.apache.hadoop..");

    @ArchTest
    static final ArchRule theOptimumKnowsTheTruthAndNoScheduler = noClasses().that().resideInAPackage("..sim.optimum..")
            .should().dependOnClassesThat().resideInAnyPackage(
                    "..predict..", "..place..", "..profile..", "..learn..", "..ingest..", "..sim.engine..",
                    "..sim.policy..", "..sim.report..", "org.apache.hadoop..");

    @ArchTest
    static final ArchRule workloadsKnowNeitherTruthNorScheduler = noClasses()
            .that().resideInAPackage("..sim.workload")
            .should().dependOnClassesThat().resideInAnyPackage(
                    "..predict..", "..place..", "..profile..", "..learn..", "..ingest..", "..sim.world..",
                    "..sim.engine..", "..sim.policy..", "..sim.report..", "org.apache.hadoop..");

    /** The test bed and the benchmarks use them, too. */
    @ArchTest
    static final ArchRule statisticsKnowNumbersAlone = noClasses().that().resideInAPackage("..lab.stats..")
            .should().dependOnClassesThat(resideInAnyPackage("org.interference.yarn..", "org.apache.hadoop..")
                    .and(not(resideInAnyPackage("..lab.stats.."))));

    /** It carries what was learnt from one run to the next, and cannot ask it: an answer is a class of the same package. */
    @ArchTest
    static final ArchRule theEngineKnowsNoPolicy = noClasses().that().resideInAPackage("..sim.engine..")
            .should().dependOnClassesThat(resideInAnyPackage("..sim.policy..", "..sim.report..", "..predict..")
                    .and(not(belongToAnyOf(Composition.class))));

    @ArchTest
    static final ArchRule theCommandKnowsTheSimulatorAlone = noClasses().that().resideInAPackage("..sim.command..")
            .should().dependOnClassesThat(resideInAnyPackage("org.interference.yarn..", "org.apache.hadoop..")
                    .and(not(resideInAnyPackage("org.interference.yarn.sim..", "org.interference.yarn.lab.."))));

    @ArchTest
    static final ArchRule nobodyKnowsTheCommand = noClasses().that().resideOutsideOfPackage("..sim.command..")
            .should().dependOnClassesThat().resideInAPackage("..sim.command..");

    @ArchTest
    static final ArchRule nothingInARunReadsTheMachinesClock = noClasses()
            .that().resideInAnyPackage("..sim.world..", "..sim.workload..", "..sim.optimum..", "..sim.engine..", "..sim.policy..", "..sim.faults..")
            .and().doNotHaveSimpleName("FaultRuns")
            .should().callMethod(System.class, "currentTimeMillis")
            .orShould().callMethod(System.class, "nanoTime")
            .orShould().callMethod(Instant.class, "now")
            .orShould().callMethod(InstantSource.class, "system")
            .orShould().callMethod(Clock.class, "systemUTC");
    // spotless:on
}
