package org.interference.yarn.testbed;

import java.util.List;

/**
 * What every container of a job does.
 *
 * @param name the application's name, by which its profile is found
 * @param work the arguments of testbed/bin/work; empty for a MapReduce application, which brings its own containers
 */
public record Kind(String name, List<String> work) {
    public Kind {
        work = List.copyOf(work);
    }

    public static Kind of(String name, String... work) {
        return new Kind(name, List.of(work));
    }

    public boolean isMapReduce() {
        return work.isEmpty();
    }
}
