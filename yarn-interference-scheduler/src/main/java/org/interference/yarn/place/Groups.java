package org.interference.yarn.place;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiPredicate;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;

/**
 * Applications whose first containers are to start together or not yet: the tiers of a service that talk to each other (ADR-0058). Such an application gets
 * nothing before there is room for all of them at once, or its wait is over. It holds nothing meanwhile, so no two groups wait for each other, and each wait ends by the
 * clock alone. Once admitted it is never kept back again. Thread-safe; time is an argument.
 */
public final class Groups {
    /** How many containers start together. */
    private static final String TAG = "ifc-group:";

    private static final int LEAST = 2;
    /** More start together nowhere. */
    public static final int MOST = 1000;

    /** By application attempt: those that wait, and those that have been admitted. */
    private final ConcurrentMap<String, Group> groups = new ConcurrentHashMap<>();

    /** Whether any of them is more than remembered. */
    private volatile boolean anybody;

    /** What has become of a group. */
    private enum State {
        WAITS,
        /** There was room for all of it, and others are not to take that for theirs until it has got it, or its wait would have been over. */
        JOINS,
        /** As any other application. */
        FREE
    }

    private record Group(int size, Instant until, State state, int there) {
        boolean waits(Instant now) {
            return state == State.WAITS && now.isBefore(until);
        }

        Group with(State next, int found) {
            return new Group(size, until, next, found);
        }
    }

    /**
     * One that waits.
     *
     * @param attempt as YARN writes it
     * @param size containers that are to start together
     * @param there how many of them it has, or there is room for at once
     * @param left until it waits no more; not negative
     */
    public record Waiting(String attempt, int size, int there, Duration left) {
        /** Returns the application id as YARN writes it. */
        public String application() {
            return Request.application(attempt);
        }

        /** Returns a sentence for people. */
        public String sentence() {
            return "waits for its group: %d of %d fit, %d s left".formatted(there, size, left.toSeconds());
        }
    }

    /**
     * What one application has, and asks for beside that.
     *
     * @param running containers, the ApplicationMaster's aside
     * @param asked one size for each container that it asks for and that may be anywhere, in any order
     * @param elsewhere how many more it asks for of which nobody here can say whether there is room: they are taken to fit
     * @param most what it may still have in all; empty for anything
     */
    public record Wanted<R>(String attempt, int running, List<R> asked, int elsewhere, Optional<R> most) {
        public Wanted {
            asked = List.copyOf(asked);
        }
    }

    /**
     * How sizes are compared and taken from each other.
     *
     * @param fits whether the first is no more than the second
     * @param minus the second taken from the first
     * @param largestFirst the order in which they are fitted in
     */
    public record Arithmetic<R>(BiPredicate<R, R> fits, BinaryOperator<R> minus, Comparator<R> largestFirst) {}

    /** Returns how many containers are to start together by an application's tags, from 2 to 1,000; empty if none says so by the rule. Of several the largest counts. */
    public static OptionalInt size(Collection<String> tags) {
        return tags.stream()
                .filter(tag -> tag.startsWith(TAG))
                .map(tag -> tag.substring(TAG.length()))
                .filter(digits -> digits.matches("[1-9][0-9]{0,3}"))
                .mapToInt(Integer::parseInt)
                .filter(size -> size >= LEAST && size <= MOST)
                .max();
    }

    /** Notes that an application asks for containers; its wait begins with the first time. */
    public void asks(String attempt, int size, Duration most, Instant now) {
        if (!groups.containsKey(attempt)) {
            synchronized (this) {
                groups.putIfAbsent(attempt, new Group(size, now.plus(most), State.WAITS, 0));
                anybody = true;
            }
        }
    }

    /** Returns whether there may be an application that waits or that has not got all of its group: mostly there is none. */
    public boolean isAnybody() {
        return anybody;
    }

    /** Returns whether {@code attempt} is to get nothing now. */
    public boolean keeps(String attempt, Instant now) {
        Group group = groups.get(attempt);
        return group != null && group.waits(now);
    }

    /**
     * Looks for whom there is room, in the order in which their waits began. What a group that has been admitted has not got yet is nobody else's.
     *
     * @param wanted what those want that were known when the look began
     * @param free of each node
     */
    public <R> void look(List<Wanted<R>> wanted, List<R> free, Arithmetic<R> arithmetic, Instant now) {
        groups.replaceAll(
                (attempt, group) -> now.isBefore(group.until()) ? group : group.with(State.FREE, group.there()));
        noteWhetherAnybody();
        Room<R> room = new Room<>(free, arithmetic);
        inOrder(wanted, State.JOINS).forEach(one -> joins(one, room));
        inOrder(wanted, State.WAITS).forEach(one -> waits(one, room));
    }

