package org.interference.yarn.place;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.interference.yarn.config.ConfigKey;

/** Settings of the place stage; all of them are read again by {@code yarn rmadmin -refreshQueues}. */
public record PlaceSettings(
        Mode mode,
        Duration rackLocalCost,
        Duration offSwitchCost,
        int maxCandidates,
        int decisionsKept,
        int breakerErrors,
        MatchSettings match,
        int choices,
        ByQueue<Mode> queueModes,
        ByQueue<Double> sensitivities,
        double tagPenalty,
        double affinityFactor,
        ByQueue<Double> tags,
        TimeLimits limits) {
    static final ConfigKey<Mode> MODE = ConfigKey.oneOf(
            "yarn.interference.place.mode",
            Mode.class,
            Mode.SHADOW,
            "off: the parent scheduler, exactly; profiles are still learnt. shadow: the parent decides, and what the plugin would have done is"
                    + " recorded. on: the plugin orders the candidate nodes.");

    static final ConfigKey<ByQueue<Mode>> QUEUE_MODES = ByQueue.key(
            "yarn.interference.place.queue-modes",
            value -> Mode.valueOf(value.toUpperCase(Locale.ROOT)),
            "off, shadow or on",
            "The mode of queues and of those below them, where it is another one than yarn.interference.place.mode. Containers of a queue that"
                    + " is off still count as neighbours of others.");

    static final ConfigKey<Duration> RACK_LOCAL_COST = ConfigKey.millis(
            "yarn.interference.place.rack-local-cost-ms",
            Duration.ofSeconds(1),
            Duration.ZERO,
            "Run time that a task with a node preference loses on another node of the rack; weighed against slowdown.");

    static final ConfigKey<Duration> OFF_SWITCH_COST = ConfigKey.millis(
            "yarn.interference.place.off-switch-cost-ms",
            Duration.ofSeconds(2),
            Duration.ZERO,
            "Run time that a task with a node or rack preference loses in another rack; weighed against slowdown.");

    static final ConfigKey<Integer> CHOICES = ConfigKey.integer(
            "yarn.interference.place.choices",
            8,
            1,
            100,
            "CapacityScheduler with asynchronous scheduling, while tasks of one kind alone wait: among how many nodes, of those that it"
                    + " visits one after the other, a request may choose. FairScheduler: among how many kinds of task that wait a node may"
                    + " choose. 1: each is taken as it is offered.");

    static final ConfigKey<Integer> MAX_CANDIDATES = ConfigKey.integer(
            "yarn.interference.place.max-candidates",
            100,
            2,
            10_000,
            "With multi-node placement: fitting nodes that are ranked for one request, the first of the parent's order; the others keep"
                    + " that order. Bounds the time a scheduling thread spends here.");

    static final ConfigKey<ByQueue<Double>> QUEUE_SENSITIVITY = ByQueue.key(
            "yarn.interference.place.queue-sensitivity",
            PlaceSettings::sensitivity,
            "a number from %s to %s".formatted(Wishes.LEAST, Wishes.MOST),
            "How many times a slowdown counts of containers in these queues and in those below them, 1 in all others. An application's tag"
                    + " ifc-sensitivity:<number> beats its queue, as far as yarn.interference.place.tags lets it.");

    static final ConfigKey<ByQueue<Double>> TAGS = ByQueue.key(
            "yarn.interference.place.tags",
            value -> value.equals("0") ? Double.valueOf(0) : Double.valueOf(sensitivity(value)),
            "the most that ifc-sensitivity may be, a number from %s to %s, or 0".formatted(Wishes.LEAST, Wishes.MOST),
            "Queues whose applications, with those of the queues below them, are heard if they say by tags how much a slowdown of theirs counts and whom"
                    + " they are rather beside or not: ifc-sensitivity, ifc-spread, ifc-exclusive, ifc-avoid, ifc-affinity. In queues with 0, and in all that are"
                    + " not below one that is named, such tags say nothing. root=100: everybody is heard.");

    static final ConfigKey<Double> TAG_PENALTY = ConfigKey.number(
            "yarn.interference.place.tag-penalty",
            1.0,
            0.0,
            1000.0,
            "What a node costs more, in slowdowns, for each container that a task is rather not beside by an application's tags: ifc-spread (the"
                    + " application's own), ifc-exclusive (those of others), ifc-avoid:<key> (those of the tag ifc:<key> or the profile key"
                    + " <key>). 0: such tags say nothing.");

    static final ConfigKey<Double> AFFINITY_FACTOR = ConfigKey.number(
            "yarn.interference.place.affinity-factor",
            1.32,
            1.0,
            10.0,
            "How many times slower a container with the application's tag ifc-affinity:<name> is taken to be on a node without another container"
                    + " with that tag. 1.05, 1.32 and 1.57 stand for little, moderate and much talk. 1: such tags say nothing.");

    static final ConfigKey<Integer> DECISIONS_KEPT = ConfigKey.integer(
            "yarn.interference.place.decisions-kept",
            1000,
            1,
            100_000,
            "Newest decisions kept in memory for /ws/v1/interference/decisions: fewer where they are of many nodes each, 200,000 nodes in all.");

    static final ConfigKey<Integer> BREAKER_ERRORS = ConfigKey.integer(
            "yarn.interference.place.breaker-errors",
            100,
            1,
            1_000_000,
            "After this many errors of its decisions within ten minutes the plugin turns from on to shadow for ten minutes. Then it is on"
                    + " again, for ten minutes on trial: a tenth of the errors turns it back.");

    /** Those whose values name queues. */
    public static final List<ConfigKey<?>> BY_QUEUE = List.of(QUEUE_MODES, QUEUE_SENSITIVITY, TAGS);

    /** Every key of this stage, in the order of the reference file. */
    public static final List<ConfigKey<?>> KEYS = Stream.concat(
                    Stream.<ConfigKey<?>>of(
                            MODE,
                            QUEUE_MODES,
                            RACK_LOCAL_COST,
                            OFF_SWITCH_COST,
                            CHOICES,
                            MAX_CANDIDATES,
                            QUEUE_SENSITIVITY,
                            TAGS,
                            TAG_PENALTY,
                            AFFINITY_FACTOR,
                            DECISIONS_KEPT,
                            BREAKER_ERRORS),
                    Stream.concat(MatchSettings.KEYS.stream(), TimeLimits.KEYS.stream()))
            .toList();

    /** Settings under which all queues are alike, nodes are taken as they are offered, and decisions take as long as they take. */
    public PlaceSettings(
            Mode mode,
            Duration rackLocalCost,
            Duration offSwitchCost,
            int maxCandidates,
            int decisionsKept,
            int breakerErrors,
            MatchSettings match) {
        this(
                mode,
                rackLocalCost,
                offSwitchCost,
                maxCandidates,
                decisionsKept,
                breakerErrors,
                match,
                1,
                ByQueue.none(),
                ByQueue.none(),
                1,
                1,
                ByQueue.none(),
                TimeLimits.NONE);
    }

    /** Reads all settings; {@code lookup} as in {@link ConfigKey#read}. */
    public static PlaceSettings from(BinaryOperator<String> lookup) {
        return new PlaceSettings(
                MODE.read(lookup),
                RACK_LOCAL_COST.read(lookup),
                OFF_SWITCH_COST.read(lookup),
                MAX_CANDIDATES.read(lookup),
                DECISIONS_KEPT.read(lookup),
                BREAKER_ERRORS.read(lookup),
                MatchSettings.from(lookup),
                CHOICES.read(lookup),
                QUEUE_MODES.read(lookup),
                QUEUE_SENSITIVITY.read(lookup),
                TAG_PENALTY.read(lookup),
                AFFINITY_FACTOR.read(lookup),
                TAGS.read(lookup),
                TimeLimits.from(lookup));
    }

    private static double sensitivity(String value) {
        double sensitivity = Double.parseDouble(value);
        if (!Wishes.isSensitivity(sensitivity)) {
            throw new IllegalArgumentException("out of range: " + value);
        }
        return sensitivity;
    }
}
