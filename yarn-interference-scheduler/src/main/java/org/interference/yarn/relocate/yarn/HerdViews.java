package org.interference.yarn.relocate.yarn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.relocate.HerdView;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.Signal;

/**
 * What nodes report, as the published policies see it. Of a container nobody counts disk requests: it has the part of its node's that its share of the disks' service
 * time is. A disk's activity is its requests in flight, 1 at the most.
 */
final class HerdViews {
    /** The published sample window. */
    private static final Duration WINDOW = Duration.ofSeconds(30);

    private HerdViews() {}

    /** @param containers who may be moved, by id */
    static HerdView of(List<NodeSample> samples, Set<String> containers) {
        List<HerdView.Host> hosts = new ArrayList<>();
        List<HerdView.Container> there = new ArrayList<>();
        for (NodeSample sample : samples) {
            HerdView.Host host = host(sample);
            hosts.add(host);
            double service = service(sample);
            for (ContainerReport report : sample.own()) {
                if (!report.ended() && containers.contains(report.container())) {
                    there.add(container(report, host, service));
                }
            }
        }
        return new HerdView(hosts, there);
    }

    private static HerdView.Host host(NodeSample sample) {
        OptionalDouble reads = told(sample, NodeMetric.READS);
        OptionalDouble writes = told(sample, NodeMetric.WRITES);
        OptionalDouble inFlight = told(sample, NodeMetric.DISK);
        return new HerdView.Host(
                sample.node(),
                reads.isPresent() && writes.isPresent()
                        ? OptionalDouble.of(reads.getAsDouble() + writes.getAsDouble())
                        : OptionalDouble.empty(),
                inFlight.isPresent() ? OptionalDouble.of(Math.min(1, inFlight.getAsDouble())) : OptionalDouble.empty(),
                told(sample, NodeMetric.CPU),
                told(sample, NodeMetric.CPUS));
    }

    private static OptionalDouble told(NodeSample sample, NodeMetric metric) {
        return sample.report().figures().value(metric);
    }

    private static double service(NodeSample sample) {
        return sample.own().stream()
                .mapToDouble(report -> report.level(Signal.BLK))
                .filter(level -> !Double.isNaN(level))
                .sum();
    }

    private static HerdView.Container container(ContainerReport report, HerdView.Host host, double service) {
        double blk = report.level(Signal.BLK);
        double cpu = report.level(Signal.CPU);
        double missing = 1 - report.observed().toMillis() / (double) WINDOW.toMillis();
        return new HerdView.Container(
                report.container(),
                host.name(),
                Math.max(0, missing),
                host.diskOps().isPresent() && service > 0 && !Double.isNaN(blk)
                        ? OptionalDouble.of(host.diskOps().getAsDouble() * blk / service)
                        : OptionalDouble.empty(),
                Double.isNaN(cpu) ? OptionalDouble.empty() : OptionalDouble.of(cpu),
                OptionalDouble.empty());
    }
}
