package org.interference.yarn.sim.workload.trace;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.interference.yarn.sim.workload.SharedResource;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.interference.yarn.sim.workload.SimTaskKinds;

/**
 * Tells a task's kind by what it took per second. A heuristic: traces have counters of CPU, bytes and time, and no others.
 *
 * <p>For each of the resources that the trace counts, demand d = amount / (run time x what the node has), at most 1. The kind is
 * the one nearest to d: least sum over those resources of (d - demand of the kind)^2; of two that are equally near, the first.
 * Only kinds that press hardest on one of CPU, disk and network are eligible: a trace shows no memory bandwidth and no
 * cache, so that a task is never taken for one that lives on them. That makes the simulated interference milder than it may be.
 * Where no kind is, all are. Of a trace without any counter it is the kind that a type of task is named by, or one that is drawn
 * for the type and its application. Immutable.
 */
public final class KindInference {
    private static final List<SharedResource> COUNTED =
            List.of(SharedResource.CPU, SharedResource.DISK, SharedResource.NETWORK);

    /** Of the built-in kinds on nodes of {@link NodeShape#DEFAULT}. */
    public static final KindInference USUAL = new KindInference(SimTaskKinds.all(), NodeShape.DEFAULT);

    private final List<SimTaskKind> kinds;
    private final List<SimTaskKind> eligible;
    private final NodeShape node;

    /** @param kinds one at least */
    public KindInference(List<SimTaskKind> kinds, NodeShape node) {
        this.kinds = List.copyOf(kinds);
        List<SimTaskKind> shown =
                kinds.stream().filter(KindInference::showsInATrace).toList();
        this.eligible = shown.isEmpty() ? this.kinds : shown;
        this.node = node;
    }

    SimTaskKind kind(TracedTask task) {
        return task.uncounted().map(this::drawn).orElseGet(() -> nearest(task));
    }

    private SimTaskKind drawn(TracedTask.Alike alike) {
        return kinds.stream()
                .filter(kind -> kind.name().equals(alike.type()))
                .findFirst()
                .orElseGet(() ->
                        kinds.get(Math.floorMod((alike.application() + "/" + alike.type()).hashCode(), kinds.size())));
    }

    private SimTaskKind nearest(TracedTask task) {
        return eligible.stream()
                .min(Comparator.comparingDouble(kind -> distance(task, kind)))
                .orElseThrow();
    }

    private double distance(TracedTask task, SimTaskKind kind) {
        double seconds = task.ran().toNanos() / 1e9;
        double distance = squaredGap(task.diskBytes() / seconds / node.diskBytesPerSecond(), kind, SharedResource.DISK)
                + squaredGap(
                        task.networkBytes() / seconds / node.networkBytesPerSecond(), kind, SharedResource.NETWORK);
        if (task.cpuSeconds().isPresent()) {
            distance += squaredGap(task.cpuSeconds().getAsDouble() / seconds / node.cores(), kind, SharedResource.CPU);
        }
        return distance;
    }

    private static double squaredGap(double demand, SimTaskKind kind, SharedResource resource) {
        double gap = Math.min(demand, 1) - kind.demand(resource);
        return gap * gap;
    }

    private static boolean showsInATrace(SimTaskKind kind) {
        double counted = COUNTED.stream().mapToDouble(kind::demand).max().orElse(0);
        return Stream.of(SharedResource.values()).allMatch(resource -> kind.demand(resource) <= counted);
    }
}
