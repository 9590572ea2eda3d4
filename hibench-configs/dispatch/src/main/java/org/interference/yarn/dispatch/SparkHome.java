package org.interference.yarn.dispatch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A Spark installation: a folder with {@code jars}. Immutable.
 *
 * @param jobs the jar of this project's jobs, which stand in for HiBench's; empty if they were not built
 * @param settings {@code spark.*} properties of every job
 */
record SparkHome(Path path, Optional<Path> jobs, Map<String, String> settings) {
    SparkHome {
        settings = Map.copyOf(settings);
    }

    /** What is enough for jobs of the scale tiny, and for nodes that share this machine and so have the jars at the same place. */
    private static Map<String, String> ofStandIn(Path home) {
        return Map.of(
                "spark.yarn.jars",
                "local:%s/jars/*".formatted(home),
                "spark.ui.enabled",
                "false",
                "spark.driver.memory",
                "512m",
                "spark.executor.memory",
                "512m",
                "spark.executor.instances",
                "2",
                "spark.default.parallelism",
                "4",
                "spark.sql.shuffle.partitions",
                "4");
    }

    /**
     * Returns the installation to use.
     *
     * @param named by the user; empty if none is
     * @param module the folder of the project's own jobs, where the build puts a Spark beside them
     * @param settings what the user says of every job, which counts more than what is said here
     */
    static SparkHome find(Optional<Path> named, Path module, Map<String, String> settings) {
        Path target = module.resolve("target").toAbsolutePath().normalize();
        Path jar = target.resolve("spark-jobs.jar");
        Path home = named.map(Path::toAbsolutePath).orElse(target.resolve("spark"));
        Map<String, String> all = new TreeMap<>(named.isPresent() ? Map.of() : ofStandIn(home));
        all.putAll(settings);
        return new SparkHome(home, Optional.of(jar).filter(Files::isRegularFile), all);
    }

    List<Path> jars() throws IOException {
        Path folder = path.resolve("jars");
        if (!Files.isDirectory(folder)) {
            throw new IOException(
                    "there is no Spark at %s; --spark-home names one, and mvn -Pspark package -pl :spark-jobs -am puts one together"
                            .formatted(path));
        }
        try (Stream<Path> files = Files.list(folder)) {
            return new ArrayList<>(files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList());
        }
    }
}
