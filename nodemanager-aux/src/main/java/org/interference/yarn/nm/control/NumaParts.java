package org.interference.yarn.nm.control;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Cuts units of cores, which lie in NUMA nodes, into disjoint parts of given sizes. A part is of one NUMA node where it fits: the largest is chosen for first, and
 * goes where the least stays free (best fit, decreasing). So fewer parts than there are NUMA nodes lie in several. Used once, by one thread.
 */
final class NumaParts {
    private static final int NOWHERE = -1;

    private final List<Deque<CoreSet>> free;

    NumaParts(Collection<? extends Collection<CoreSet>> numaNodes) {
        free = numaNodes.stream().<Deque<CoreSet>>map(ArrayDeque::new).toList();
    }

    /**
     * Returns the parts, in the order of {@code sizes}; in a NUMA node they lie in it, too.
     *
     * @param sizes each at least 1, together at most as many as there are units
     */
    List<CoreSet> of(List<Integer> sizes) {
        List<Integer> homes = homes(sizes);
        List<CoreSet> parts = new ArrayList<>(Collections.nCopies(sizes.size(), null));
        for (int i = 0; i < sizes.size(); i++) {
            if (homes.get(i) != NOWHERE) {
                parts.set(i, taken(List.of(free.get(homes.get(i))), sizes.get(i)));
            }
        }
        for (int i = 0; i < sizes.size(); i++) {
            if (homes.get(i) == NOWHERE) {
                parts.set(i, taken(free, sizes.get(i)));
            }
        }
        return parts;
    }

    private List<Integer> homes(List<Integer> sizes) {
        List<Integer> room = new ArrayList<>(free.stream().map(Deque::size).toList());
        List<Integer> homes = new ArrayList<>(Collections.nCopies(sizes.size(), NOWHERE));
        List<Integer> largestFirst = IntStream.range(0, sizes.size())
                .boxed()
                .sorted(Comparator.comparing(sizes::get, Comparator.reverseOrder()))
                .toList();
        for (int part : largestFirst) {
            int size = sizes.get(part);
            OptionalInt home = IntStream.range(0, room.size())
                    .filter(one -> room.get(one) >= size)
                    .boxed()
                    .min(Comparator.comparing(room::get))
                    .stream()
                    .mapToInt(Integer::intValue)
                    .findFirst();
            home.ifPresent(one -> {
                homes.set(part, one);
                room.set(one, room.get(one) - size);
            });
        }
        return homes;
    }

    private static CoreSet taken(List<Deque<CoreSet>> from, int count) {
        List<CoreSet> taken = new ArrayList<>();
        for (Deque<CoreSet> units : from) {
            while (taken.size() < count && !units.isEmpty()) {
                taken.add(units.removeFirst());
            }
        }
        return NodeCores.union(taken);
    }
}
