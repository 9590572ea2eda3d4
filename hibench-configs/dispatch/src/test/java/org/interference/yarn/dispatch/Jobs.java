package org.interference.yarn.dispatch;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Jobs that nobody runs. */
final class Jobs {
    private Jobs() {}

    static Job of(String workload) {
        return of(workload, Framework.MAPREDUCE);
    }

    static Job of(String workload, Framework framework) {
        return new Job(
                workload,
                framework,
                "Program",
                Optional.empty(),
                List.of("${output}"),
                Optional.empty(),
                Optional.empty());
    }

    /** Returns so many, each a kind of its own. */
    static List<Job> many(int count) {
        return IntStream.range(0, count).mapToObj(i -> of("job" + i)).toList();
    }
}
