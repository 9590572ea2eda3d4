package org.interference.yarn.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The map in docs/ARCHITECTURE.md, enforced. Changing it, or a rule here, is an architecture decision: write an ADR. */
@AnalyzeClasses(
        packages = "org.interference.yarn",
        importOptions = {DoNotIncludeTests.class, ArchitectureTest.OnlyThePlugins.class})
class ArchitectureTest {
    /**
     * The plugins as they are installed, and the planner; not what is shaded into them, and not the programs that drive them. The modules that
     * are inside the plugin jars are left out: of two copies of a class it depends on their paths which one is imported.
     */
    static final class OnlyThePlugins implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/shaded/")
                    && !location.contains("/interference-core/target/")
                    && !location.contains("/profile-repo/target/")
                    && !location.contains("/yarn/cli/")
                    && !location.contains("/yarn/dispatch/")
                    && !location.contains("/wire/proto/")
                    && !location.contains("/test-classes/");
        }
    }

    private static final String[] PURE = {
        "..signal..",
        "..yarn.degradation..",
        "..fault..",
        "..yarn.time..",
        "..nm.attribute..",
        "..nm.control..",
        "..profile",
        "..learn..",
        "..predict..",
        "..yarn.advice..",
        "..place",
        "..capacity",
        "..relocate",
        "..plan"
    };
    private static final String CLUSTERING = "..learn.cluster..";
    private static final String[] SMILE = {"smile..", "org.interference.yarn.shaded.smile.."};
    private static final String[] EDGES = {
        "..nm.heartbeat..",
        "..nm.app..",
        "..profile.store..",
        "..ingest.yarn..",
        "..place.yarn..",
        "..capacity.yarn..",
        "..relocate.yarn..",
        "..rest..",
        "..yarn.app..",
        "org.interference.yarn"
    };

    private static final Path MAP = Path.of("..", "docs", "ARCHITECTURE.md");
    private static final Pattern ROW = Pattern.compile("\\| `([a-z.]+)` \\|((?: `[a-z.]+`)*) \\|");
    private static final String ROOT = "org.interference.yarn";

    /** The table in docs/ARCHITECTURE.md has a row for each package, and in it what the package imports: all of it, and nothing else. */
    @ArchTest
    static void theMapSaysWhatIsImported(JavaClasses classes) throws IOException {
        Map<String, Set<String>> imported = new TreeMap<>();
        for (JavaClass importing : classes) {
            Set<String> by = imported.computeIfAbsent(name(importing), any -> new TreeSet<>());
            importing.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                    .filter(target -> target.getPackageName().startsWith(ROOT))
                    .map(ArchitectureTest::name)
                    .filter(target -> !target.startsWith("shaded") && !target.equals("wire.proto"))
                    .filter(target -> !target.equals(name(importing)))
                    .forEach(by::add);
        }
        Map<String, Set<String>> map = new TreeMap<>();
        for (String line : Files.readAllLines(MAP)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                map.put(
                        row.group(1),
                        new TreeSet<>(
                                List.of(row.group(2).replace("`", "").strip().split(" +"))));
            }
        }
        map.values().forEach(names -> names.remove(""));

        assertThat(map).isEqualTo(imported);
    }

    private static String name(JavaClass of) {
        String name = of.getPackageName();
        return name.equals(ROOT) ? name : name.substring(ROOT.length() + 1);
    }

    // spotless:off
    /** A digest of a text in memory is a function; nobody finds another name with the same one, as with a checksum (ADR-0030). */
    @ArchTest
    static final ArchRule pureStagesUseNothingButJava = noClasses().that().resideInAnyPackage(PURE)
            .and().resideOutsideOfPackage(CLUSTERING)
            .should().dependOnClassesThat(not(resideInAnyPackage(
                    "java.lang..", "java.util..", "java.time..", "org.interference.yarn..")
                    .or(belongToAnyOf(
                            MessageDigest.class,
                            NoSuchAlgorithmException.class,
                            Charset.class,
                            StandardCharsets.class))));

    /** ADR-0012: what learns on its own must not depend on how clusters are found. */
    @ArchTest
    static final ArchRule smileStaysInOnePackage = noClasses().that().resideOutsideOfPackage(CLUSTERING)
            .should().dependOnClassesThat().resideInAnyPackage(SMILE);

    @ArchTest
    static final ArchRule clusteringUsesSmileAndJava = noClasses().that().resideInAPackage(CLUSTERING)
            .should().dependOnClassesThat(not(resideInAnyPackage(
                    "java.lang..", "java.util..", "java.time..", "smile..", "org.interference.yarn..")));

    /** A streaming JSON library declares IOException also where it reads and writes memory, as it does here. */
    @ArchTest
    static final ArchRule theCollectorsProtocolIsPureButForStreamsInMemory = noClasses()
            .that().resideInAPackage("..wire.intpd..")
            .should().dependOnClassesThat(not(resideInAnyPackage(
                    "java.lang..", "java.util..", "java.time..", "org.interference.yarn..")
                    .or(belongToAnyOf(
                            IOException.class, UncheckedIOException.class, ByteArrayOutputStream.class))));

    /** Bytes and protobuf's reader and writer of them, ADR-0002; no files, no network. */
    @ArchTest
    static final ArchRule theWireUsesProtobufAndJava = noClasses().that().resideInAPackage("..wire")
            .should().dependOnClassesThat(not(resideInAnyPackage(
                    "java.lang..", "java.util..", "java.time..", "java.io", "java.nio", "java.nio.charset",
                    "com.google.protobuf", "org.interference.yarn..")));

    /** It sees texts, not files. */
    @ArchTest
    static final ArchRule theServicesFileUsesJacksonAndJava = noClasses().that().resideInAPackage("..plan.file")
            .should().dependOnClassesThat(not(resideInAnyPackage(
                    "java.lang..", "java.util..", "com.fasterxml.jackson..", "org.interference.yarn..")));

    @ArchTest
    static final ArchRule hadoopStaysAtTheEdges = noClasses().that().resideOutsideOfPackages(EDGES)
            .should().dependOnClassesThat().resideInAPackage("org.apache.hadoop..");

    @ArchTest
    static final ArchRule timeIsAnArgument = noClasses()
            .that().resideOutsideOfPackages("org.interference.yarn", "..yarn.app..", "..nm.app..")
            .should().callMethod(System.class, "currentTimeMillis")
            .orShould().callMethod(System.class, "nanoTime")
            .orShould().callMethod(Instant.class, "now")
            .orShould().callMethod(InstantSource.class, "system")
            .orShould().callMethod(Clock.class, "systemUTC");

    /** A scheduler that knew the worlds that it is judged in would be judged by itself (ADR-0010). */
    @ArchTest
    static final ArchRule noPluginKnowsTheSimulator = noClasses()
            .should().dependOnClassesThat().resideInAnyPackage("org.interference.yarn.sim..", "org.interference.yarn.lab..");

    @ArchTest
    static final ArchRule noCycles = slices().matching("org.interference.yarn.(**)").should().beFreeOfCycles();
    // spotless:on
}
