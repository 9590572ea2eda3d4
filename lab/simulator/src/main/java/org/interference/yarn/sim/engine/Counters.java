package org.interference.yarn.sim.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.sim.world.Measurement;
import org.interference.yarn.sim.world.Seeds;
import org.interference.yarn.wire.HeartbeatCodec;

/** One node's plugin: encodes what its counters show at each heartbeat, as well as this world can measure. Not thread-safe. */
final class Counters {
    private static final String SOURCE = "simulated";
    /** Of a disk with one request in flight. */
    static final double BYTES_PER_SECOND = 1e8;
    /** Of a node of size 1. */
    private static final double CPUS = 16;

    private static final double BITS_PER_SECOND = 1e10;
    private static final double BYTES_PER_MB = 1 << 20;

    private static final Reading MISSING = new Reading.Unavailable("this world cannot measure it", SOURCE);

    private final Measurement measurement;
    private final long seed;
    private final boolean tellsLast;
    private final Map<String, Previous> previous = new HashMap<>();
    private final Deque<Sent> onTheirWay = new ArrayDeque<>();
    private final Map<String, Map<Signal, Double>> errors = new HashMap<>();
    private long sequence;
    private double lastAt;
    private double lastCpuSeconds;
    private double lastDiskSeconds;
    private double lastBytesRead;

    private record Previous(double at, Map<Signal, Double> counted) {}

    private record Sent(double at, NodeReport report) {}

    /** @param tellsLast whether it tells a container's figures once more when it has ended */
    Counters(Measurement measurement, long seed, boolean tellsLast) {
        this.tellsLast = tellsLast;
        this.measurement = measurement;
        this.seed = seed;
    }

    /** Returns the payload of the heartbeat at {@code now}; empty on a node without the plugin, or before its first report. */
    Optional<byte[]> payload(Node node, List<RunningTask> finished, double now, Instant instant) {
        if (!measurement.isMeasured(node.index())) {
            return Optional.empty();
        }
        List<ContainerReport> containers = new ArrayList<>();
        for (RunningTask task : node.running()) {
            if (now > task.started()) {
                containers.add(report(task, now, false));
            }
        }
        for (RunningTask task : finished) {
            if (tellsLast) {
                containers.add(report(task, task.finished(), true));
            }
            previous.remove(task.container().getId().toString());
            errors.remove(task.container().getId().toString());
        }
        NodeReport report = new NodeReport(1, ++sequence, instant, containers, figures(node, now));
        onTheirWay.add(new Sent(now, report));
        return newestBefore(now - measurement.delay().toMillis() / 1000.0).map(HeartbeatCodec::encode);
    }

    private NodeFigures figures(Node node, double now) {
        Map<NodeMetric, Double> figures = new EnumMap<>(NodeMetric.class);
        if (node.memoryMb() < Double.POSITIVE_INFINITY) {
            figures.put(NodeMetric.MEMORY, Math.min(1, node.usedMemoryMb() / node.memoryMb()));
            figures.put(NodeMetric.MEMORYBYTES, node.memoryMb() * BYTES_PER_MB);
        }
        double window = now - lastAt;
        if (measurement.ofNodes() && window > 0) {
            double cpu = (node.cpuSeconds() - lastCpuSeconds) / window;
            double disk = (node.diskSeconds() - lastDiskSeconds) / window;
            lastAt = now;
            lastCpuSeconds = node.cpuSeconds();
            lastDiskSeconds = node.diskSeconds();
            figures.put(NodeMetric.CPU, cpu);
            figures.put(NodeMetric.DISK, disk);
            figures.put(NodeMetric.READB, (node.bytesRead() - lastBytesRead) / window);
            lastBytesRead = node.bytesRead();
            figures.put(NodeMetric.WRITEB, 0.0);
            figures.put(NodeMetric.CPUS, CPUS * node.size());
            figures.put(NodeMetric.DISKRATE, BYTES_PER_SECOND * node.size());
            figures.put(NodeMetric.NETWORKRATE, BITS_PER_SECOND * node.size());
        }
        return figures.isEmpty() ? NodeFigures.EMPTY : new NodeFigures(figures);
    }

    private Optional<NodeReport> newestBefore(double latest) {
        Optional<NodeReport> newest = Optional.empty();
        while (!onTheirWay.isEmpty() && onTheirWay.peek().at() <= latest) {
            newest = Optional.of(onTheirWay.remove().report());
        }
        return newest;
    }

    private ContainerReport report(RunningTask task, double at, boolean ended) {
        String id = task.container().getId().toString();
        Previous before = previous.getOrDefault(id, new Previous(task.started(), Map.of()));
        double observed = at - task.started();
        double window = Math.max(at - before.at(), 1e-3);
        EnumMap<Signal, Reading> readings = new EnumMap<>(Signal.class);
        task.counted().forEach((signal, counted) -> {
            if (measurement.missing().contains(signal)) {
                readings.put(signal, MISSING);
                return;
            }
            double error = errors.computeIfAbsent(id, container -> new EnumMap<>(Signal.class))
                    .computeIfAbsent(signal, same -> error(task, same));
            double level = error * Math.max(0, counted - before.counted().getOrDefault(signal, 0.0)) / window;
            double mean = error * counted / Math.max(observed, 1e-3);
            readings.put(signal, new Reading.Measured(level, mean, level, false, SOURCE));
        });
        readings.put(Signal.WRITEB, new Reading.Measured(0, 0, 0, false, SOURCE));
        previous.put(id, new Previous(at, new EnumMap<>(task.counted())));
        return new ContainerReport(id, Duration.ofNanos(Math.round(observed * 1e9)), ended, readings);
    }

    /** A counter is off by the same factor for as long as a container lives. */
    private double error(RunningTask task, Signal signal) {
        if (signal == Signal.MEM) {
            // The kernel counts pages, and no share of anything.
            return 1;
        }
        long container = task.container().getId().getContainerId();
        long draw = Seeds.of(seed, task.job().index(), container, signal.id());
        return measurement.exaggeration() * StrictMath.exp(measurement.noise() * Seeds.normal(draw));
    }
}
