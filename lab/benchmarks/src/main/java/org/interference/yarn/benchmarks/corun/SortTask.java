package org.interference.yarn.benchmarks.corun;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Sorts fresh arrays of boxed numbers without end, so that the heap is churned as well; a unit is one array. */
final class SortTask {
    private static final int LENGTH = 10_000;

    private final SplittableRandom random = new SplittableRandom(7);

    /** Sorts one array and returns its median. */
    long sortOne() {
        Long[] numbers = new Long[LENGTH];
        Arrays.setAll(numbers, i -> random.nextLong());
        Arrays.sort(numbers);
        return numbers[LENGTH / 2];
    }
}
