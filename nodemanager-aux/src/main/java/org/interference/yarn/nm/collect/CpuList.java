package org.interference.yarn.nm.collect;

/** The kernel's notation for a set of CPUs, as in {@code 0-3,8}. */
final class CpuList {
    private CpuList() {}

    /** Returns how many CPUs {@code list} holds. */
    static int size(String list) {
        int size = 0;
        for (String range : list.strip().split(",", -1)) {
            String[] ends = range.split("-", -1);
            int first = Integer.parseInt(ends[0]);
            size += Integer.parseInt(ends[ends.length - 1]) - first + 1;
        }
        return size;
    }
}
