package org.interference.yarn.nm.attribute;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What a container runs: its role, and the main class of its program or, if that is not Java's, the program's name.
 *
 * <p>Numbers are left out of the name, so that neither a version nor a run makes another identity. Neither part has a
 * path, an argument or a variable of the environment in it.
 */
public record LaunchIdentity(LaunchRole role, String main) {
    private static final int LONGEST_MAIN = 512;

    private static final Map<String, LaunchRole> ROLES = Map.ofEntries(
            Map.entry("org.apache.hadoop.mapreduce.v2.app.MRAppMaster", LaunchRole.MAPREDUCE_MASTER),
            Map.entry("org.apache.spark.deploy.yarn.ApplicationMaster", LaunchRole.SPARK_DRIVER),
            Map.entry("org.apache.spark.deploy.yarn.ExecutorLauncher", LaunchRole.SPARK_MASTER),
            Map.entry("org.apache.spark.executor.YarnCoarseGrainedExecutorBackend", LaunchRole.SPARK_EXECUTOR),
            Map.entry("org.apache.spark.executor.CoarseGrainedExecutorBackend", LaunchRole.SPARK_EXECUTOR),
            Map.entry("org.apache.tez.dag.app.DAGAppMaster", LaunchRole.TEZ_MASTER),
            Map.entry("org.apache.tez.runtime.task.TezChild", LaunchRole.TEZ_TASK),
            Map.entry(
                    "org.apache.hadoop.yarn.applications.distributedshell.ApplicationMaster",
                    LaunchRole.DISTRIBUTEDSHELL_MASTER),
            Map.entry("org.apache.storm.daemon.nimbus.Nimbus", LaunchRole.STORM_MASTER),
            Map.entry("com.yahoo.storm.yarn.MasterServer", LaunchRole.STORM_MASTER),
            Map.entry("org.apache.storm.daemon.supervisor.Supervisor", LaunchRole.STORM_SUPERVISOR),
            Map.entry("org.apache.storm.daemon.worker.Worker", LaunchRole.STORM_WORKER));

    private static final String MAPREDUCE_TASK = "org.apache.hadoop.mapred.YarnChild";

    public LaunchIdentity {
        Objects.requireNonNull(role, "role is null");
        Objects.requireNonNull(main, "main is null");
    }

    /** Reads the commands of a launch context; empty if they name no program. Never throws on what they hold. */
    public static Optional<LaunchIdentity> of(List<String> commands) {
        return LaunchProgram.of(String.join(" ", commands))
                .map(LaunchIdentity::of)
                .filter(identity -> !identity.main().isEmpty());
    }

    private static LaunchIdentity of(LaunchProgram program) {
        return new LaunchIdentity(role(program), shortened(program.name().replaceAll("[0-9]+", "")));
    }

    private static LaunchRole role(LaunchProgram program) {
        if (program.kind() == LaunchProgram.Kind.SHELL) {
            return LaunchRole.SHELL_SCRIPT;
        }
        if (program.kind() == LaunchProgram.Kind.JAVA && program.name().equals(MAPREDUCE_TASK)) {
            return program.arguments().stream()
                    .filter(argument -> argument.startsWith("attempt_"))
                    .findFirst()
                    .map(LaunchIdentity::mapOrReduce)
                    .orElse(LaunchRole.UNKNOWN);
        }
        return program.kind() == LaunchProgram.Kind.JAVA
                ? ROLES.getOrDefault(program.name(), LaunchRole.UNKNOWN)
                : LaunchRole.UNKNOWN;
    }

    private static LaunchRole mapOrReduce(String attempt) {
        if (attempt.contains("_m_")) {
            return LaunchRole.MAPREDUCE_MAP;
        }
        return attempt.contains("_r_") ? LaunchRole.MAPREDUCE_REDUCE : LaunchRole.UNKNOWN;
    }

    private static String shortened(String name) {
        return name.length() <= LONGEST_MAIN ? name : name.substring(0, LONGEST_MAIN);
    }

    /** Returns the text that is hashed: the role and the main class, each on its line. */
    public String canonical() {
        return role.name() + '\n' + main;
    }
}
