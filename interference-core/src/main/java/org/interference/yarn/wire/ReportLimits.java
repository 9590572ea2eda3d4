package org.interference.yarn.wire;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Flow;

/** What a report may hold: the writer makes none that breaks this, and to the reader such a one is malformed (ADR-0002). */
final class ReportLimits {
    /** No node runs so many; a container of a few bytes takes a hundred times as many to hold. */
    private static final int MOST_CONTAINERS = 10_000;

    /** In bytes; YARN's ids are a quarter of this. Each may repeat the one before it, so that a long one would grow a report. */
    static final int LONGEST_ID = 255;

    private ReportLimits() {}

    /** @throws IllegalArgumentException if no reader takes so many containers */
    static void requireContainers(int count) {
        if (count > MOST_CONTAINERS) {
            throw new IllegalArgumentException("%d containers, at most %d are read".formatted(count, MOST_CONTAINERS));
        }
    }

    /** @throws IllegalArgumentException if no reader takes so many connections of one container */
    static void requireFlows(int count) {
        if (count > Flow.MOST) {
            throw new IllegalArgumentException("%d connections, at most %d are read".formatted(count, Flow.MOST));
        }
    }

    /** @throws IllegalArgumentException if no reader takes an id of so many bytes */
    static void requireIdLength(long length) {
        if (length > LONGEST_ID) {
            throw new IllegalArgumentException(
                    "a container id of %d bytes, at most %d are read".formatted(length, LONGEST_ID));
        }
    }

    /** @throws IllegalArgumentException if two of {@code containers} are the same one: no reader takes two words of it at once */
    static void requireDistinctIds(List<ContainerReport> containers) {
        if (idsAscend(containers)) {
            return;
        }
        Set<String> ids = new HashSet<>(2 * containers.size());
        for (ContainerReport container : containers) {
            if (!ids.add(container.container())) {
                throw new IllegalArgumentException("%s is named twice".formatted(container.container()));
            }
        }
    }

    /** A node lists its containers in the order of their ids, but for those that ended lately; then looking for one that comes twice costs nothing. */
    private static boolean idsAscend(List<ContainerReport> containers) {
        for (int i = 1; i < containers.size(); i++) {
            if (containers.get(i - 1).container().compareTo(containers.get(i).container()) >= 0) {
                return false;
            }
        }
        return true;
    }
}
