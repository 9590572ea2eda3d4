package org.interference.yarn.testbed;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;

/** Runs that were never made. */
final class MadeUpRuns {
    private MadeUpRuns() {}

    /** Two jobs of one container: one from 0 to {@code makespan}, one from 0 to half of it; four slots. */
    static RunResult of(String policy, int repetition, double makespan) {
        return new RunResult(
                new RunKey(Mix.CONTENDED, policy, repetition),
                new RunConditions(1, 0, 0, 2),
                4,
                List.of(job(1, makespan, "SUCCEEDED"), job(2, makespan / 2, "SUCCEEDED")),
                List.of(container(1, makespan), container(2, makespan / 2)),
                List.of(new ClusterUsage(2, 0.5, 0.25), new ClusterUsage(4, 1, 0.75), new ClusterUsage(6, 0.5, 1)));
    }

    static JobResult job(int number, double seconds, String state) {
        return new JobResult(
                number,
                "read",
                "application_1_000" + number,
                "a",
                1000,
                OptionalDouble.of(1001),
                OptionalDouble.of(1000 + seconds),
                state,
                1,
                List.of("host1"),
                seconds);
    }

    static ContainerResult container(int number, double seconds) {
        String application = "application_1_000" + number;
        return new ContainerResult(application, "container_" + number, "read", "host1", 1000, 1000 + seconds);
    }

    /** Anything that a run can be. */
    static RunResult random(Random random) {
        List<JobResult> jobs = new ArrayList<>();
        List<ContainerResult> containers = new ArrayList<>();
        for (int number = 1; number <= random.nextInt(5); number++) {
            boolean ran = random.nextBoolean();
            jobs.add(new JobResult(
                    number,
                    "kind" + random.nextInt(3),
                    ran ? "application_" + random.nextInt(1000) : "",
                    "b",
                    moment(random),
                    ran ? OptionalDouble.of(moment(random)) : OptionalDouble.empty(),
                    ran ? OptionalDouble.of(moment(random)) : OptionalDouble.empty(),
                    ran ? "SUCCEEDED" : "NEVER_SUBMITTED",
                    random.nextInt(4),
                    ran ? List.of("host1", "host" + (2 + random.nextInt(9))) : List.of(),
                    moment(random)));
            containers.add(new ContainerResult(
                    "application_" + number, "container_" + number, "kind", "host2", moment(random), moment(random)));
        }
        return new RunResult(
                new RunKey(random.nextBoolean() ? Mix.CONTENDED : Mix.UNCONTENDED, "fair", 1 + random.nextInt(9)),
                new RunConditions(moment(random), moment(random), moment(random), moment(random)),
                random.nextInt(100),
                jobs,
                containers,
                random.doubles(random.nextInt(4))
                        .mapToObj(any ->
                                new ClusterUsage(moment(random), random.nextInt(9) / 8.0, random.nextInt(9) / 8.0))
                        .toList());
    }

    /** As exact as the tables are. */
    private static double moment(Random random) {
        return random.nextInt(2_000_000_000) + random.nextInt(1000) / 1000.0;
    }
}
