package org.interference.yarn.sim.world;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.sim.workload.SharedResource;
import org.interference.yarn.sim.workload.SimTaskKind;

/** The worlds of the report. Another one is another entry of the list. */
public final class Worlds {
    private static final Set<String> RANDOM_READERS = Set.of("app13", "app14");
    private static final double HIDDEN_STRENGTH = 0.6;
    private static final double TERRIBLE_LOOKS = 2.5;
    private static final double LARGE_NODES = 0.1;
    private static final double ERRATIC = 0.35;
    private static final Duration STALE = Duration.ofSeconds(10);
    /** What most virtual machines do not count. */
    private static final Set<Signal> NOT_ON_VIRTUAL_MACHINES =
            Set.of(Signal.MBW, Signal.LLOCC, Signal.LLCMR, Signal.INSTR);

    /** A DataNode that repairs what other nodes have lost, on one node of three. */
    private static final Daemons DATA_NODES =
            new Daemons(new SimTaskKind("data-node", Map.of(SharedResource.CPU, 0.4, SharedResource.DISK, 0.5)), 3);

    private static final SizePattern THREE_SIZES = new SizePattern(List.of(0.5, 1.5, 1.0, 1.0));

    private static final GroundTruth WATER_MILD = new WaterFilling(1.5, losses(0.05, 0.02, 0.02), 0.2);
    private static final GroundTruth WATER_HEAVY = new WaterFilling(1.0, losses(0.4, 0.15, 0.15), 0.5);
    private static final GroundTruth WATER_DESTRUCTIVE = new WaterFilling(1.0, losses(2.0, 0.6, 0.5), 2);

    private static final List<World> ALL = List.of(
            new World(
                    "none",
                    "The control: nodes ten times as large as their tasks need, as the counters show; nobody slows anybody down.",
                    new NoInterference(),
                    Measurement.USUAL.withExaggeration(LARGE_NODES)),
            world("water-heavy", "Max-min shares; capacity is lost to concurrency, mostly the disk's.", WATER_HEAVY),
            world("curves-heavy", "Convex sensitivity curves, k = 1.", new SensitivityCurves(1)),
            world("table-heavy", "Measured slowdowns.", new MeasuredTable(1, Set.of())),
            new World(
                    "adversarial-mild",
                    "water-mild; every counter shows 2.5 times the pressure.",
                    WATER_MILD,
                    Measurement.USUAL.withExaggeration(TERRIBLE_LOOKS)),
            world("water-mild", "Max-min shares of half as much again as a node's capacity.", WATER_MILD),
            world("curves-mild", "Convex sensitivity curves, k = 0.2.", new SensitivityCurves(0.2)),
            world("table-mild", "Measured slowdowns, a third of their excess.", new MeasuredTable(0.33, Set.of())),
            world(
                    "water-destructive",
                    "Max-min shares; two heavy users of a disk do less than one.",
                    WATER_DESTRUCTIVE),
            world("curves-destructive", "Convex sensitivity curves, k = 4.", new SensitivityCurves(4)),
            world(
                    "table-destructive",
                    "Measured slowdowns twice over, with the cliff of random reads.",
                    new MeasuredTable(2, RANDOM_READERS)),
            world(
                    "hidden-heavy",
                    "water-heavy, and pairs of applications that hurt each other without a counter that shows it.",
                    new HiddenPairs(WATER_HEAVY, HIDDEN_STRENGTH)),
            new World(
                    "missing-signals",
                    "water-heavy; memory bandwidth, cache occupancy, cache misses and instructions are not measured, as on most virtual"
                            + " machines.",
                    WATER_HEAVY,
                    Measurement.USUAL.withMissing(NOT_ON_VIRTUAL_MACHINES)),
            virtual("curves-heavy", new SensitivityCurves(1)),
            virtual("curves-destructive", new SensitivityCurves(4)),
            virtual("table-destructive", new MeasuredTable(2, RANDOM_READERS)),
            new World(
                    "stale-counters",
                    "water-heavy; every report describes its node as it was 10 s before.",
                    WATER_HEAVY,
                    Measurement.USUAL.withDelay(STALE)),
            new World(
                    "half-plugin",
                    "water-heavy; every other node is without the plugin.",
                    WATER_HEAVY,
                    Measurement.USUAL.withStockNodes(2)),
            new World(
                    "daemons-heavy",
                    "water-heavy; on one node of three a daemon presses on CPUs and disk, as the nodes tell.",
                    WATER_HEAVY,
                    Measurement.USUAL.withNodes(),
                    DATA_NODES),
            new World(
                    "daemons-hidden",
                    "daemons-heavy, and no node tells more than its containers.",
                    WATER_HEAVY,
                    Measurement.USUAL,
                    DATA_NODES),
            new World(
                    "sizes-heavy",
                    "water-heavy; of four nodes one is half as large as two others and one half as large again, as the nodes tell.",
                    WATER_HEAVY,
                    Measurement.USUAL.withNodes(),
                    Daemons.NONE,
                    THREE_SIZES),
            new World(
                    "sizes-hidden",
                    "sizes-heavy, and no node tells more than its containers.",
                    WATER_HEAVY,
                    Measurement.USUAL,
                    Daemons.NONE,
                    THREE_SIZES));

