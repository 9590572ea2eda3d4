package org.interference.yarn.relocate;

import java.util.List;
import java.util.Locale;
import java.util.function.BinaryOperator;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.place.ByQueue;

/**
 * Settings of relocation.
 *
 * @param queues whether a queue, and those below it, let their restartable containers be asked to leave
 * @param perMinute how many containers of the cluster may be asked to leave in a minute; half as many, rounded up, of one queue, and one of an application
 */
public record RelocationSettings(RelocationMode mode, ByQueue<Boolean> queues, int perMinute) {
    static final ConfigKey<RelocationMode> MODE = new ConfigKey<>(
            "yarn.interference.relocate.mode",
            RelocationMode.OFF.written(),
            RelocationMode::of,
            mode -> true,
            "one of off, dry-run, on",
            "off: no container is looked at. dry-run: it is told which containers would be asked to leave their node for a better one, and what that would save."
                    + " on: they are asked by YARN's preemption message, and killed when their grace is over.");

    static final ConfigKey<ByQueue<Boolean>> QUEUES = ByQueue.key(
            "yarn.interference.relocate.queues",
            RelocationSettings::onOrOff,
            "on or off",
            "Queues whose containers may be asked to leave, with those of the queues below them: those of MapReduce and Tez, which are known to start again. An"
                    + " application anywhere that has the tag ifc-restartable lets all of its containers be asked but its master.");

    static final ConfigKey<Integer> PER_MINUTE = ConfigKey.integer(
            "yarn.interference.relocate.per-minute",
            4,
            1,
            1000,
            "How many containers may be asked to leave in a minute; half as many, rounded up, of one queue, and one of an application.");

    /** Every key, in the order of the reference file. */
    public static final List<ConfigKey<?>> KEYS = List.of(MODE, QUEUES, PER_MINUTE);

    /** Reads all settings; {@code lookup} as in {@link ConfigKey#read}. */
    public static RelocationSettings from(BinaryOperator<String> lookup) {
        return new RelocationSettings(MODE.read(lookup), QUEUES.read(lookup), PER_MINUTE.read(lookup));
    }

    /** Returns how many of one queue may be asked in a minute. */
    int perMinuteOfQueue() {
        return (perMinute + 1) / 2;
    }

    private static Boolean onOrOff(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "on" -> true;
            case "off" -> false;
            default -> throw new IllegalArgumentException("neither on nor off: " + value);
        };
    }
}
