package org.interference.yarn.benchmarks;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Preemptor;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;

/**
 * The node report that every figure is of: 40 containers of four programs, every signal measured, no two levels alike, each pre-empted by
 * four, of a node that says all of itself.
 */
public final class Reports {
    static final int CONTAINERS = 40;

    /** The node's clock agrees with the ResourceManager's. */
    static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static final long CLUSTER_STARTED = 1_700_000_000_000L;
    private static final int PROGRAMS = 4;
    /** A machine has what it has: of the cluster's kinds of node each tells the same in every report. */
    private static final int KINDS_OF_NODE = 3;

    /** Of the smallest kind. */
    private static final Map<NodeMetric, Double> CAPACITIES = Map.of(
            NodeMetric.CPUS, 32.0,
            NodeMetric.MEMORYBYTES, 256e9,
            NodeMetric.DISKRATE, 2e9,
            NodeMetric.NETWORKRATE, 25e9);

    private static final int CONTAINERS_OF_ONE_APPLICATION = 1000;

    private Reports() {}

    /** What a report of {@code signals} signals has in it. */
    static String description(int signals) {
        return "%d containers x %d signals, every one measured, with level and mean, every second disk clipped; launch signatures"
                .formatted(CONTAINERS, signals);
    }

    /**
     * The report number {@code sequence} of {@code node}, a second after the one before: containers go on, as no other is believed. The same arguments
     * make the same report.
     */
    static NodeReport of(int node, long sequence) {
        NodeReport report = of(node, sequence, List.of(Signal.values()));
        List<ContainerReport> preempted = report.containers().stream()
                .map(container -> container.with(preemptors(report.containers(), container)))
                .toList();
        Map<NodeMetric, Double> figures =
                new EnumMap<>(figures(new Random(37L * node + sequence)).values());
        CAPACITIES.forEach((metric, least) -> figures.put(metric, least * (1 + node % KINDS_OF_NODE)));
        return new NodeReport(CLUSTER_STARTED, sequence, NOW, preempted, new NodeFigures(figures));
    }

    /** What a node says of itself: all that it can, nothing of it likely. */
    public static NodeFigures figures(Random random) {
        Map<NodeMetric, Double> values = new EnumMap<>(NodeMetric.class);
        for (NodeMetric metric : NodeMetric.values()) {
            values.put(metric, random.nextDouble() * (metric.unit() == NodeMetric.Unit.SHARE ? 1 : 1000));
        }
        return new NodeFigures(values);
    }

    private static List<Preemptor> preemptors(List<ContainerReport> containers, ContainerReport victim) {
        int at = containers.indexOf(victim);
        List<Preemptor> preemptors = new ArrayList<>(List.of(new Preemptor(Optional.empty(), at)));
        for (int i = 1; i < Preemptor.MOST; i++) {
            String taker = containers.get((at + i) % containers.size()).container();
            preemptors.add(new Preemptor(Optional.of(taker), i));
        }
        return preemptors;
    }

    /** The same with these signals alone, and nothing of the node itself or of who takes whose CPU. */
    static NodeReport of(int node, long sequence, List<Signal> signals) {
        Random random = new Random(31L * node + sequence);
        Random ages = new Random(node);
        List<ContainerReport> containers = new ArrayList<>();
        for (int i = 0; i < CONTAINERS; i++) {
            Duration observed =
                    Duration.ofMillis(60_000 + ages.nextInt(3_600_000)).plusSeconds(sequence);
            containers.add(new ContainerReport(
                    containerId(node * CONTAINERS + i),
                    observed,
                    false,
                    readings(signals, random, i % 2 == 0),
                    Optional.of(new LaunchSignature(i * PROGRAMS / CONTAINERS))));
        }
        return new NodeReport(CLUSTER_STARTED, sequence, NOW, containers);
    }

    private static String containerId(int number) {
        return String.format(
                Locale.ROOT,
                "container_e17_%d_%04d_01_%06d",
                CLUSTER_STARTED,
                1 + number / CONTAINERS_OF_ONE_APPLICATION,
                1 + number % CONTAINERS_OF_ONE_APPLICATION);
    }

    /** @param clipped whether more than one request of the disk is in flight */
    private static Map<Signal, Reading> readings(List<Signal> signals, Random random, boolean clipped) {
        Map<Signal, Reading> readings = new EnumMap<>(Signal.class);
        for (Signal signal : signals) {
            boolean disk = signal == Signal.BLK;
            double raw = disk && clipped ? 1 + random.nextDouble() : random.nextDouble();
            double level = disk ? Math.min(1, raw) : raw;
            readings.put(signal, new Reading.Measured(level, random.nextDouble(), raw, disk, "proc"));
        }
        return readings;
    }
}
