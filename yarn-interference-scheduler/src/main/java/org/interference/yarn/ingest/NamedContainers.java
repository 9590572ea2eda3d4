package org.interference.yarn.ingest;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.interference.yarn.signal.ContainerReport;

/**
 * All containers that one report names, and what is believed of each, by what was believed of it before. Immutable.
 *
 * <p>Mostly every container goes on and is measured anew in each report; then only its id and its observed time are kept, as the next report
 * reads all of this from memory that has long left the processor's caches, 400,000 containers a second on a cluster of 10,000 nodes.
 */
final class NamedContainers {
    /** Two clocks never differ in rate by so much. */
    private static final int FASTEST = 2;
    /** Reports wait in queues, and come together then. */
    private static final long LATE_MILLIS = 60_000;
    /** Times of centuries are none, and must not overflow when something is added. */
    private static final long LONGEST_MILLIS = Long.MAX_VALUE / 4;
    /**
     * So many containers that the scheduler does not know count as load: they ended a moment ago, or are not yet recovered. A decision takes
     * longer for each neighbour, and a node could name ten thousand.
     */
    private static final int MOST_UNKNOWN = 16;

    private final List<ContainerReport> named;
    private final Instant receivedAt;
    private final ContainerIds ids;
    private final long[] observedMillis;
    /** Those that the scheduler has put here. */
    private final BitSet here;

    private final BitSet believed;
    /** The longest observed time that is believed of each container; null where it is for all as much more than observed as a report may be late. */
    private long[] believableMillis;
    /** The newest measurement of each container; null where this report measured every one of them anew. */
    private Held[] held;

    /**
     * A container's newest measurement.
     *
     * @param observedMillis its observed time then
     * @param since when the ResourceManager first received what it says
     */
    private record Held(ContainerReport report, long observedMillis, Instant since) {}

    /**
     * @param node host and port, as YARN writes a node id
     * @param last those of the sample before; null if there is none
     */
    NamedContainers(
            String node, List<ContainerReport> named, Instant receivedAt, NamedContainers last, Whereabouts scheduler) {
        this.named = named;
        this.receivedAt = receivedAt;
        this.ids = new ContainerIds(named);
        int size = named.size();
        this.observedMillis = new long[size];
        this.here = new BitSet(size);
        this.believed = new BitSet(size);
        long passed = last == null
                ? 0
                : FASTEST
                        * Math.max(
                                0, Duration.between(last.receivedAt, receivedAt).toMillis());
        Places before = new Places(last);
        int unknown = 0;
        for (int i = 0; i < size; i++) {
            ContainerReport container = named.get(i);
            observedMillis[i] = Math.min(container.observed().toMillis(), LONGEST_MILLIS);
            int place = before.find(ids, i, container.container());
            boolean wasHere = place >= 0 && last.here.get(place);
            Whereabouts.Answer where = wasHere ? Whereabouts.Answer.HERE : scheduler.of(container.container(), node);
            boolean isHere = where == Whereabouts.Answer.HERE;
            here.set(i, isHere);
            // What it said before the scheduler knew it is nobody's word.
            OptionalLong longest =
                    isHere && !wasHere ? scheduler.longestRunMillis(container.container()) : OptionalLong.empty();
            boolean credible = isCredible(i, last, place, passed, longest)
                    && where != Whereabouts.Answer.ELSEWHERE
                    && container.isPlausible();
            believed.set(i, credible);
            boolean runs = !container.ended() && where != Whereabouts.Answer.ELSEWHERE;
            unknown += runs && !isHere ? 1 : 0;
            if (runs && (isHere || unknown <= MOST_UNKNOWN)) {
                measure(i, credible && container.isMeasured(), last, place);
            } else {
                hold(i, null);
            }
        }
    }

    /**
     * @param place of the container in {@code last}; -1 if it is not there
     * @param passed since then by this side's clock, times {@value #FASTEST}, in ms
     * @param longest for which it can have run
     */
    private boolean isCredible(int i, NamedContainers last, int place, long passed, OptionalLong longest) {
        long observed = observedMillis[i];
        long bound = longest.isPresent() ? longest.getAsLong() + LATE_MILLIS : LONGEST_MILLIS;
        if (last == null) {
            // It may have run for long before this ResourceManager came.
            believe(i, Math.min(bound, observed + LATE_MILLIS));
            return observed <= bound;
        }
        boolean goesOn = place >= 0 && observed >= last.observedMillis[place];
        long most = Math.min(bound, goesOn ? last.believable(place) + passed : passed + LATE_MILLIS);
        boolean credible = observed <= most;
        believe(i, credible ? Math.min(most, observed + LATE_MILLIS) : most);
        return credible;
    }

