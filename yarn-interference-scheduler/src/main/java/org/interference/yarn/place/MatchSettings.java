package org.interference.yarn.place;

import java.time.Duration;
import java.util.List;
import java.util.function.BinaryOperator;
import org.interference.yarn.config.ConfigKey;

/**
 * How long a request may be kept from a node that suits another one better.
 *
 * @param slack for each container of a request; zero: never. Where requests are offered one node after the other
 * @param ahead containers that an application may be ahead of the neediest one and still be served first, a queue twice as many; 0:
 *     never. Where a node is offered to all who wait
 * @param delay that a node may stay as it is because any waiting task would lower its throughput; zero: never
 * @param delayMaxError mean absolute error of the model's latest answers, in logarithms, above which no node is left
 * @param minMeasured share of the nodes that must be measured, so that a task that is kept from one is not pushed onto one of which
 *     nothing is known
 */
public record MatchSettings(Duration slack, int ahead, Duration delay, double delayMaxError, double minMeasured) {
    static final ConfigKey<Duration> SLACK = ConfigKey.millis(
            "yarn.interference.place.match-slack-ms",
            Duration.ZERO,
            Duration.ZERO,
            "CapacityScheduler: how long a container may wait because the nodes that are offered to it suit other waiting tasks better; also how far"
                    + " its queue can fall behind by that. 0: never, the parent's order stays as it is.");

    static final ConfigKey<Integer> AHEAD = ConfigKey.integer(
            "yarn.interference.place.match-containers-ahead",
            0,
            0,
            1000,
            "FairScheduler: how many containers an application may be ahead of the neediest one of its queue, and a queue twice as"
                    + " many, and still get a node that suits it better. 0: never, the parent's order stays as it is.");

    static final ConfigKey<Duration> DELAY = ConfigKey.millis(
            "yarn.interference.place.delay-ms",
            Duration.ofSeconds(5),
            Duration.ZERO,
            "How long a node may be left as it is because any task that waits would lower what it gets done; only by a model that"
                    + " was right lately. 0: never.");

    static final ConfigKey<Double> DELAY_MAX_ERROR = ConfigKey.number(
            "yarn.interference.place.delay-max-error",
            0.15,
            0.0,
            1.0,
            "Mean error of the latest predictions of a kind of task, in logarithms of the slowdown (0.1 is a tenth), up to which a node may be left for it.");

    static final ConfigKey<Double> MIN_MEASURED = ConfigKey.number(
            "yarn.interference.place.match-min-measured",
            0.9,
            0.0,
            1.0,
            "Share of the cluster's nodes with fresh counters below which nobody is matched, nor any node left: who is kept from a measured"
                    + " node would be pushed onto one of which nothing is known, for example while the plugin is being rolled out.");

    /** Every key, in the order of the reference file. */
    static final List<ConfigKey<?>> KEYS = List.of(SLACK, AHEAD, DELAY, DELAY_MAX_ERROR, MIN_MEASURED);

    /** The parent's order, as it is. */
    public static final MatchSettings OFF = new MatchSettings(Duration.ZERO, 0, Duration.ZERO, 0, 1);

    static MatchSettings from(BinaryOperator<String> lookup) {
        return new MatchSettings(
                SLACK.read(lookup),
                AHEAD.read(lookup),
                DELAY.read(lookup),
                DELAY_MAX_ERROR.read(lookup),
                MIN_MEASURED.read(lookup));
    }
}