    private synchronized void noteWhetherAnybody() {
        anybody = groups.values().stream().anyMatch(group -> group.state() != State.FREE);
    }

    private <R> List<Wanted<R>> inOrder(List<Wanted<R>> wanted, State state) {
        return wanted.stream()
                .filter(one -> groups.containsKey(one.attempt())
                        && groups.get(one.attempt()).state() == state)
                .sorted(Comparator.comparing(
                                (Wanted<R> one) -> groups.get(one.attempt()).until())
                        .thenComparing(Wanted::attempt))
                .toList();
    }

    private <R> void joins(Wanted<R> wanted, Room<R> room) {
        groups.computeIfPresent(wanted.attempt(), (attempt, group) -> {
            if (wanted.running() >= group.size()) {
                return group.with(State.FREE, group.size());
            }
            room.take(wanted, group.size() - wanted.running());
            return group;
        });
    }

    private <R> void waits(Wanted<R> wanted, Room<R> room) {
        groups.computeIfPresent(wanted.attempt(), (attempt, group) -> {
            int missing = Math.max(0, group.size() - wanted.running());
            Room<R> trial = room.copy();
            int there = wanted.running() + trial.take(wanted, missing);
            if (there < group.size()) {
                return group.with(State.WAITS, there);
            }
            room.become(trial);
            return group.with(State.JOINS, group.size());
        });
    }

    /** What is free, less what is taken. */
    private static final class Room<R> {
        private final Arithmetic<R> arithmetic;
        private List<R> free;

        Room(List<R> free, Arithmetic<R> arithmetic) {
            this.free = new ArrayList<>(free);
            this.arithmetic = arithmetic;
        }

        Room<R> copy() {
            return new Room<>(free, arithmetic);
        }

        void become(Room<R> other) {
            free = other.free;
        }

        /** Takes room for up to {@code most} of what is wanted, the largest first, each on the first node that has it, and returns for how many there was. */
        int take(Wanted<R> wanted, int most) {
            int taken = Math.min(most, wanted.elsewhere());
            Optional<R> allowed = wanted.most();
            // What had no room for a size has none for another of that: what is free becomes less.
            Map<R, Integer> next = new HashMap<>();
            for (R size : wanted.asked().stream()
                    .sorted(arithmetic.largestFirst())
                    .limit(most - taken)
                    .toList()) {
                int node = allowed.filter(left -> !arithmetic.fits().test(size, left))
                                .isPresent()
                        ? -1
                        : firstWith(size, next.getOrDefault(size, 0));
                next.put(size, node < 0 ? free.size() : node);
                if (node >= 0) {
                    free.set(node, arithmetic.minus().apply(free.get(node), size));
                    allowed = allowed.map(left -> arithmetic.minus().apply(left, size));
                    taken++;
                }
            }
            return taken;
        }

        private int firstWith(R size, int from) {
            for (int node = from; node < free.size(); node++) {
                if (arithmetic.fits().test(size, free.get(node))) {
                    return node;
                }
            }
            return -1;
        }
    }

    /** Returns those that wait, in the order in which their waits end. */
    public List<Waiting> waiting(Instant now) {
        return groups.keySet().stream()
                .flatMap(attempt -> waiting(attempt, now).stream())
                .sorted(Comparator.comparing(Waiting::left).thenComparing(Waiting::attempt))
                .toList();
    }

    /** Returns the one of {@code attempt}, if it waits. */
    public Optional<Waiting> waiting(String attempt, Instant now) {
        return Optional.ofNullable(groups.get(attempt))
                .filter(group -> group.waits(now))
                .map(group -> new Waiting(attempt, group.size(), group.there(), Duration.between(now, group.until())));
    }

    /** Lets everybody go on who waits: they are as any other application. */
    public void forgetAll() {
        groups.replaceAll((attempt, group) -> group.with(State.FREE, group.there()));
        noteWhetherAnybody();
    }

    /** Returns whether {@code attempt} has asked for a group. */
    public boolean knows(String attempt) {
        return groups.containsKey(attempt);
    }

    /** Forgets all but those that live. */
    public void retain(Predicate<String> lives) {
        groups.keySet().removeIf(lives.negate());
    }
}
