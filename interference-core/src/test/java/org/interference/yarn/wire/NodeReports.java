package org.interference.yarn.wire;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.ControlStatus;
import org.interference.yarn.signal.Endpoint;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Preemptor;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.ShortFloat;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.signal.Untold;
import org.interference.yarn.signal.WorkClass;

/** Node reports as situations. Values are such as travel unchanged. */
final class NodeReports {
    private static final String[] SOURCES = {"proc", "ebpf", "resctrl"};
    private static final String[] REASONS = {"no PMU", "resctrl is not mounted", "", "Gerät fehlt"};

    private NodeReports() {}

    /** What node-report-v2.bin holds; node-report-v2.txt says the same in words. */
    static NodeReport golden() {
        EnumMap<Signal, Reading> map = new EnumMap<>(Signal.class);
        map.put(Signal.NETP, new Reading.Measured(0.125, 0.0625, 0.125, true, "proc"));
        map.put(Signal.NETS, new Reading.Unavailable("collector is not running", "proc"));
        map.put(Signal.BLK, new Reading.Measured(1, 0.5, 3.25, false, "ebpf"));
        map.put(Signal.MBW, new Reading.Unavailable("resctrl is not mounted", "resctrl"));
        map.put(Signal.LLCMR, new Reading.Unavailable("no PMU", "ebpf"));
        map.put(Signal.LLOCC, new Reading.Unavailable("resctrl is not mounted", "resctrl"));
        map.put(Signal.CPU, new Reading.Measured(0.75, 0.5, 0.75, false, "proc"));
        map.put(Signal.CPUWAIT, new Reading.Measured(0.25, 0.125, 0.25, false, "proc"));
        map.put(Signal.BLKWAIT, new Reading.Measured(2.5, 1.5, 2.5, false, "proc"));
        map.put(Signal.FUTEX, new Reading.Measured(1500, 1250, 1500, false, "ebpf"));
        Map<Signal, Reading> master = Map.of(Signal.CPU, new Reading.Measured(0, 0, 0, false, "proc"));
        return new NodeReport(
                1_700_000_000_123L,
                42,
                Instant.parse("2023-11-14T22:15:00.456Z"),
                List.of(
                        new ContainerReport(
                                "container_e17_1700000000000_0001_01_000001", Duration.ofMinutes(2), false, master),
                        new ContainerReport(
                                "container_e17_1700000000000_0001_01_000002",
                                Duration.ofMillis(61_500),
                                true,
                                map,
                                Optional.of(new LaunchSignature(0x0123456789abcdefL)))));
    }

    /** What node-report-v2-control.bin holds: the containers of {@link #golden} on a node that controls the second. */
    static NodeReport controlled() {
        NodeReport golden = golden();
        ControlStatus limited = new ControlStatus(
                WorkClass.IO_INTENSIVE,
                "blocked on I/O 0.89 of its time, at least 0.50",
                "0-1",
                OptionalLong.of(12_582_912),
                Instant.parse("2023-11-14T22:14:59.123Z"));
        ControlStatus free = new ControlStatus(
                WorkClass.UNCLASSIFIED, "", "", OptionalLong.empty(), Instant.parse("2023-11-14T22:13:21Z"));
        return new NodeReport(
                golden.incarnation(),
                golden.sequence(),
                golden.measuredAt(),
                List.of(
                        golden.containers().get(0).with(free),
                        golden.containers().get(1).with(limited)));
    }

    /** What node-report-v2-figures.bin holds: the containers of {@link #golden} on a node that says what it knows of itself. */
    static NodeReport withFigures() {
        NodeReport golden = golden();
        Map<NodeMetric, Double> values = new EnumMap<>(NodeMetric.class);
        for (NodeMetric metric : NodeMetric.values()) {
            if (metric != NodeMetric.STEAL && metric.id() <= NodeMetric.MEMORYBYTES.id()) {
                values.put(metric, metric.unit() == NodeMetric.Unit.SHARE ? metric.id() / 32.0 : metric.id() * 1000.0);
            }
        }
        return new NodeReport(
                golden.incarnation(),
                golden.sequence(),
                golden.measuredAt(),
                golden.containers(),
                new NodeFigures(values));
    }

    /** What node-report-v2-work.bin holds: a container of which its work is told, on a node that tells one capacity, and why not the other. */
    static NodeReport withWork() {
        Map<Signal, Reading> work = Map.of(
                Signal.INSTR, new Reading.Unavailable("no PMU on this machine", "perf"),
                Signal.PROGRESS, new Reading.Measured(1500, 1250, 1500, false, "application"),
                Signal.DISK, new Reading.Measured(0.125, 0.0625, 0.125, false, "folders"));
        NodeReport golden = golden();
        return new NodeReport(
                golden.incarnation(),
                golden.sequence(),
                golden.measuredAt(),
                List.of(new ContainerReport(
                        "container_e17_1700000000000_0001_01_000001", Duration.ofMinutes(2), false, work)),
                new NodeFigures(
                        Map.of(NodeMetric.DISKRATE, 536_870_912.0), Map.of(NodeMetric.NETWORKRATE, Untold.NO_SPEED)));
    }

    /** What node-report-v2-preemptors.bin holds: the containers of {@link #golden}, of which the second takes the first one's CPU. */
    static NodeReport withPreemptors() {
        NodeReport golden = golden();
        ContainerReport first = golden.containers().get(0);
        ContainerReport second = golden.containers().get(1);
        return new NodeReport(
                golden.incarnation(),
                golden.sequence(),
                golden.measuredAt(),
                List.of(
                        first.with(List.of(
                                new Preemptor(Optional.of(second.container()), 12.5),
                                new Preemptor(Optional.empty(), 0.25))),
                        second));
    }

