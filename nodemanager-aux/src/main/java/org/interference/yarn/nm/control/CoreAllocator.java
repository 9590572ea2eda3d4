package org.interference.yarn.nm.control;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.interference.yarn.signal.WorkClass;

/**
 * The project's own rule: while CPU-intensive containers are present, I/O-intensive ones share the first mu cores; I/O-intensive ones among
 * themselves get parts of all cores.
 *
 * <p>The first comes from CSS (Song, Yu and Lee, 2022), whose rule is {@link Ctbra}; this one differs in four points. CPU-intensive containers are
 * never confined. Parts are by vcores, not equal. All cores are handed out, in the order of {@link NodeCores}. And while CPU-intensive
 * containers outnumber the cores, I/O-intensive ones are left alone as well: on cores that are all busy they would wait for those of few
 * when others become free.
 *
 * <p>Who is not classified, and every application master, keeps all cores and is not counted. Pure.
 *
 * @param mu how many cores I/O-intensive containers share, {@code >= 1}; at most all but one where there are two or more
 * @param sharing how the threads of a physical core are given away
 * @param weighed whether the kernel shares the CPUs out by vcores already, so that I/O-intensive ones get no parts among themselves
 */
public record CoreAllocator(int mu, CoreSharing sharing, boolean weighed) implements CoreRule {
    public CoreAllocator(int mu, CoreSharing sharing) {
        this(mu, sharing, false);
    }

    public CoreAllocator {
        if (mu < 1) {
            throw new IllegalArgumentException("mu must be at least 1, got " + mu);
        }
    }

    @Override
    public CoreAllocator whereWeighed() {
        return new CoreAllocator(mu, sharing, true);
    }

    @Override
    public boolean guarded() {
        return true;
    }

    @Override
    public Map<String, CoreSet> allocate(NodeCores node, Map<String, Claim> claims) {
        List<String> computing = Claim.of(WorkClass.CPU_INTENSIVE, claims);
        List<String> waiting = Claim.of(WorkClass.IO_INTENSIVE, claims);
        if (computing.isEmpty()) {
            return weighed ? Map.of() : parts(node, waiting, claims);
        }
        Map<String, CoreSet> cores = new LinkedHashMap<>();
        int few = Math.min(mu, node.size() - 1);
        if (few > 0 && computing.size() <= node.size()) {
            waiting.forEach(container -> cores.put(container, node.few(few, sharing)));
        }
        return cores;
    }

    /** One container alone, or one core, has nothing to be split with. */
    private Map<String, CoreSet> parts(NodeCores node, List<String> containers, Map<String, Claim> claims) {
        Map<String, CoreSet> cores = new LinkedHashMap<>();
        if (containers.size() < 2 || node.size() < 2) {
            return cores;
        }
        List<CoreSet> parts = node.split(
                containers.stream().map(id -> claims.get(id).vcores()).toList(), sharing);
        for (int i = 0; i < containers.size(); i++) {
            cores.put(containers.get(i), parts.get(i));
        }
        return cores;
    }
}
