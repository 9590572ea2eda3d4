package org.interference.yarn.nm.control;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.interference.yarn.signal.WorkClass;

/**
 * The project's own rule: while CPU-intensive containers are present, I/O-intensive ones share the first mu cores.
 *
 * <p>That comes from CSS (Song, Yu and Lee, 2022), whose rule is {@link Ctbra}; this one differs in five points. CPU-intensive containers are
 * never confined. I/O-intensive ones among themselves keep all cores. While CPU-intensive containers outnumber the cores, I/O-intensive ones are left
 * alone as well: on cores that are all busy they would wait for those of few when others become free. They are left alone while they use nearly as much
 * CPU as the first mu cores have, on which they would wait for each other. And they are while a core or more is idle, and as many as CPU-intensive ones wait for:
 * nobody needs what they would leave.
 *
 * <p>Who is not classified, and every application master, keeps all cores and is not counted. Pure.
 *
 * @param mu how many cores I/O-intensive containers share, {@code >= 1}; at most all but one where there are two or more
 * @param sharing how the threads of a physical core are given away
 */
public record CoreAllocator(int mu, CoreSharing sharing) implements CoreRule {
    /** Who uses a larger share of few cores would soon wait for them. */
    private static final double MOST_OF_FEW = 0.7;

    public CoreAllocator {
        if (mu < 1) {
            throw new IllegalArgumentException("mu must be at least 1, got " + mu);
        }
    }

    @Override
    public boolean guarded() {
        return true;
    }

    @Override
    public Map<String, CoreSet> allocate(NodeCores node, Map<String, WorkClass> classes, Map<String, Usage> use) {
        List<String> computing = CoreRule.named(WorkClass.CPU_INTENSIVE, classes);
        List<String> waiting = CoreRule.named(WorkClass.IO_INTENSIVE, classes);
        int few = Math.min(mu, node.size() - 1);
        if (few == 0 || computing.isEmpty() || computing.size() > node.size()) {
            return Map.of();
        }
        double idle = node.size() - sum(Quantity.ON_CPU, use.keySet(), use);
        if (sum(Quantity.ON_CPU, waiting, use) > MOST_OF_FEW * few
                || idle >= Math.max(1, sum(Quantity.RUN_QUEUE_WAIT, computing, use))) {
            return Map.of();
        }
        Map<String, CoreSet> cores = new LinkedHashMap<>();
        waiting.forEach(container -> cores.put(container, node.few(few, sharing)));
        return cores;
    }

    /** Returns how many CPUs {@code containers} used or waited for together. */
    private static double sum(Quantity quantity, Collection<String> containers, Map<String, Usage> use) {
        return containers.stream()
                .mapToDouble(
                        container -> use.getOrDefault(container, Usage.NONE).rateOrNone(quantity))
                .sum();
    }
}
