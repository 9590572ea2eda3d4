package org.interference.yarn.sim.workload;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** A list of runs of equal elements, in which a million equal tasks take no more room than one. Immutable. */
public final class RunLengthList<T> extends AbstractList<T> {
    private final List<T> values;
    /** Where each run ends, ascending. */
    private final int[] ends;

    private RunLengthList(List<T> values, int[] ends) {
        this.values = values;
        this.ends = ends;
    }

    /**
     * Returns {@code first} so many times, and then {@code second} so many times.
     *
     * @throws ArithmeticException if they are more than a list can have
     */
    public static <T> RunLengthList<T> of(T first, int times, T second, int moreTimes) {
        return new RunLengthList<>(List.of(first, second), new int[] {times, Math.addExact(times, moreTimes)});
    }

    /** Returns an unmodifiable copy of {@code list}; runs stay runs. */
    public static <T> List<T> copyOf(List<T> list) {
        return list instanceof RunLengthList ? list : List.copyOf(list);
    }

    /** Returns what {@code change} makes of each element of {@code list}, which must depend on the element alone; runs stay runs. */
    public static <T, R> List<R> map(List<T> list, Function<T, R> change) {
        if (list instanceof RunLengthList<T> runs) {
            List<R> changed = new ArrayList<>();
            runs.values.forEach(value -> changed.add(change.apply(value)));
            return new RunLengthList<>(List.copyOf(changed), runs.ends);
        }
        return list.stream().map(change).toList();
    }

    /** Returns elements among which is each of {@code list}, once or more often. */
    public static <T> List<T> values(List<T> list) {
        return list instanceof RunLengthList<T> runs ? runs.values : list;
    }

    @Override
    public T get(int index) {
        if (index < 0 || index >= size()) {
            throw new IndexOutOfBoundsException("index %d of %d".formatted(index, size()));
        }
        int found = Arrays.binarySearch(ends, index + 1);
        if (found < 0) {
            return values.get(-found - 1);
        }
        // Of runs that end at one place all but the first are empty.
        while (found > 0 && ends[found - 1] == ends[found]) {
            found--;
        }
        return values.get(found);
    }

    @Override
    public int size() {
        return ends[ends.length - 1];
    }
}
