package org.interference.yarn.place;

import java.time.Duration;
import java.util.List;
import java.util.function.BinaryOperator;
import org.interference.yarn.config.ConfigKey;

/**
 * How long the plugin may keep a scheduling thread.
 *
 * @param decision what takes longer changes nothing; zero: no limit
 * @param share of a scheduler's time, from 0 to 1, that all decisions together may take when it has none to spare; 1: no limit
 */
public record TimeLimits(Duration decision, double share) {
    static final ConfigKey<Duration> DECISION = ConfigKey.millis(
            "yarn.interference.place.decision-limit-ms",
            Duration.ofMillis(1),
            Duration.ZERO,
            "A decision of the plugin's that takes longer is not used: the parent decides. If such decisions come to a second within minutes"
                    + " the plugin turns from on to shadow and ranks nothing for five minutes. 0: no limit.");

    static final ConfigKey<Double> SHARE = ConfigKey.number(
            "yarn.interference.place.time-share",
            0.05,
            0.001,
            1.0,
            "Share of a scheduler's time that the plugin's decisions may take, beside half of the time in which it has nothing to do. What is"
                    + " asked beyond that is decided by the parent, so that a scheduler at its limit allocates hardly less than without the"
                    + " plugin. 1: no limit.");

    /** Every key, in the order of the reference file. */
    static final List<ConfigKey<?>> KEYS = List.of(DECISION, SHARE);

    /** What is done twice a second for all decisions until the next time. */
    private static final long MOST_OF_WORK_NANOS = 100_000_000;

    /** As long as it takes. */
    public static final TimeLimits NONE = new TimeLimits(Duration.ZERO, 1);

    static TimeLimits from(BinaryOperator<String> lookup) {
        return new TimeLimits(DECISION.read(lookup), SHARE.read(lookup));
    }

    /**
     * Returns how much of {@code nanos} counts as the plugin's: of what takes longer than a decision may, the rest was a pause of the machine, or
     * is the breaker's to count.
     */
    long atMost(long nanos) {
        return decision.isZero() ? nanos : Math.min(nanos, decision.toNanos());
    }

    /** Returns how much of {@code nanos} counts as work that is no decision: of it, too, a pause may be a part. */
    long atMostOfWork(long nanos) {
        return decision.isZero() ? nanos : Math.min(nanos, Math.max(MOST_OF_WORK_NANOS, decision.toNanos()));
    }

    boolean isTooLong(long nanos) {
        return !decision.isZero() && nanos > decision.toNanos();
    }
}
