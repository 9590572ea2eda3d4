package org.interference.yarn.testbed;

import java.util.List;

/**
 * What every container of a job does.
 *
 * @param name the application's name, by which its profile is found
 * @param program who brings the containers
 * @param work the arguments of testbed/bin/work; of HiBench its workload, a folder below its bin/workloads; empty for one of Hadoop's examples
 */
public record Kind(String name, Program program, List<String> work) {
    /** Who brings the containers of a job, and what they do. */
    public enum Program {
        /** testbed/bin/work, in as many containers as the mix says. */
        FIXED_WORK,
        /** One of Hadoop's MapReduce examples, submitted from this process. */
        EXAMPLE,
        /** A workload of an installed HiBench, a process of its own. */
        HIBENCH
    }

    public Kind {
        work = List.copyOf(work);
    }

    public static Kind of(String name, String... work) {
        return new Kind(name, Program.FIXED_WORK, List.of(work));
    }

    static Kind example(String name) {
        return new Kind(name, Program.EXAMPLE, List.of());
    }

    static Kind hibench(String name, String workload) {
        return new Kind(name, Program.HIBENCH, List.of(workload));
    }

    /** Whether the dispatcher asks for its containers. */
    public boolean isFixedWork() {
        return program == Program.FIXED_WORK;
    }
}
