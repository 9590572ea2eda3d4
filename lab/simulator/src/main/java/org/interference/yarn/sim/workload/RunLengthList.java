package org.interference.yarn.sim.workload;

import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** A list of two runs of equal elements, in which a million equal tasks take no more room than one. Immutable. */
public final class RunLengthList<T> extends AbstractList<T> {
    private final T first;
    private final int times;
    private final T second;
    private final int size;

    private RunLengthList(T first, int times, T second, int size) {
        this.first = first;
        this.times = times;
        this.second = second;
        this.size = size;
    }

    /**
     * Returns {@code first} so many times, and then {@code second} so many times.
     *
     * @throws ArithmeticException if they are more than a list can have
     */
    public static <T> RunLengthList<T> of(T first, int times, T second, int moreTimes) {
        return new RunLengthList<>(first, times, second, Math.addExact(times, moreTimes));
    }

    /** Returns an unmodifiable copy of {@code list}; runs stay runs. */
    public static <T> List<T> copyOf(List<T> list) {
        return list instanceof RunLengthList ? list : List.copyOf(list);
    }

    /** Returns what {@code change} makes of each element of {@code list}, which must depend on the element alone; runs stay runs. */
    public static <T, R> List<R> map(List<T> list, Function<T, R> change) {
        return list instanceof RunLengthList<T> runs
                ? new RunLengthList<>(change.apply(runs.first), runs.times, change.apply(runs.second), runs.size)
                : list.stream().map(change).toList();
    }

    /** Returns elements among which is each of {@code list}, once or more often. */
    public static <T> List<T> values(List<T> list) {
        return list instanceof RunLengthList<T> runs ? List.of(runs.first, runs.second) : list;
    }

    @Override
    public T get(int index) {
        return Objects.checkIndex(index, size) < times ? first : second;
    }

    @Override
    public int size() {
        return size;
    }
}
