package org.interference.yarn.dispatch;

import java.util.List;
import java.util.Optional;

/**
 * What is to be submitted once. Immutable.
 *
 * @param workload its kind: the tag {@code ifc:<workload>} that its profile is filed under
 * @param program a class, or the program's path
 * @param jar what holds the class, if Hadoop's examples and this program's own jobs do not
 * @param arguments as the program gets them, with {@link Places} not yet filled in
 * @param data the data set that must be there before, by its name in workloads.tsv
 * @param queue empty for the one that the run names
 */
record Job(
        String workload,
        Framework framework,
        String program,
        Optional<String> jar,
        List<String> arguments,
        Optional<String> data,
        Optional<String> queue) {
    Job {
        arguments = List.copyOf(arguments);
    }
}
