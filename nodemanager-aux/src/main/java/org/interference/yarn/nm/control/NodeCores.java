package org.interference.yarn.nm.control;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
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

    /**
     * Hands out all cores by weight. Where every part is at least a physical core, or else a thread, parts are disjoint and differ from their share
     * by less than one; where they are smaller, a part is all cores that its share touches. With {@link CoreSharing#APART} each part is a physical core first,
     * if there are enough, and the others go one by one to whom most of his share is missing. Disjoint parts are of one NUMA node where they fit, the largest chosen for first.
     *
     * @param weights at least one, each at least 1
     */
    List<CoreSet> split(List<Integer> weights, CoreSharing sharing) {
        int count = weights.size();
        int cores = physical().size();
        if (sharing == CoreSharing.APART && cores >= count) {
            return new NumaParts(numaNodes).of(sizesFromOne(weights, cores));
        }
        long total = total(weights);
        long least = weights.stream().mapToLong(Integer::longValue).min().orElseThrow();
        if (least * cores >= total) {
            return new NumaParts(numaNodes).of(sizes(weights, cores));
        }
        List<CoreSet> threads = threadsOf(physical());
        return least * threads.size() >= total
                ? new NumaParts(numaNodes.stream().map(NodeCores::threadsOf).toList())
                        .of(sizes(weights, threads.size()))
                : overlapping(threads, weights);
    }

    private static long total(List<Integer> weights) {
        return weights.stream().mapToLong(Integer::longValue).sum();
    }

    /** Returns how many of {@code units} each gets; all of them, each his share rounded. */
    private static List<Integer> sizes(List<Integer> weights, int units) {
        long total = total(weights);
        List<Integer> sizes = new ArrayList<>();
        long begin = 0;
        for (int weight : weights) {
            long end = begin + (long) units * weight;
            sizes.add(rounded(end, total) - rounded(begin, total));
            begin = end;
        }
        return sizes;
    }

    /** Returns how many of {@code units} each gets, which are at least as many as there are weights; at least one. */
    private static List<Integer> sizesFromOne(List<Integer> weights, int units) {
        long total = total(weights);
        List<Integer> sizes = new ArrayList<>(Collections.nCopies(weights.size(), 1));
        for (int given = sizes.size(); given < units; given++) {
            int neediest = IntStream.range(0, sizes.size())
                    .boxed()
                    .max(Comparator.comparing(i -> (long) units * weights.get(i) - total * sizes.get(i)))
                    .orElseThrow();
            sizes.set(neediest, sizes.get(neediest) + 1);
        }
        return sizes;
    }

    private static int rounded(long dividend, long divisor) {
        return (int) ((2 * dividend + divisor) / (2 * divisor));
    }

    private static List<CoreSet> overlapping(List<CoreSet> threads, List<Integer> weights) {
        long total = total(weights);
        List<CoreSet> parts = new ArrayList<>();
        long begin = 0;
        for (int weight : weights) {
            long end = begin + (long) threads.size() * weight;
            parts.add(union(threads.subList((int) (begin / total), (int) ((end + total - 1) / total))));
            begin = end;
        }
        return parts;
    }

    static CoreSet union(List<CoreSet> sets) {
        TreeSet<Integer> cores = new TreeSet<>();
        sets.forEach(set -> cores.addAll(set.cores()));
        return new CoreSet(cores);
    }
}
