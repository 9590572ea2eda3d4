package org.interference.yarn.capacity;

import java.time.Duration;
import java.util.List;
import java.util.function.BinaryOperator;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.place.Mode;

/**
 * Settings of the capacity stage.
 *
 * @param mode off: no node's size is looked at. shadow: it is only told what it would be
 * @param maxFactor the most that a node may have, over what is configured, {@code >= 1}
 * @param reserve share of the configured memory that is kept free of what is expected to be used
 * @param leastGain that one more must surely add, in tasks alone, for a node to grow
 * @param interval between two steps of one node
 * @param mostLost share of all work that may be lost by growing
 */
public record GovernorSettings(
        Mode mode, double maxFactor, double reserve, double leastGain, Duration interval, double mostLost) {
    static final ConfigKey<Mode> MODE = ConfigKey.oneOf(
            "yarn.interference.capacity.mode",
            Mode.class,
            Mode.OFF,
            "off: nodes are as large as they are configured. shadow: it is recorded how large they would have been. on: nodes take more containers than they are"
                    + " configured for while that adds to their work and memory suffices.");

    /** However it is set, no node is given more times what is configured. */
    public static final double HIGHEST_FACTOR = 4;

    static final ConfigKey<Double> MAX_FACTOR = ConfigKey.number(
            "yarn.interference.capacity.max-factor",
            2.0,
            1.0,
            HIGHEST_FACTOR,
            "The most memory and vcores that a node may be given, over what is configured.");

    private static final double RESERVE = 0.05;
    private static final double LEAST_GAIN = 0;
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final double MOST_LOST = 0.01;

    /** Every key, in the order of the reference file. */
    public static final List<ConfigKey<?>> KEYS = List.of(MODE, MAX_FACTOR);

    /** Reads all settings; {@code lookup} as in {@link ConfigKey#read}. */
    public static GovernorSettings from(BinaryOperator<String> lookup) {
        return new GovernorSettings(
                MODE.read(lookup), MAX_FACTOR.read(lookup), RESERVE, LEAST_GAIN, INTERVAL, MOST_LOST);
    }
}
