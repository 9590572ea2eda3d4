package org.interference.yarn.nm.control;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Some CPUs of the node, by their numbers. Immutable. */
public record CoreSet(SortedSet<Integer> cores) {
    /** More than any machine has; a longer range is a broken file. */
    private static final int MOST_CORES = 1 << 16;

    public CoreSet {
        cores = Collections.unmodifiableSortedSet(new TreeSet<>(cores));
        if (cores.isEmpty()) {
            throw new IllegalArgumentException("a set of cores must hold at least one");
        }
    }

    public static CoreSet of(Collection<Integer> cores) {
        return new CoreSet(new TreeSet<>(cores));
    }

    /**
     * Reads the kernel's notation, as in {@code 0-3,8}.
     *
     * @throws IllegalArgumentException if {@code list} is not in it, or empty
     */
    public static CoreSet parse(String list) {
        TreeSet<Integer> cores = new TreeSet<>();
        for (String range : list.strip().split(",", -1)) {
            String[] ends = range.split("-", 2);
            int first = Integer.parseInt(ends[0]);
            int last = Integer.parseInt(ends[ends.length - 1]);
            if (first < 0 || last < first || last - first >= MOST_CORES) {
                throw new IllegalArgumentException("no range of cores: " + range);
            }
            for (int core = first; core <= last; core++) {
                cores.add(core);
            }
        }
        return new CoreSet(cores);
    }

    public int size() {
        return cores.size();
    }

    /** Returns the cores from the {@code first}-th, counted from 0, to before the {@code end}-th. */
    public CoreSet slice(int first, int end) {
        return CoreSet.of(List.copyOf(cores).subList(first, end));
    }

    /** The kernel's notation. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        int first = cores.first();
        int last = first;
        for (int core : cores) {
            if (core > last + 1) {
                append(text, first, last);
                first = core;
            }
            last = core;
        }
        append(text, first, last);
        return text.toString();
    }

    private static void append(StringBuilder text, int first, int last) {
        text.append(text.isEmpty() ? "" : ",").append(first);
        if (last > first) {
            text.append('-').append(last);
        }
    }
}
