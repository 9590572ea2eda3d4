package org.interference.yarn.nm.control;

import java.util.LinkedHashMap;
import java.util.Map;
import org.interference.yarn.signal.WorkClass;

/**
 * The project's own rule: while CPU-intensive containers are present, I/O-intensive ones share the first mu cores.
 *
 * <p>That comes from CSS (Song, Yu and Lee, 2022), whose rule is {@link Ctbra}; this one differs in three points. CPU-intensive containers are
 * never confined. I/O-intensive ones among themselves keep all cores. And while CPU-intensive containers outnumber the cores, I/O-intensive ones are left
 * alone as well: on cores that are all busy they would wait for those of few when others become free.
 *
 * <p>Who is not classified, and every application master, keeps all cores and is not counted. Pure.
 *
 * @param mu how many cores I/O-intensive containers share, {@code >= 1}; at most all but one where there are two or more
 * @param sharing how the threads of a physical core are given away
 */
public record CoreAllocator(int mu, CoreSharing sharing) implements CoreRule {
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
    public Map<String, CoreSet> allocate(NodeCores node, Map<String, WorkClass> classes) {
        int computing = CoreRule.named(WorkClass.CPU_INTENSIVE, classes).size();
        int few = Math.min(mu, node.size() - 1);
        if (few == 0 || computing == 0 || computing > node.size()) {
            return Map.of();
        }
        Map<String, CoreSet> cores = new LinkedHashMap<>();
        CoreRule.named(WorkClass.IO_INTENSIVE, classes)
                .forEach(container -> cores.put(container, node.few(few, sharing)));
        return cores;
    }
}