    /** Where memory is told and runs out, so that nodes may have other sizes than they are configured with. */
    private static final List<World> ELASTIC = List.of(
            in(ALL, "water-heavy")
                    .with(
                            "overrequested",
                            "water-heavy; tasks request 1.5 to 3 times what they use, of everything.",
                            new RequestRatios(1.5, 3, RequestRatios.USUAL_SPREAD, true)),
            in(ALL, "water-heavy")
                    .with(
                            "overrequested-disks",
                            "overrequested, but of disks and network, which no request names.",
                            new RequestRatios(1.5, 3, RequestRatios.USUAL_SPREAD, false)),
            in(ALL, "water-heavy")
                    .with(
                            "overrequested-erratic",
                            "overrequested; the memory of one application's tasks differs by a third.",
                            new RequestRatios(1.5, 3, ERRATIC, true)),
            in(ALL, "curves-destructive")
                    .with(
                            "full-destructive",
                            "curves-destructive; tasks use what they request.",
                            RequestRatios.AS_USED),
            in(ALL, "curves-mild")
                    .with("full-mild", "curves-mild; tasks use what they request.", RequestRatios.AS_USED),
            in(ALL, "none").with("full-none", "none; tasks use what they request.", RequestRatios.AS_USED));

    private Worlds() {}

    /** Returns the worlds in which memory is told and runs out. */
    public static List<World> elastic() {
        return ELASTIC;
    }

    /** Returns every world, in the order of the report. */
    public static List<World> all() {
        return ALL;
    }

    /**
     * Returns the world with {@code name}.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static World named(String name) {
        return in(Stream.concat(ALL.stream(), ELASTIC.stream()).toList(), name);
    }

    private static World in(List<World> worlds, String name) {
        return worlds.stream()
                .filter(world -> world.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no world is named '" + name + "'"));
    }

    private static World world(String name, String describes, GroundTruth truth) {
        return new World(name, describes, truth, Measurement.USUAL);
    }

    private static World virtual(String of, GroundTruth truth) {
        return new World(
                of + "-virtual",
                of + "; what missing-signals lacks is not measured.",
                truth,
                Measurement.USUAL.withMissing(NOT_ON_VIRTUAL_MACHINES));
    }

    private static Map<SharedResource, Double> losses(double disk, double network, double bandwidth) {
        return Map.of(
                SharedResource.CPU, 0.05,
                SharedResource.DISK, disk,
                SharedResource.NETWORK, network,
                SharedResource.MEMORY_BANDWIDTH, bandwidth);
    }
}
