package org.interference.yarn.place;

import java.time.Duration;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.interference.yarn.config.ConfigKey;

/** Settings of the place stage; all that have a key are read again by {@code yarn rmadmin -refreshQueues}, the others are as they are here. */
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
        TagCosts tagCosts,
        ByQueue<Double> tags,
        TimeLimits limits) {
    /** Run time that a task loses on another node than it prefers, in the same rack: what a block of 128 MiB takes over 1 Gbit/s. */
    private static final Duration RACK_LOCAL_COST = Duration.ofSeconds(1);

    /** The same in another rack: twice that, as the links between racks are shared by more. */
    private static final Duration OFF_SWITCH_COST = Duration.ofSeconds(2);

    /**
     * With multi-node placement: nodes ranked for one request, the first that fit of the parent's order. Bounds what a decision costs where
     * no cost is remembered yet (ADR-0015); the best of a hundred is with 95 % among the best 3 % of the cluster.
     */
    private static final int MAX_CANDIDATES = 100;

    /** The newest, for REST. Up to 200 nodes each, all of them are within the bound on memory of {@link DecisionLog}. */
    private static final int DECISIONS_KEPT = 1000;

    /** Of decisions, within ten minutes: what fails at every call is over soon, and less than one in six seconds opens nothing (ADR-0028). */
    private static final int BREAKER_ERRORS = 100;

    /** For each container that a task is rather not beside: as if nothing of it were done there (ADR-0019). */
    private static final double TAG_PENALTY = 1;

    /** The middle one of the thesis' Table 6.2, which has 1.05, 1.32 and 1.57 for little, moderate and much talk (ADR-0019). */
    private static final double AFFINITY_FACTOR = 1.32;

    static final ConfigKey<Mode> MODE = ConfigKey.oneOf(
            "yarn.interference.place.mode",
            Mode.class,
            Mode.SHADOW,
            "off: the parent scheduler, exactly; profiles are still learnt. shadow: the parent decides, and what the plugin would have done is"
                    + " recorded. on: the plugin orders the candidate nodes.");

    static final ConfigKey<ByQueue<Mode>> QUEUE_MODES = ByQueue.key(
            "yarn.interference.place.queue-modes",
            Mode::of,
            Mode.RULE,
            "The mode of queues and of those below them, where it is another one than yarn.interference.place.mode. Containers of a queue that"
                    + " is off still count as neighbours of others.");

    static final ConfigKey<Integer> CHOICES = ConfigKey.integer(
            "yarn.interference.place.choices",
            8,
            1,
            100,
            "CapacityScheduler with asynchronous scheduling, while tasks of one kind alone wait: among how many nodes, of those that it"
                    + " visits one after the other, a request may choose. FairScheduler: among how many kinds of task that wait a node may"
                    + " choose. 1: each is taken as it is offered.");

    /** What a sensitivity must be. */
    private static final String SENSITIVITIES = "a number from %s to %s, or a level: %s"
            .formatted(
                    Wishes.LEAST,
                    Wishes.MOST,
                    Stream.of(SensitivityLevel.values())
                            .map(level -> "%s (%s)".formatted(level.text(), level.sensitivity()))
                            .collect(Collectors.joining(", ")));

    static final ConfigKey<ByQueue<Double>> QUEUE_SENSITIVITY = ByQueue.key(
            "yarn.interference.place.queue-sensitivity",
            PlaceSettings::sensitivity,
            SENSITIVITIES,
            "How many times a slowdown counts of containers in these queues and in those below them, 1 in all others; of two whom a node suits as"
                    + " well, and who may both be served, it goes to whose slowdown counts more. An application's tag"
                    + " ifc-sensitivity:<number> beats its queue, as far as yarn.interference.place.tags lets it.");

    static final ConfigKey<ByQueue<Double>> TAGS = ByQueue.key(
            "yarn.interference.place.tags",
            value -> value.equals("0") ? Double.valueOf(0) : Double.valueOf(sensitivity(value)),
            "the most that ifc-sensitivity may be, %s, or 0".formatted(SENSITIVITIES),
            "Queues whose applications, with those of the queues below them, are heard if they say by tags how much a slowdown of theirs counts and whom"
                    + " they are rather beside or not: ifc-sensitivity, ifc-spread, ifc-exclusive, ifc-avoid, ifc-affinity, ifc-group. In queues with 0, and in all that are"
                    + " not below one that is named, such tags say nothing. root=100: everybody is heard.");

    /** Every key of this stage, in the order of the reference file. */
    public static final List<ConfigKey<?>> KEYS = Stream.concat(
                    Stream.<ConfigKey<?>>of(MODE, QUEUE_MODES, CHOICES, QUEUE_SENSITIVITY, TAGS),
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
                TagCosts.NONE,
                ByQueue.none(),
                TimeLimits.NONE);
    }

    /** Reads all settings; {@code lookup} as in {@link ConfigKey#read}. */
    public static PlaceSettings from(BinaryOperator<String> lookup) {
        return new PlaceSettings(
                MODE.read(lookup),
                RACK_LOCAL_COST,
                OFF_SWITCH_COST,
                MAX_CANDIDATES,
                DECISIONS_KEPT,
                BREAKER_ERRORS,
                MatchSettings.from(lookup),
                CHOICES.read(lookup),
                QUEUE_MODES.read(lookup),
                QUEUE_SENSITIVITY.read(lookup),
                new TagCosts(TAG_PENALTY, AFFINITY_FACTOR),
                TAGS.read(lookup),
                TimeLimits.from(lookup));
    }

    private static double sensitivity(String value) {
        return Wishes.sensitivity(value)
                .orElseThrow(() -> new IllegalArgumentException("neither a level nor in range: " + value));
    }
}
