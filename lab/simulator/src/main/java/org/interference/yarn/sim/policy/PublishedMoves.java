package org.interference.yarn.sim.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.interference.yarn.relocate.CpuGreedyPolicy;
import org.interference.yarn.relocate.HerdChoice;
import org.interference.yarn.relocate.HerdView;
import org.interference.yarn.relocate.OltpPolicy;
import org.interference.yarn.sim.engine.Omniscience;
import org.interference.yarn.sim.workload.SharedResource;
import org.interference.yarn.sim.world.GroundTruth;
import org.interference.yarn.sim.world.Load;

/**
 * What the published policies would move, by all that is true: a container's disk requests are its demand of the disk times the published baseline, which is what a disk
 * can do, and every container has one process. Each move is judged and none made. Not thread-safe.
 */
final class PublishedMoves {
    /** "Herd Control Evaluation Rate". */
    private static final Duration RATE = Duration.ofSeconds(150);

    private static final double BASELINE = 8000;

    private final AbstractYarnScheduler<?, ?> scheduler;
    private final Omniscience everything;
    private final RelocationHistory history;
    private Instant next = Instant.MIN;

    PublishedMoves(AbstractYarnScheduler<?, ?> scheduler, Omniscience everything, RelocationHistory history) {
        this.scheduler = scheduler;
        this.everything = everything;
        this.history = history;
    }

    void look(Instant now) {
        if (now.isBefore(next)) {
            return;
        }
        next = now.plus(RATE);
        Map<String, List<Load>> loads = new HashMap<>();
        scheduler.getNodeTracker().getAllNodes().stream()
                .map(SchedulerNode::getNodeID)
                .sorted(Comparator.naturalOrder())
                .forEach(id -> loads.put(name(id), everything.running(id)));
        HerdView view = view(loads);
        HerdChoice oltp = OltpPolicy.choose(view);
        HerdChoice choice = oltp.move().isPresent() ? oltp : CpuGreedyPolicy.choose(view);
        choice.move().ifPresent(move -> history.move(gain(move, loads) < 0));
    }

    private static String name(NodeId id) {
        return id.toString();
    }

    private HerdView view(Map<String, List<Load>> loads) {
        List<HerdView.Host> hosts = new ArrayList<>();
        List<HerdView.Container> containers = new ArrayList<>();
        loads.forEach((host, running) -> {
            double disk = 0;
            double cpu = 0;
            for (int i = 0; i < running.size(); i++) {
                double ownDisk = everything.truth().demand(running.get(i), SharedResource.DISK);
                double ownCpu = everything.truth().demand(running.get(i), SharedResource.CPU);
                disk += ownDisk;
                cpu += ownCpu;
                containers.add(new HerdView.Container(
                        container(host, i),
                        host,
                        0,
                        OptionalDouble.of(ownDisk * BASELINE),
                        OptionalDouble.of(ownCpu),
                        OptionalDouble.of(1)));
            }
            hosts.add(new HerdView.Host(
                    host,
                    OptionalDouble.of(disk * BASELINE),
                    OptionalDouble.of(Math.min(1, disk)),
                    OptionalDouble.of(Math.min(1, cpu)),
                    OptionalDouble.of(1)));
        });
        return new HerdView(hosts, containers);
    }

    private static String container(String host, int index) {
        return host + "/" + index;
    }

    /** Returns what the two nodes get done more after a move, in tasks alone. */
    private double gain(HerdChoice.Move move, Map<String, List<Load>> loads) {
        List<Load> from = new ArrayList<>(loads.get(move.from()));
        List<Load> to = new ArrayList<>(loads.get(move.to()));
        double before = rates(from) + rates(to);
        to.add(from.remove(
                Integer.parseInt(move.container().substring(move.container().lastIndexOf('/') + 1))));
        return rates(from) + rates(to) - before;
    }

    private double rates(List<Load> together) {
        GroundTruth truth = everything.truth();
        double rates = 0;
        for (double slowdown : truth.slowdowns(together)) {
            rates += 1 / slowdown;
        }
        return rates;
    }
}
