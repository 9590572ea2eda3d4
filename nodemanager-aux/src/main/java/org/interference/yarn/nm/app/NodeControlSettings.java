package org.interference.yarn.nm.app;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.nm.control.BlockedClassifier;
import org.interference.yarn.nm.control.Classifier;
import org.interference.yarn.nm.control.ControlSettings;
import org.interference.yarn.nm.control.CoreAllocator;
import org.interference.yarn.nm.control.CoreSharing;
import org.interference.yarn.nm.control.DiskShares;
import org.interference.yarn.nm.control.LearnedClassifier;

/**
 * The settings of the node's controller (ADR-0024), read once at start.
 *
 * @param control how it decides; with mode off, nobody asks
 */
public record NodeControlSettings(Mode mode, ControlSettings control) {
    /** What the controller may do. */
    public enum Mode {
        OFF,
        /** It decides and shows what it would do, and changes nothing. */
        DRY_RUN,
        ON
    }

    /** By which rule containers are told apart and given cores. */
    enum Rule {
        OURS,
        /** CSS as its authors published it. */
        PUBLISHED
    }

    /** How our rule tells containers apart. */
    enum Kind {
        BLOCKED_IO,
        LEARNED
    }

    private static final String PREFIX = "yarn.interference.node-control.";
    private static final int MOST_CORES = 1024;
    private static final long MOST_BYTES = 1L << 50;

    /** From one look to the next: three samples by YARN's default, as a single one says little of what a container does. */
    private static final Duration INTERVAL = Duration.ofSeconds(3);

    /** Ten intervals, after which what a container used is counted anew for its class: it may do something else by then. */
    private static final Duration CLEANING_INTERVAL = Duration.ofSeconds(30);

    /** For the classifier 'blocked-io': whoever is blocked on I/O for half of its time or more waits for the disk rather than for a core. */
    private static final double BLOCKED_SHARE = 0.5;

    /** After a step back; twice as long each time in a row. Twenty intervals: long against a trial of six (ADR-0024). */
    private static final Duration HOLD_OFF = Duration.ofMinutes(1);

    private static final Duration LONGEST_HOLD_OFF = Duration.ofHours(1);

    static final ConfigKey<Mode> MODE = choice(
            "mode",
            Mode.class,
            Mode.OFF,
            "Whether this NodeManager confines containers to cores and limits their disk bandwidth by what they do."
                    + " 'dry-run' shows what it would do, and changes nothing.");

    static final ConfigKey<Rule> RULE = choice(
            "rule",
            Rule.class,
            Rule.OURS,
            "By which rule containers get cores. 'published' is CSS (Song, Yu and Lee, 2022) with its authors' parameters: it tells containers apart by"
                    + " their futex calls, which are counted only where the collector runs with --futex, gives all of them cores, application"
                    + " masters too, and takes nothing back that makes the node slower.");

    static final ConfigKey<Kind> CLASSIFIER = choice(
            "classifier",
            Kind.class,
            Kind.LEARNED,
            "How I/O-intensive containers are told from CPU-intensive ones under the rule 'ours': by the share of their time that they are"
                    + " blocked on I/O, or by a model learnt from measured tasks.");

    static final ConfigKey<Integer> MU = ConfigKey.integer(
            PREFIX + "mu",
            1,
            0,
            MOST_CORES,
            "On so many cores all I/O-intensive containers are confined while there are CPU-intensive ones, under the rule 'ours', unless they use"
                    + " more than 0.7 of what these cores have or the CPU-intensive ones have idle cores enough. With 0, cores are not allocated by it.");

    static final ConfigKey<CoreSharing> SHARING = choice(
            "core-sharing",
            CoreSharing.class,
            CoreSharing.SAME_CORE,
            "Under the rule 'ours', on a node with hyper-threads: with 'same-core' who gets few cores gets threads of as few physical cores as possible,"
                    + " with 'apart' of as many.");

    static final ConfigKey<Double> DISK_FLOOR = ConfigKey.number(
            PREFIX + "disk-floor",
            0.1,
            0,
            0.5,
            "Share of the disks' bandwidth that each container is left that must wait for shorter ones. With 0, disks are not shared"
                    + " out.");

    static final ConfigKey<Long> DISK_BYTES = new ConfigKey<>(
            PREFIX + "disk-bytes-per-second",
            "0",
            Long::valueOf,
            value -> value >= 0 && value <= MOST_BYTES,
            "a whole number from 0 to " + MOST_BYTES,
            "What the disks of the local directories can read and write together in a second. With 0, it is the most that they were"
                    + " seen to do while all of them turn and are busy for nine tenths of the time, and at other times, as always on disks that do not turn, they"
                    + " are not shared out. It is also the disks' rate that the node reports, with 0 none.");

    /** Every key of this record, for the generated reference. */
    public static final List<ConfigKey<?>> KEYS = List.of(MODE, RULE, CLASSIFIER, MU, SHARING, DISK_FLOOR, DISK_BYTES);

    static NodeControlSettings from(BinaryOperator<String> lookup) {
        double floor = DISK_FLOOR.read(lookup);
        long bytes = DISK_BYTES.read(lookup);
        Optional<DiskShares> disk = floor > 0 ? Optional.of(new DiskShares(floor)) : Optional.empty();
        OptionalDouble capacity = bytes > 0 ? OptionalDouble.of((double) bytes) : OptionalDouble.empty();
        ControlSettings ours = ours(lookup, disk, capacity);
        return new NodeControlSettings(
                MODE.read(lookup),
                switch (RULE.read(lookup)) {
                    case OURS -> ours;
                    case PUBLISHED -> ControlSettings.published(disk, capacity, HOLD_OFF, LONGEST_HOLD_OFF);
                });
    }

    private static ControlSettings ours(
            BinaryOperator<String> lookup, Optional<DiskShares> disk, OptionalDouble capacity) {
        int mu = MU.read(lookup);
        Classifier classifier =
                switch (CLASSIFIER.read(lookup)) {
                    case BLOCKED_IO -> new BlockedClassifier(BLOCKED_SHARE);
                    case LEARNED -> LearnedClassifier.INSTANCE;
                };
        return new ControlSettings(
                INTERVAL,
                CLEANING_INTERVAL,
                classifier,
                mu > 0 ? Optional.of(new CoreAllocator(mu, SHARING.read(lookup))) : Optional.empty(),
                disk,
                capacity,
                HOLD_OFF,
                LONGEST_HOLD_OFF);
    }

    private static <E extends Enum<E>> ConfigKey<E> choice(String name, Class<E> type, E fallback, String doc) {
        String choices = Arrays.stream(type.getEnumConstants())
                .map(NodeControlSettings::written)
                .collect(Collectors.joining(", "));
        return new ConfigKey<>(
                PREFIX + name,
                written(fallback),
                raw -> Enum.valueOf(type, raw.toUpperCase(Locale.ROOT).replace('-', '_')),
                value -> true,
                "one of " + choices,
                doc);
    }

    private static String written(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
