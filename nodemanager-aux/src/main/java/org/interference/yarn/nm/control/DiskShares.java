package org.interference.yarn.nm.control;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Who may use how much of the disks: the shortest task is free, the longer ones are limited to what it leaves, so that it ends
 * early and the others lose nothing in the end. Shares are spread anew at every interval by what was really used, and never fall
 * below a floor. Pure.
 *
 * <p>With r(1) ... r(n) the rates of the users from the shortest to the longest, and C the capacity, the limit of user k is {@code
 * max(floor, C - headroom (r(1) + ... + r(k-1)))}: who does not use what he may leaves it to the next at once.
 *
 * @param floor share of the capacity that each is left, in (0, 0.5]; all floors together take half of it at most
 */
public record DiskShares(double floor) {
    /** A user of less than this is not limited and does not count; bytes a second. */
    public static final double LEAST_RATE = 1 << 20;

    /** Users whose work differs by less are treated alike. */
    private static final double ALIKE = 1.5;

    /** A user who got more than before would take more than he took. */
    private static final double HEADROOM = 1.25;

    /** Below this share of the capacity the disks are not contended for. */
    private static final double BUSY = 0.7;

    /** Who uses less than this share of his limit is not held back by it. */
    private static final double AT_ITS_LIMIT = 0.8;

    private static final double LARGEST_FLOOR = 0.5;

    public DiskShares {
        if (!(floor > 0 && floor <= LARGEST_FLOOR)) {
            throw new IllegalArgumentException("the floor must be in (0, 0.5], got " + floor);
        }
    }

    /**
     * One user of the disks.
     *
     * @param rate bytes a second in the newest window
     * @param left bytes that it will probably still read and write
     * @param limit bytes a second that it is limited to now
     */
    public record User(String container, double rate, double left, OptionalLong limit) {
        boolean heldBack() {
            return limit.isPresent() && rate >= AT_ITS_LIMIT * limit.getAsLong();
        }
    }

    /**
     * Returns who is limited to how many bytes a second; who is not named is free.
     *
     * @param capacity bytes a second that the disks can do
     */
    public Map<String, Long> limits(double capacity, List<User> users) {
        List<User> active = new ArrayList<>(
                users.stream().filter(user -> user.rate() >= LEAST_RATE).toList());
        if (active.size() < 2 || !isContended(capacity, active)) {
            return Map.of();
        }
        active.sort(Comparator.comparingDouble(User::left));
        double shortest = active.get(0).left();
        double each = Math.max(2 * LEAST_RATE, capacity * Math.min(floor, LARGEST_FLOOR / (active.size() - 1)));
        Map<String, Long> limits = new LinkedHashMap<>();
        double rest = capacity;
        for (User user : active) {
            if (user.left() > ALIKE * shortest) {
                limits.put(user.container(), Math.round(Math.max(each, rest)));
            }
            rest -= HEADROOM * user.rate();
        }
        return limits;
    }

    private static boolean isContended(double capacity, List<User> active) {
        double used = active.stream().mapToDouble(User::rate).sum();
        return used >= BUSY * capacity || active.stream().anyMatch(User::heldBack);
    }
}
