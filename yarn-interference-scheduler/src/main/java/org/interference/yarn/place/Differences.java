package org.interference.yarn.place;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * By how much the placements would have differed from the parent's, hour by hour, by queue and by application: what there is to gain,
 * before anybody switches on. Only placements in mode {@link Mode#SHADOW}, where the parent chose. Thread-safe; a week is kept.
 */
public final class Differences {
    private static final Duration KEPT = Duration.ofDays(7);
    /** So many queues, and so many applications, are told apart in an hour; what comes later is counted together. */
    private static final int MOST = 1000;
    /** The name under which further queues and applications are counted. */
    public static final String OTHERS = "(others)";

    /** Oldest first. */
    private final Deque<Hour> hours = new ArrayDeque<>();

    private record Hour(Instant from, Map<String, Saved> queues, Map<String, Saved> applications) {
        static Hour of(Instant from) {
            return new Hour(from, new HashMap<>(), new HashMap<>());
        }
    }

    /**
     * What was seen of some placements. Immutable. Slowdowns are predictions: 1.0 is no interference.
     *
     * @param placements that were decided about; others cannot differ
     * @param differing how many of the nodes would have gone to another task that waited, or been left; with multi-node placement, how many of the
     *     containers to another node
     * @param parentsSlowdown sum of the own slowdowns of whom the parent served
     * @param bestSlowdown the same of whom the plugin would have served, 1 for a node that is left
     * @param offers what was saved at nodes that were offered to all who waited
     * @param orders what was saved by the order of several nodes for one request, as with multi-node placement
     * @param gains sum over the offers of the variance of what the contenders would gain, as far as the errors of that are known
     * @param errors sum over the offers of the variance of the errors of these gains
     */
    public record Saved(
            long placements,
            long differing,
            double parentsSlowdown,
            double bestSlowdown,
            Savings offers,
            Savings orders,
            double gains,
            double errors) {
        static final Saved NONE = new Saved(0, 0, 0, 0, Savings.NONE, Savings.NONE, 0, 0);

        static Saved of(Verdict parents, Verdict best, double runSeconds) {
            // The gains are less what tags cost: a wish that is broken takes nobody's time.
            double work = parents.interference() - best.interference();
            return new Saved(
                    1,
                    parents.node().equals(best.node()) ? 0 : 1,
                    parents.ownSlowdown(),
                    best.ownSlowdown(),
                    Savings.NONE,
                    Savings.of(work, work * runSeconds),
                    0,
                    0);
        }

        /** What of an offer was told only: the node would have gone to another one, or been left. */
        static Saved of(Offered offered) {
            double parents = offered.contenders().get(0).ownSlowdown();
            double best = offered.decision().winner().isPresent()
                    ? offered.contenders()
                            .get(offered.decision().winner().getAsInt())
                            .ownSlowdown()
                    : 1;
            return new Saved(
                    1,
                    offered.differs() ? 1 : 0,
                    parents,
                    best,
                    Savings.of(offered.saved(), offered.savedSeconds()),
                    Savings.NONE,
                    offered.varianceOfGains(),
                    offered.varianceOfErrors());
        }

        /**
         * Returns which part of what {@link #offers} are predicted to save is to be expected: whoever is chosen for the highest of several predictions
         * has, on the mean, been predicted too much. By the empirical Bayes estimate for normal errors (Efron and Morris 1975): one less the errors'
         * variance over the predictions', from 0 to 1; 1 while nobody knows the errors.
         */
        public double expected() {
            return gains == 0 ? 1 : Math.max(0, 1 - errors / gains);
        }

        /**
         * Returns this with {@code part} of what the offers were predicted to save. What {@link #orders} save stays as it is predicted: of the errors of
         * these predictions nothing is known, and those of the offers say nothing of them.
         */
        public Saved expecting(double part) {
            return new Saved(
                    placements, differing, parentsSlowdown, bestSlowdown, offers.times(part), orders, gains, errors);
        }

        /** Returns the work that the nodes would have got done more in a second, in tasks alone. */
        public double savedWork() {
            return offers.work() + orders.work();
        }

        /** Returns the same in seconds of the kinds' mean run times. */
        public double savedSeconds() {
            return offers.seconds() + orders.seconds();
        }

        /**
         * Returns half of the 95 % interval of {@link #savedSeconds}, placements taken as independent, by the normal approximation: 1.96 s √n, where
         * s² is the unbiased variance and 1.96 the standard normal 0.975 quantile. Empty of fewer than two placements.
         */
        public OptionalDouble savedSecondsHalfWidth() {
            if (placements < 2) {
                return OptionalDouble.empty();
            }
            double squares = offers.secondsSquared() + orders.secondsSquared();
            double variance = Math.max(0, squares - savedSeconds() * savedSeconds() / placements) / (placements - 1);
            return OptionalDouble.of(1.96 * Math.sqrt(variance * placements));
        }

        Saved and(Saved more) {
            return new Saved(
                    placements + more.placements,
                    differing + more.differing,
                    parentsSlowdown + more.parentsSlowdown,
                    bestSlowdown + more.bestSlowdown,
                    offers.and(more.offers),
                    orders.and(more.orders),
                    gains + more.gains,
                    errors + more.errors);
        }
    }

    /**
     * By how much some placements would have been better, as predicted. Immutable.
     *
     * @param work sum of the work that the nodes would have got done more in a second, in tasks alone; of an order of several nodes, of what the
     *     task and its neighbours would have lost less on the best one
     * @param seconds the same in seconds of the kinds' mean run times
     * @param secondsSquared sum of the squares of each placement's seconds, for an interval
     */
    public record Savings(double work, double seconds, double secondsSquared) {
        static final Savings NONE = new Savings(0, 0, 0);

        /** Of one placement. */
        static Savings of(double work, double seconds) {
            return new Savings(work, seconds, seconds * seconds);
        }

        Savings times(double part) {
            return new Savings(part * work, part * seconds, part * part * secondsSquared);
        }

        Savings and(Savings more) {
            return new Savings(work + more.work, seconds + more.seconds, secondsSquared + more.secondsSquared);
        }
    }

    /**
     * What was seen in a period.
     *
     * @param from the beginning of its first hour; empty if nothing was seen
     * @param queues by full path
     * @param applications by application id
     */
    public record Period(
            Optional<Instant> from,
            Saved all,
            SortedMap<String, Saved> queues,
            SortedMap<String, Saved> applications) {}

    /** Notes that the parent has placed what {@code ranking} is about on {@code node}. */
    void add(Ranking ranking, String node, Instant now) {
        if (ranking.mode() != Mode.SHADOW) {
            return;
        }
        if (ranking.offered().isPresent()) {
            add(ranking, Saved.of(ranking.offered().get()), now);
            return;
        }
        if (ranking.reason() != Ranking.Reason.RANKED) {
            return;
        }
        Optional<Verdict> parents = ranking.verdicts().stream()
                .filter(verdict -> verdict.node().equals(node) && verdict.reason() == Verdict.Reason.RANKED)
                .findFirst();
        Optional<Verdict> best = ranking.verdicts().stream()
                .filter(verdict -> verdict.reason() == Verdict.Reason.RANKED)
                .findFirst();
        if (parents.isEmpty() || best.isEmpty()) {
            return;
        }
        double runSeconds = ranking.profile()
                .map(profile -> profile.runTimeSeconds().mean())
                .orElse(0.0);
        add(ranking, Saved.of(parents.get(), best.get(), runSeconds), now);
    }

    private void add(Ranking ranking, Saved saved, Instant now) {
        synchronized (hours) {
            Hour hour = hour(now);
            add(hour.queues(), ranking.request().queue(), saved);
            add(hour.applications(), ranking.request().application(), saved);
        }
    }

    private Hour hour(Instant now) {
        Instant from = now.truncatedTo(ChronoUnit.HOURS);
        // A clock that was set back does not begin the same hour twice.
        if (hours.isEmpty() || hours.getLast().from().isBefore(from)) {
            hours.addLast(Hour.of(from));
        }
        while (hours.getFirst().from().isBefore(from.minus(KEPT))) {
            hours.removeFirst();
        }
        return hours.getLast();
    }

    private static void add(Map<String, Saved> sums, String name, Saved saved) {
        sums.merge(sums.containsKey(name) || sums.size() < MOST ? name : OTHERS, saved, Saved::and);
    }

    /** Returns what was seen in the hours that touch the time from {@code from}, inclusive, to {@code to}, exclusive. */
    public Period between(Instant from, Instant to) {
        SortedMap<String, Saved> queues = new TreeMap<>();
        SortedMap<String, Saved> applications = new TreeMap<>();
        Optional<Instant> first = Optional.empty();
        synchronized (hours) {
            for (Hour hour : hours) {
                if (hour.from().isBefore(to)
                        && hour.from().plus(1, ChronoUnit.HOURS).isAfter(from)) {
                    first = first.or(() -> Optional.of(hour.from()));
                    hour.queues().forEach((name, saved) -> queues.merge(name, saved, Saved::and));
                    hour.applications().forEach((name, saved) -> applications.merge(name, saved, Saved::and));
                }
            }
        }
        return new Period(first, queues.values().stream().reduce(Saved.NONE, Saved::and), queues, applications);
    }
}
