package org.interference.yarn.capacity;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.regex.Pattern;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.config.NamedValues;
import org.interference.yarn.place.ByQueue;
import org.interference.yarn.place.Mode;

/**
 * Settings of the capacity stage.
 *
 * @param mode of nodes whose label has none of its own. off: their sizes are not looked at. shadow: it is only told what they would be
 * @param labelModes of nodes with a label that has one of its own, by its name
 * @param queueGrowth whether nodes grow for what waits in queues; they do where nothing is set
 * @param maxFactor the most that a node may have, over what is configured, {@code >= 1}
 * @param reserve share of the configured memory that is kept free of what is expected to be used
 * @param leastGain that one more must surely add, in tasks alone, for a node to grow
 * @param interval between two steps of one node
 * @param mostLost share of all work that may be lost by growing
 */
public record GovernorSettings(
        Mode mode,
        Map<String, Mode> labelModes,
        ByQueue<Boolean> queueGrowth,
        double maxFactor,
        double reserve,
        double leastGain,
        Duration interval,
        double mostLost) {
    /** As which YARN shows nodes without a label. */
    private static final String NO_LABEL = "<DEFAULT_PARTITION>";

    /** YARN's own of a label, and that. */
    private static final Pattern LABEL = Pattern.compile("[0-9a-zA-Z][0-9a-zA-Z_-]*|" + NO_LABEL);

    static final ConfigKey<Mode> MODE = ConfigKey.oneOf(
            "yarn.interference.capacity.mode",
            Mode.class,
            Mode.OFF,
            "off: nodes are as large as they are configured. shadow: it is recorded how large they would have been. on: nodes take more containers than they are"
                    + " configured for while that adds to their work and memory suffices.");

    static final ConfigKey<Map<String, Mode>> LABEL_MODES = new ConfigKey<>(
            "yarn.interference.capacity.label-modes",
            "",
            raw -> NamedValues.parse(raw, LABEL, Mode::of),
            parsed -> true,
            "a list like gpu=VALUE,%s=VALUE of node labels, each of them once, VALUE being %s"
                    .formatted(NO_LABEL, Mode.RULE),
            "The mode of nodes with these labels, where it is another one than yarn.interference.capacity.mode; "
                    + NO_LABEL
                    + " are the nodes without a label, in the FairScheduler all.");

    static final ConfigKey<ByQueue<Boolean>> QUEUE_GROWTH = ByQueue.key(
            "yarn.interference.capacity.queue-growth",
            GovernorSettings::growth,
            "on or off",
            "Whether nodes grow for what waits in these queues and in those below them, on in all others. What is more than configured of a node is never given to containers of"
                    + " queues that are off. root=off,root.etl=on: for root.etl alone.");

    /** However it is set, no node is given more times what is configured. */
    public static final double HIGHEST_FACTOR = 4;

    static final ConfigKey<Double> MAX_FACTOR = ConfigKey.number(
            "yarn.interference.capacity.max-factor",
            2.0,
            1.0,
            HIGHEST_FACTOR,
            "The most memory and vcores that a node may be given, over what is configured.");

    private static final double RESERVE = 0.05;
    private static final double LEAST_GAIN = 0.2;
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final double MOST_LOST = 0.01;

    /** Every key, in the order of the reference file. */
    public static final List<ConfigKey<?>> KEYS = List.of(MODE, LABEL_MODES, QUEUE_GROWTH, MAX_FACTOR);

    public GovernorSettings {
        labelModes = Map.copyOf(labelModes);
    }

    /** Reads all settings; {@code lookup} as in {@link ConfigKey#read}. */
    public static GovernorSettings from(BinaryOperator<String> lookup) {
        return new GovernorSettings(
                MODE.read(lookup),
                LABEL_MODES.read(lookup),
                QUEUE_GROWTH.read(lookup),
                MAX_FACTOR.read(lookup),
                RESERVE,
                LEAST_GAIN,
                INTERVAL,
                MOST_LOST);
    }

    /** Returns the mode of nodes with {@code label}; it is empty of nodes without one. */
    public Mode mode(String label) {
        return labelModes.getOrDefault(label.isEmpty() ? NO_LABEL : label, mode);
    }

    /** Returns whether no node's size is looked at. */
    public boolean isOff() {
        return mode == Mode.OFF && labelModes.values().stream().allMatch(Mode.OFF::equals);
    }

    /** Returns whether nodes grow for what waits in {@code queue}, by its full path. */
    public boolean growsFor(String queue) {
        return queueGrowth.of(queue, true);
    }

    private static boolean growth(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "on" -> true;
            case "off" -> false;
            default -> throw new IllegalArgumentException("neither on nor off: " + value);
        };
    }
}
