package org.interference.yarn.sim.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.interference.yarn.sim.faults.FaultPlan.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A life is a function of its plan: not of those before it, nor of what is another one in every process. */
@Timeout(900)
class ReplayTest {
    /** These were lived differently once: with fail-overs, disks that hang and much to choose from. */
    private static final Map<Kind, List<Long>> SEEDS = new TreeMap<>(Map.of(
            Kind.CAPACITY_BY_HEARTBEATS, List.of(1L, 7L, 39L),
            Kind.CAPACITY_BY_PASSES, List.of(2L, 20L, 37L),
            Kind.FAIR, List.of(18L, 27L, 96L)));

    @TempDir
    private Path directory;

    @Test
    void inAnotherOrderAndAnotherProcessItIsLivedAgain() throws Exception {
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Path told = directory.resolve("told");
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        // Sets and enums have other hashes in every process; these also have others than they mostly
                        // have.
                        "-XX:+UnlockExperimentalVMOptions",
                        "-XX:hashCode=0",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ReplayTest.class.getName(),
                        elsewhere.toString())
                .redirectErrorStream(true)
                .redirectOutput(told.toFile())
                .start();
        Path here = Files.createDirectory(directory.resolve("here"));
        live(plans(), here);

        assertThat(process.waitFor()).as(Files.readString(told)).isZero();
        assertThat(lives(elsewhere)).isEqualTo(lives(here)).hasSize(27);
    }

    /** Lives all, the last first, and writes into a directory what was seen. */
    public static void main(String[] arguments) throws IOException {
        List<FaultPlan> plans = plans();
        Collections.reverse(plans);
        live(plans, Path.of(arguments[0]));
        // YARN leaves threads behind.
        // main-program:off
        System.exit(0);
        // main-program:on
    }

    private static List<FaultPlan> plans() {
        List<FaultPlan> plans = new ArrayList<>();
        SEEDS.forEach((kind, seeds) -> seeds.forEach(seed -> plans.add(FaultPlan.of(seed, kind))));
        return plans;
    }

    private static void live(List<FaultPlan> plans, Path directory) throws IOException {
        for (FaultPlan plan : plans) {
            Optional<LifeHistory> stock = Optional.empty();
            for (Variant variant : Variant.values()) {
                LifeHistory history = ClusterLife.of(plan, variant, stock, directory);
                stock = stock.or(() -> Optional.of(history));
                Files.write(
                        directory.resolve("%s-%d-%s.life".formatted(plan.kind(), plan.seed(), variant)),
                        history.lines());
            }
        }
    }

    private static Map<String, List<String>> lives(Path directory) throws IOException {
        Map<String, List<String>> lives = new TreeMap<>();
        try (var files = Files.newDirectoryStream(directory, "*.life")) {
            for (Path file : files) {
                lives.put(file.getFileName().toString(), Files.readAllLines(file));
            }
        }
        return lives;
    }
}
