package org.interference.yarn.place;

import java.time.Duration;
import java.util.List;
import java.util.function.BinaryOperator;
import org.interference.yarn.config.ConfigKey;

/**
 * How far a choice may leave the parent's order.
 *
 * @param ahead containers that an application may be ahead of a needier one and still be served first, a queue twice as many; 0: never,
 *     and no node is left
 * @param maxWait for which a container may be passed over or nodes be left because of it; zero: never
 * @param minMeasured share of the nodes that must be measured, so that a task that is kept from one is not pushed onto one of which
 *     nothing is known
 * @param groupWait for which an application whose first containers are to start together may get nothing; zero: never
 * @param soloShare share of the nodes, and of their time, that may be kept for single runs of kinds of task that were never seen by themselves; 0: never
 */
public record MatchSettings(int ahead, Duration maxWait, double minMeasured, Duration groupWait, double soloShare) {
    static final ConfigKey<Integer> AHEAD = ConfigKey.integer(
            "yarn.interference.place.containers-ahead",
            1,
            0,
            1000,
            "How many containers an application may be ahead of a needier one of its queue, and a queue twice as many ahead of a needier one beside it,"
                    + " and still get a node that suits it better. 0: never, the parent's order stays as it is.");

    static final ConfigKey<Duration> MAX_WAIT = ConfigKey.millis(
            "yarn.interference.place.max-wait-ms",
            Duration.ofMinutes(5),
            Duration.ZERO,
            Duration.ofMinutes(10),
            "For how long a container may be kept waiting: because nodes suit other waiting tasks better, or because any task that waits would make"
                    + " the nodes that are free slower, which only a model says whose latest errors are known. Then it gets the next node. 0: never.");

    static final ConfigKey<Double> MIN_MEASURED = ConfigKey.number(
            "yarn.interference.place.min-measured",
            0.9,
            0.0,
            1.0,
            "Share of the cluster's nodes with fresh counters below which nobody is matched, nor any node left: who is kept from a measured"
                    + " node would be pushed onto one of which nothing is known, for example while the plugin is being rolled out.");

    static final ConfigKey<Duration> GROUP_WAIT = ConfigKey.millis(
            "yarn.interference.place.group-wait-ms",
            Duration.ZERO,
            Duration.ZERO,
            Duration.ofMinutes(10),
            "For how long an application with the tag ifc-group:<n>, in queues that yarn.interference.place.tags names and that are on, gets nothing beside its"
                    + " ApplicationMaster as long as there is no room for its first n containers at once. Then it is as any other. 0: never.");

    static final ConfigKey<Double> SOLO_SHARE = ConfigKey.number(
            "yarn.interference.place.solo-share",
            0.05,
            0.0,
            0.5,
            "Share of the cluster's nodes, at least one of five or more, and of the nodes' time, that may be kept for one run by itself of each kind of task that was"
                    + " never seen so: slowdowns are counted from how fast a kind is undisturbed, which nobody sees where nodes are always full. Such a"
                    + " node is let run empty and then has that one task. 0: never.");

    /** A minute of five: more gains nothing in simulation, and a third of it clearly less (ADR-0034). */
    private static final int HOLDS = 5;

    /** Every key, in the order of the reference file. */
    static final List<ConfigKey<?>> KEYS = List.of(AHEAD, MAX_WAIT, MIN_MEASURED, GROUP_WAIT, SOLO_SHARE);

    /** The parent's order, as it is. */
    public static final MatchSettings OFF = new MatchSettings(0, Duration.ZERO, 1);

    /** Settings under which no containers start together, and no node is kept for a single run. */
    public MatchSettings(int ahead, Duration maxWait, double minMeasured) {
        this(ahead, maxWait, minMeasured, Duration.ZERO, 0);
    }

    static MatchSettings from(BinaryOperator<String> lookup) {
        return new MatchSettings(
                AHEAD.read(lookup),
                MAX_WAIT.read(lookup),
                MIN_MEASURED.read(lookup),
                GROUP_WAIT.read(lookup),
                SOLO_SHARE.read(lookup));
    }

    /**
     * Returns for how long a node may be left, from the first offer that it was left at to the container that it gets. So of what an
     * application asks for each node that is left serves one container in that time, however many there are: a bound on each
     * container's wait alone would have the last of a hundred wait a hundred times (ADR-0034).
     */
    Duration hold() {
        // Every decision asks, and Duration divides by way of decimals.
        return Duration.ofMillis(maxWait.toMillis() / HOLDS);
    }

    /** Returns whether the parent's order may be left at all. */
    boolean isAny() {
        return ahead > 0 && !maxWait.isZero();
    }
}
