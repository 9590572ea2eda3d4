package org.interference.yarn.ingest;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.interference.yarn.signal.ContainerReport;

/**
 * The ids of one report's containers in one array. Immutable.
 *
 * <p>Each report's are compared with those of the one before, which has long left the processor's caches: here they stand in a row, where each
 * report's own id takes three places in memory.
 */
final class ContainerIds {
    /** Most ids are as long. */
    private static final int LENGTH = 42;

    private final byte[] bytes;
    /** Where each ends. */
    private final int[] ends;

    ContainerIds(List<ContainerReport> containers) {
        byte[] all = new byte[LENGTH * containers.size()];
        int[] ending = new int[containers.size()];
        int end = 0;
        for (int i = 0; i < ending.length; i++) {
            byte[] id = containers.get(i).container().getBytes(StandardCharsets.UTF_8);
            if (end + id.length > all.length) {
                all = Arrays.copyOf(all, Math.max(2 * all.length, end + id.length));
            }
            System.arraycopy(id, 0, all, end, id.length);
            end += id.length;
            ending[i] = end;
        }
        this.bytes = all;
        this.ends = ending;
    }

    /** Returns whether number {@code i} is number {@code other} of {@code others}; there may be none such. */
    boolean isSame(int i, ContainerIds others, int other) {
        return other < others.ends.length
                && Arrays.equals(bytes, start(i), ends[i], others.bytes, others.start(other), others.ends[other]);
    }

    private int start(int i) {
        return i == 0 ? 0 : ends[i - 1];
    }
}
