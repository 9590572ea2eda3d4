package org.interference.yarn.nm.control;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The cores of a node in an order in which neighbours share most: threads of one physical core, then physical cores of one NUMA node.
 * Immutable.
 *
 * @param numaNodes the NUMA nodes, each with its physical cores, each with its threads; none is empty
 */
public record NodeCores(List<List<CoreSet>> numaNodes) {
    public NodeCores {
        numaNodes = numaNodes.stream().map(List::copyOf).toList();
        if (numaNodes.isEmpty() || numaNodes.stream().anyMatch(List::isEmpty)) {
            throw new IllegalArgumentException("a node, and a NUMA node, must have at least one core");
        }
    }

    /** Returns cores of which nothing but the numbers is known. */
    public static NodeCores of(CoreSet cores) {
        return new NodeCores(List.of(threadsOf(List.of(cores))));
    }

    private static List<CoreSet> threadsOf(Collection<CoreSet> sets) {
        return sets.stream()
                .flatMap(set -> set.cores().stream())
                .map(core -> CoreSet.of(List.of(core)))
                .toList();
    }

    /** Returns the threads of which the first ones are of as many physical cores as possible. */
    private static List<CoreSet> threadsApart(Collection<CoreSet> sets) {
        int most = sets.stream().mapToInt(CoreSet::size).max().orElse(0);
        return IntStream.range(0, most)
                .boxed()
                .flatMap(thread ->
                        sets.stream().filter(set -> set.size() > thread).map(set -> set.slice(thread, thread + 1)))
                .toList();
    }

    /** Returns the physical cores, each with its threads. */
    public List<CoreSet> physical() {
        return numaNodes.stream().flatMap(List::stream).toList();
    }

    /** Returns how many cores, threads of a physical one counted each, there are. */
    public int size() {
        return size(physical());
    }

    private static int size(List<CoreSet> sets) {
        return sets.stream().mapToInt(CoreSet::size).sum();
    }

    /** Returns {@code count} of them, which must be at least one, of the first NUMA node that has as many, if one has. */
    public CoreSet few(int count, CoreSharing sharing) {
        List<CoreSet> from =
                numaNodes.stream().filter(one -> size(one) >= count).findFirst().orElse(physical());
        List<CoreSet> threads =
                switch (sharing) {
                    case SAME_CORE -> threadsOf(from);
                    case APART -> threadsApart(from);
                };
        return union(threads.subList(0, count));
    }

    /** Returns all of them. */
    public CoreSet all() {
        return union(physical());
    }

    private static CoreSet union(List<CoreSet> sets) {
        TreeSet<Integer> cores = new TreeSet<>();
        sets.forEach(set -> cores.addAll(set.cores()));
        return new CoreSet(cores);
    }
}
