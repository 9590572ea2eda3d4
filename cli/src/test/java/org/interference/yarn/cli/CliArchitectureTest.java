package org.interference.yarn.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;

/** The program's own borders. */
@AnalyzeClasses(packages = "org.interference.yarn.cli", importOptions = DoNotIncludeTests.class)
class CliArchitectureTest {
    // spotless:off
    /** What holds for the program of one version and the plugin of another is what is written in the REST contract. */
    @ArchTest
    static final ArchRule operatorsCommandsKnowThePluginByItsRestInterfaceAlone = noClasses()
            .that().resideOutsideOfPackage("..cli.plan..")
            .should().dependOnClassesThat(resideInAPackage("org.interference.yarn..")
                    .and(not(resideInAPackage("org.interference.yarn.cli.."))));

    @ArchTest
    static final ArchRule whatPlansKnowsThePlannerAndWhatSharingCostsAlone = noClasses()
            .that().resideInAPackage("..cli.plan..")
            .should().dependOnClassesThat(resideInAPackage("org.interference.yarn..")
                    .and(not(resideInAnyPackage(
                            "..cli.plan..",
                            "org.interference.yarn.plan..",
                            "org.interference.yarn.degradation..",
                            "org.interference.yarn.signal.."))));

    @ArchTest
    static final ArchRule commandsDoNotKnowHadoop = noClasses().that().resideOutsideOfPackage("..cli.rm..")
            .should().dependOnClassesThat().resideInAPackage("org.apache.hadoop..");

    @ArchTest
    static final ArchRule onlyTheMainProgramReadsTheClock = noClasses()
            .that().doNotHaveFullyQualifiedName(InterferenceProgram.class.getName())
            .should().callMethod(System.class, "currentTimeMillis")
            .orShould().callMethod(System.class, "nanoTime")
            .orShould().callMethod(Instant.class, "now")
            .orShould().callMethod(InstantSource.class, "system")
            .orShould().callMethod(Clock.class, "systemUTC");

    @ArchTest
    static final ArchRule noCycles = slices().matching("org.interference.yarn.(**)").should().beFreeOfCycles();
    // spotless:on
}
