package org.interference.yarn.wire;

import java.util.Arrays;

/** Where parts of a message are in its bytes, in their order. Not thread-safe. */
final class Extents {
    /** Start and length of each in turn. */
    private int[] extents;

    private int count;

    /** @param expected how many there will mostly be at most */
    Extents(int expected) {
        extents = new int[2 * expected];
    }

    void add(int start, int length) {
        if (2 * count == extents.length) {
            extents = Arrays.copyOf(extents, 2 * extents.length);
        }
        extents[2 * count] = start;
        extents[2 * count + 1] = length;
        count++;
    }

    int count() {
        return count;
    }

    int start(int number) {
        return extents[2 * number];
    }

    int length(int number) {
        return extents[2 * number + 1];
    }

    int end(int number) {
        return start(number) + length(number);
    }
}
