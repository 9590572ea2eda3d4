package org.interference.yarn.nm.control;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.interference.yarn.signal.WorkClass;

/**
 * CTBRA of CSS (Song, Yu and Lee, 2022). While CPU-intensive containers are present, each I/O-intensive one gets the first mu cores
 * and the CPU-intensive ones keep all; otherwise, or without I/O-intensive ones, cores are split equally: of N cores and M
 * containers, container i gets {@code floor(N/M)} cores from {@code i floor(N/M)} on if N is at least M, else core {@code i mod N}.
 *
 * <p>While CPU-intensive containers outnumber the cores, I/O-intensive ones are left alone as well, which is not in the source: on
 * cores that are all busy they would wait for those of few when others become free.
 *
 * <p>Who is not classified, and every application master, keeps all cores and is not counted. Pure.
 *
 * @param mu how many cores I/O-intensive containers share, {@code >= 1}; at most all but one where there are two or more
 * @param whenSaturated whether I/O-intensive ones are confined whatever the number of CPU-intensive ones, as in the source
 */
public record CoreAllocator(int mu, boolean whenSaturated) {
    public CoreAllocator(int mu) {
        this(mu, false);
    }

    public CoreAllocator {
        if (mu < 1) {
            throw new IllegalArgumentException("mu must be at least 1, got " + mu);
        }
    }

    /**
     * Returns who is confined to which cores; who is not named keeps all.
     *
     * @param classes of the containers that may be confined, in the order in which they came
     */
    public Map<String, CoreSet> allocate(CoreSet node, Map<String, WorkClass> classes) {
        List<String> computing = withClass(classes, WorkClass.CPU_INTENSIVE);
        List<String> waiting = withClass(classes, WorkClass.IO_INTENSIVE);
        if (computing.isEmpty() || waiting.isEmpty()) {
            return equally(node, computing.isEmpty() ? waiting : computing);
        }
        Map<String, CoreSet> cores = new LinkedHashMap<>();
        int few = Math.min(mu, node.size() - 1);
        if (few > 0 && (whenSaturated || computing.size() <= node.size())) {
            waiting.forEach(container -> cores.put(container, node.slice(0, few)));
        }
        return cores;
    }

    /** One container alone, or one core, has nothing to be split with. */
    private static Map<String, CoreSet> equally(CoreSet node, List<String> containers) {
        Map<String, CoreSet> cores = new LinkedHashMap<>();
        if (containers.size() < 2 || node.size() < 2) {
            return cores;
        }
        int each = node.size() / containers.size();
        for (int i = 0; i < containers.size(); i++) {
            int first = each > 0 ? i * each : i % node.size();
            cores.put(containers.get(i), node.slice(first, first + Math.max(1, each)));
        }
        return cores;
    }

    private static List<String> withClass(Map<String, WorkClass> classes, WorkClass wanted) {
        return classes.entrySet().stream()
                .filter(entry -> entry.getValue() == wanted)
                .map(Map.Entry::getKey)
                .toList();
    }
}
