package org.interference.yarn.sim.faults;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What was seen of one life. Not thread-safe; complete when the life is over. */
final class LifeHistory {
    /**
     * A container, at the moment when it was allocated.
     *
     * @param second since the life began
     * @param known whether the scheduler has the node
     * @param running whether the node is neither leaving nor gone
     * @param beats whether the scheduler decided because this node's heartbeat came: stock does so before it has taken in that the node leaves
     * @param heard whether its heartbeats come
     * @param reservedFor the attempt that had reserved the node before and has it reserved still; empty for none
     */
    record Allocated(
            int second,
            String attempt,
            long container,
            String node,
            boolean known,
            boolean running,
            boolean beats,
            boolean heard,
            String reservedFor) {
        String where() {
            return "%s: %d -> %s".formatted(attempt, container, node);
        }
    }

    /**
     * An ask, when it was served or its act was over.
     *
     * @param number in the order of the plan
     * @param roomy whether there was room for all that was asked for in that act
     * @param seconds that it waited, those aside in which no node had room
     */
    record Asked(int number, boolean roomy, int seconds, boolean served) {}

    /**
     * The end of an act.
     *
     * @param seconds until nobody waited any more, or nobody was served
     * @param lasted seconds until it was given up; what comes next begins then
     * @param waiting application and priority of those who were not
     * @param heldBySilent whether a node that does not report has something reserved, which YARN keeps until it takes the node for lost: meanwhile a
     *     queue whose headroom that uses up is blocked, and its siblings get nothing of what they would leave to it
     */
    record Drained(int act, int seconds, int lasted, Set<String> waiting, boolean heldBySilent) {
        Drained {
            waiting = sorted(waiting);
        }

        Drained(int act, int seconds, int lasted, Set<String> waiting) {
            this(act, seconds, lasted, waiting, false);
        }
    }

    /** The profile of the victim's tasks, as placement would use it. */
    record Profile(int second, String key, double cpu) {}

    /** The size of a collection of the plugin's, of which there should never be more than {@code most}. */
    record Size(int second, String what, int size, int most) {}

    /** How the plugin was after all had been quiet for a while. */
    record End(String configured, String inForce, String why, List<String> errors, Set<String> notStored) {
        End {
            errors = List.copyOf(errors);
            notStored = sorted(notStored);
        }
    }

    /** What is told of a life is the same text in every process; copied sets have another order in each. */
    private static Set<String> sorted(Set<String> some) {
        return Collections.unmodifiableSortedSet(new TreeSet<>(some));
    }

    private final List<Allocated> allocated = new ArrayList<>();
    private final List<Asked> asked = new ArrayList<>();
    private final List<Drained> drained = new ArrayList<>();
    private final List<String> thrown = new ArrayList<>();
    private final List<String> standby = new ArrayList<>();
    private final List<Profile> profiles = new ArrayList<>();
    private final List<String> unfair = new ArrayList<>();
    private final List<String> waitedForStore = new ArrayList<>();
    private final Map<String, Size> sizes = new TreeMap<>();
    private End end;
    private int second;

    /** Returns how many seconds were lived: of a minute that is quiet only the last one is. */
    int second() {
        return second;
    }

    void nextSecond() {
        second++;
    }

    List<Allocated> allocated() {
        return allocated;
    }

    List<Asked> asked() {
        return asked;
    }

    List<Drained> drained() {
        return drained;
    }

    /** What YARN was thrown, with the second. */
    List<String> thrown() {
        return thrown;
    }

    /** Adds to {@link #thrown}. */
    void threw(Throwable e) {
        StackTraceElement[] trace = e.getStackTrace();
        StringBuilder where = new StringBuilder();
        for (int i = 0; i < Math.min(6, trace.length); i++) {
            where.append(" at ").append(trace[i]);
        }
        thrown.add("second %d: %s%s".formatted(second, e, where));
    }

    /** Where a ResourceManager that should have become active did not, and why. */
    List<String> standby() {
        return standby;
    }

    List<Profile> profiles() {
        return profiles;
    }

    /** Allocations that somebody needier was passed over for by more than is allowed. */
    List<String> unfair() {
        return unfair;
    }

    /** When a thread of YARN's would have waited for the store. */
    List<String> waitedForStore() {
        return waitedForStore;
    }

    /** The largest that each collection was, as a share of its bound. */
    Map<String, Size> sizes() {
        return sizes;
    }

    void size(Size seen) {
        sizes.merge(
                seen.what(),
                seen,
                (one, other) -> (long) other.size() * one.most() > (long) one.size() * other.most() ? other : one);
    }

    /** Returns all that was seen, one line each: the same whenever and wherever the same plan is lived. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Collection<?> some :
                List.of(allocated, asked, drained, thrown, standby, profiles, unfair, waitedForStore, sizes.values())) {
            some.forEach(one -> lines.add(one.toString()));
        }
        lines.add(String.valueOf(end));
        return lines;
    }

    /** Null for a stock scheduler. */
    End end() {
        return end;
    }

    void end(End seen) {
        end = seen;
    }
}