    private void believe(int i, long millis) {
        if (believableMillis == null && millis != observedMillis[i] + LATE_MILLIS) {
            believableMillis = new long[named.size()];
            for (int earlier = 0; earlier < i; earlier++) {
                believableMillis[earlier] = observedMillis[earlier] + LATE_MILLIS;
            }
        }
        if (believableMillis != null) {
            believableMillis[i] = millis;
        }
    }

    private long believable(int i) {
        return believableMillis == null ? observedMillis[i] + LATE_MILLIS : believableMillis[i];
    }

    /** Takes the levels of this report, or those that its container had before if it says no others. */
    private void measure(int i, boolean isMeasured, NamedContainers last, int place) {
        boolean hadAny = place >= 0 && last.isHeld(place);
        if (hadAny && !(isMeasured && last.heldObservedMillis(place) != observedMillis[i])) {
            Held before = last.held(place);
            hold(i, new Held(isMeasured ? named.get(i) : before.report(), before.observedMillis(), before.since()));
        } else if (isMeasured) {
            if (held != null) {
                held[i] = anew(i);
            }
        } else {
            hold(i, null);
        }
    }

    /** @param one which is not this report's, or null */
    private void hold(int i, Held one) {
        if (held == null) {
            held = new Held[named.size()];
            for (int earlier = 0; earlier < i; earlier++) {
                held[earlier] = anew(earlier);
            }
        }
        held[i] = one;
    }

    private Held anew(int i) {
        return new Held(named.get(i), observedMillis[i], receivedAt);
    }

    private boolean isHeld(int i) {
        return held == null || held[i] != null;
    }

    private long heldObservedMillis(int i) {
        return held == null ? observedMillis[i] : held[i].observedMillis();
    }

    private Held held(int i) {
        return held == null ? anew(i) : held[i];
    }

    /** Returns how many are not believed. */
    int refused() {
        return named.size() - believed.cardinality();
    }

    /** Returns those that are believed. */
    List<ContainerReport> believed() {
        return only(believed);
    }

    /** Returns those that are believed and that the scheduler has put here. */
    List<ContainerReport> own() {
        BitSet own = (BitSet) believed.clone();
        own.and(here);
        return only(own);
    }

    private List<ContainerReport> only(BitSet some) {
        return some.cardinality() == named.size()
                ? named
                : some.stream().mapToObj(named::get).toList();
    }

    /** Returns of how many there is a measurement. */
    int measured() {
        return held == null
                ? named.size()
                : (int) Arrays.stream(held).filter(Objects::nonNull).count();
    }

    /** Returns of how many there is a measurement that was first received before {@code oldest}. */
    int measuredBefore(Instant oldest) {
        int old = 0;
        for (int i = 0; i < named.size(); i++) {
            old += isHeld(i) && !isLate(i, oldest) ? 1 : 0;
        }
        return old;
    }

    /** Returns of how many that the scheduler has put here there is a measurement that was first received at {@code oldest} or later. */
    int ownMeasuredSince(Instant oldest) {
        return (int) here.stream().filter(i -> isLate(i, oldest)).count();
    }

    /**
     * Shows the newest measurement of each of which there is one that was first received at {@code oldest} or later.
     *
     * @param goesOn returns whether the next is wanted
     */
    void visitMeasuredSince(Instant oldest, Predicate<ContainerReport> goesOn) {
        boolean wanted = true;
        for (int i = 0; i < named.size() && wanted; i++) {
            if (isLate(i, oldest)) {
                wanted = goesOn.test(held(i).report());
            }
        }
    }

    private boolean isLate(int i, Instant oldest) {
        return isHeld(i) && !(held == null ? receivedAt : held[i].since()).isBefore(oldest);
    }

    /** Finds containers in the last sample; asked in the order of the next one, which mostly is the same. Not thread-safe. */
    private static final class Places {
        private final NamedContainers last;
        private int next;
        /** Made when two reports differ in order. */
        private Map<String, Integer> byId;

        /** @param last null if there is none */
        Places(NamedContainers last) {
            this.last = last;
        }

        /** Returns where the last sample has number {@code i} of {@code ids}; -1 if it has not. */
        int find(ContainerIds ids, int i, String container) {
            if (last == null) {
                return -1;
            }
            if (!ids.isSame(i, last.ids, next)) {
                next = byId().getOrDefault(container, -1);
            }
            return next++;
        }

        private Map<String, Integer> byId() {
            if (byId == null) {
                byId = new HashMap<>();
                for (int i = 0; i < last.named.size(); i++) {
                    byId.put(last.named.get(i).container(), i);
                }
            }
            return byId;
        }
    }
}
