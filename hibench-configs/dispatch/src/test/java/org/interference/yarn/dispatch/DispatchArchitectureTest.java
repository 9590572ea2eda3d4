package org.interference.yarn.dispatch;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The program's own borders. */
@AnalyzeClasses(packages = "org.interference.yarn.dispatch", importOptions = DoNotIncludeTests.class)
class DispatchArchitectureTest {
    // spotless:off
    /** Policies are compared by it, so that it must not know any. */
    @ArchTest
    static final ArchRule itKnowsNothingOfThePluginAndAsksYarnAsTheProgramInterferenceDoes = noClasses()
            .should().dependOnClassesThat(resideInAPackage("org.interference.yarn..").and(
                    com.tngtech.archunit.base.DescribedPredicate.not(
                            com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage(
                                    "org.interference.yarn.dispatch..", "org.interference.yarn.cli.rm.."))));

    @ArchTest
    static final ArchRule hadoopIsKnownToItsClientsAndJobsAlone = noClasses()
            .that().resideOutsideOfPackages("..dispatch.swim..", "..dispatch.mapreduce..", "..dispatch.dag.yarn..")
            .and().doNotBelongToAnyOf(
                    MapReduceClient.class, Data.class, PreparedInputs.class, Killer.class, Dispatch.class, SwimTrace.class,
                    WorkflowCommand.class)
            .should().dependOnClassesThat().resideInAPackage("org.apache.hadoop..");

    @ArchTest
    static final ArchRule workflowsArePure = noClasses()
            .that().resideInAPackage("..dispatch.dag")
            .should().dependOnClassesThat().resideOutsideOfPackages("..dispatch.dag", "java.lang..", "java.util..");

    @ArchTest
    static final ArchRule sparkIsReachedThroughItsOwnClassLoader = noClasses()
            .should().dependOnClassesThat().resideInAPackage("org.apache.spark..");

    @ArchTest
    static final ArchRule onlyTheWallClockReadsTheTime = noClasses()
            .that().doNotBelongToAnyOf(WallClock.class, Dispatch.class)
            .should().callMethod(System.class, "currentTimeMillis")
            .orShould().callMethod(System.class, "nanoTime");
    // spotless:on
}
