package org.interference.yarn.nm.control;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * The cores of a node in an order in which neighbours share most: threads of one physical core, then physical cores of one NUMA node.
 * Immutable.
 *
 * @param physical the physical cores, each with its threads
 */
public record NodeCores(List<CoreSet> physical) {
    public NodeCores {
        physical = List.copyOf(physical);
        if (physical.isEmpty()) {
            throw new IllegalArgumentException("a node must have at least one core");
        }
    }

    /** Returns cores of which nothing but the numbers is known. */
    public static NodeCores of(CoreSet cores) {
        return new NodeCores(threadsOf(List.of(cores)));
    }

    private static List<CoreSet> threadsOf(Collection<CoreSet> sets) {
        return sets.stream()
                .flatMap(set -> set.cores().stream())
                .map(core -> CoreSet.of(List.of(core)))
                .toList();
    }

    /** Returns how many cores, threads of a physical one counted each, there are. */
    public int size() {
        return physical.stream().mapToInt(CoreSet::size).sum();
    }

    /** Returns the first {@code count} of them, which must be at least one. */
    public CoreSet first(int count) {
        return union(threadsOf(physical).subList(0, count));
    }

    /**
     * Hands out all cores by weight, each part of neighbours. Where every part is at least a physical core, or else a thread, parts are
     * disjoint and differ from their share by less than one; where they are smaller, a part is all cores that its share touches.
     *
     * @param weights at least one, each at least 1
     */
    List<CoreSet> split(List<Integer> weights) {
        long total = weights.stream().mapToLong(Integer::longValue).sum();
        long least = weights.stream().mapToLong(Integer::longValue).min().orElseThrow();
        List<CoreSet> units = least * physical.size() >= total ? physical : threadsOf(physical);
        boolean disjoint = least * units.size() >= total;
        List<CoreSet> parts = new ArrayList<>();
        long begin = 0;
        for (int weight : weights) {
            long end = begin + (long) units.size() * weight;
            parts.add(
                    disjoint
                            ? union(units.subList(rounded(begin, total), rounded(end, total)))
                            : union(units.subList((int) (begin / total), (int) ((end + total - 1) / total))));
            begin = end;
        }
        return parts;
    }

    private static int rounded(long dividend, long divisor) {
        return (int) ((2 * dividend + divisor) / (2 * divisor));
    }

    private static CoreSet union(List<CoreSet> sets) {
        TreeSet<Integer> cores = new TreeSet<>();
        sets.forEach(set -> cores.addAll(set.cores()));
        return new CoreSet(cores);
    }
}