    /** What node-report-v2-flows.bin holds: the containers of {@link #golden}, which talk to each other, and one to elsewhere. */
    static NodeReport withFlows() {
        NodeReport golden = golden();
        ContainerReport first = golden.containers().get(0);
        ContainerReport second = golden.containers().get(1);
        Endpoint server = Endpoint.ofIpv4(0x0a000001, 7117);
        Endpoint client = Endpoint.ofIpv4(0x0a000001, 43210);
        Endpoint elsewhere = new Endpoint(0x20010db800000000L, 0x2a, 443);
        return new NodeReport(
                golden.incarnation(),
                golden.sequence(),
                golden.measuredAt(),
                List.of(
                        first.withFlows(List.of(new Flow(server, client, 1_500_000, 300))),
                        second.withFlows(List.of(
                                new Flow(client, server, 300, 1_500_000),
                                new Flow(new Endpoint(0x20010db800000000L, 1, 50000), elsewhere, 0, 7)))));
    }

    static NodeReport oneContainerWith(Signal signal, Reading reading) {
        return new NodeReport(
                1,
                1,
                Instant.EPOCH,
                List.of(new ContainerReport("container_1", Duration.ofSeconds(1), false, Map.of(signal, reading))));
    }

    static NodeReport random(Random random) {
        List<ContainerReport> containers = new ArrayList<>();
        int count = random.nextInt(6);
        for (int i = 0; i < count; i++) {
            EnumMap<Signal, Reading> readings = new EnumMap<>(Signal.class);
            for (Signal signal : Signal.values()) {
                if (random.nextInt(3) > 0) {
                    readings.put(signal, reading(random));
                }
            }
            containers.add(new ContainerReport(
                    "container_%d_%d".formatted(random.nextInt(1000), i),
                    Duration.ofMillis(random.nextInt() & 0xffffffffL),
                    random.nextBoolean(),
                    readings,
                    random.nextBoolean() ? Optional.of(new LaunchSignature(random.nextLong())) : Optional.empty(),
                    random.nextBoolean() ? Optional.of(control(random)) : Optional.empty()));
        }
        Map<NodeMetric, Double> values = new EnumMap<>(NodeMetric.class);
        for (NodeMetric metric : NodeMetric.values()) {
            if (random.nextBoolean()) {
                values.put(metric, level(random));
            }
        }
        Map<NodeMetric, Untold> untold = new EnumMap<>(NodeMetric.class);
        List<Untold> reasons = List.of(Untold.values());
        for (NodeMetric metric : NodeMetric.values()) {
            if (random.nextInt(10) == 0) {
                untold.put(metric, reasons.get(random.nextInt(reasons.size())));
            }
        }
        List<ContainerReport> preempted = containers.stream()
                .map(container -> container.with(preemptors(containers, random)).withFlows(flows(random)))
                .toList();
        return new NodeReport(
                random.nextLong(),
                random.nextLong(),
                Instant.ofEpochMilli(random.nextLong(1L << 42)),
                preempted,
                new NodeFigures(values, untold));
    }

    private static List<Preemptor> preemptors(List<ContainerReport> containers, Random random) {
        List<Preemptor> preemptors = new ArrayList<>();
        for (int i = random.nextInt(Preemptor.MOST + 1); i > 0; i--) {
            Optional<String> container = random.nextBoolean()
                    ? Optional.empty()
                    : Optional.of(
                            containers.get(random.nextInt(containers.size())).container());
            preemptors.add(new Preemptor(container, level(random)));
        }
        return preemptors;
    }

    private static List<Flow> flows(Random random) {
        List<Flow> flows = new ArrayList<>();
        for (int i = random.nextInt(4) == 0 ? random.nextInt(Flow.MOST + 1) : 0; i > 0; i--) {
            flows.add(new Flow(
                    endpoint(random),
                    endpoint(random),
                    random.nextLong() >>> random.nextInt(1, 64),
                    random.nextInt(9)));
        }
        return flows;
    }

    private static Endpoint endpoint(Random random) {
        int port = random.nextInt(1 << 16);
        return random.nextBoolean()
                ? Endpoint.ofIpv4(random.nextInt(), port)
                : new Endpoint(random.nextLong(), random.nextLong(), port);
    }

    private static ControlStatus control(Random random) {
        List<WorkClass> classes = List.of(WorkClass.values());
        return new ControlStatus(
                classes.get(random.nextInt(classes.size())),
                REASONS[random.nextInt(REASONS.length)],
                random.nextBoolean() ? "0-" + random.nextInt(64) : "",
                random.nextBoolean() ? OptionalLong.of(random.nextLong()) : OptionalLong.empty(),
                Instant.ofEpochMilli(random.nextLong(1L << 42)));
    }

    private static Reading reading(Random random) {
        String source = SOURCES[random.nextInt(SOURCES.length)];
        if (random.nextInt(4) == 0) {
            return new Reading.Unavailable(REASONS[random.nextInt(REASONS.length)], source);
        }
        double level = level(random);
        double raw = random.nextInt(3) == 0 ? level(random) : level;
        return new Reading.Measured(level, level(random), raw, random.nextBoolean(), source);
    }

    private static double level(Random random) {
        return random.nextInt(5) == 0
                ? 0
                : ShortFloat.nearest(random.nextFloat() * (random.nextInt(10) == 0 ? 10_000f : 1f));
    }
}
