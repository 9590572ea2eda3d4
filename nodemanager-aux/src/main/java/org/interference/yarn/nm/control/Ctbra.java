package org.interference.yarn.nm.control;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.interference.yarn.signal.WorkClass;

/**
 * CTBRA, Algorithms 2 and 3 of CSS (Song, Yu and Lee, Applied Sciences 12(16) 8228, 2022): while there are CPU-intensive containers each
 * I/O-intensive one gets the cores 1 to mu, else all of them get equal parts; the CPU-intensive ones get equal parts of all cores, the
 * first mu among them. The remainder of a division is nobody's; where containers are as many as cores, or more, each gets one core in turn.
 *
 * <p>As printed, the two algorithms do not count alike; {@link #equalAllocation} says how each line is read (ADR-0055). Cores are in the order of their numbers.
 * Who is not classified is in neither set. Pure.
 *
 * @param mu how many cores I/O-intensive containers share beside CPU-intensive ones, {@code >= 1}; on a node with fewer, all
 */
public record Ctbra(int mu) implements CoreRule {
    public Ctbra {
        if (mu < 1) {
            throw new IllegalArgumentException("mu must be at least 1, got " + mu);
        }
    }

    /** Algorithm 2, which does not ask for what anybody uses. */
    @Override
    public Map<String, CoreSet> allocate(NodeCores node, Map<String, WorkClass> classes, Map<String, Usage> use) {
        CoreSet cores = node.all();
        List<String> waiting = CoreRule.named(WorkClass.IO_INTENSIVE, classes);
        List<String> computing = CoreRule.named(WorkClass.CPU_INTENSIVE, classes);
        Map<String, CoreSet> allocated = new LinkedHashMap<>();
        for (int i = 0; i < waiting.size(); i++) {
            CoreSet given = computing.isEmpty()
                    ? equalAllocation(cores, i, waiting.size())
                    : allocResource(cores, 1, Math.min(mu, cores.size()));
            allocated.put(waiting.get(i), given);
        }
        for (int i = 0; i < computing.size(); i++) {
            allocated.put(computing.get(i), equalAllocation(cores, i, computing.size()));
        }
        return allocated;
    }

    /**
     * Algorithm 3. Its core number {@code i mod N} can be 0, so here cores count from 0, where Table 3 and Algorithm 2 count from 1; and then the container's
     * index counts from 0 as well, as with 1 the first part would be nobody's and the last one beyond the node. {@code end} is the first core that is no
     * longer the container's in line 4, where parts would overlap otherwise, and the text has isolated ones; in line 7 it is the core itself.
     *
     * @param i index of the container among those that share, from 0
     * @param containers how many share: those of the container's class, by the text
     */
    private static CoreSet equalAllocation(CoreSet cores, int i, int containers) {
        if (cores.size() > containers) {
            int part = cores.size() / containers;
            int start = i * part;
            return allocResource(cores, start + 1, start + part);
        }
        int start = i % cores.size();
        return allocResource(cores, start + 1, start + 1);
    }

    /** Returns the cores from the {@code start}-th to the {@code end}-th, as Table 3 has it: counted from 1, both among them. */
    private static CoreSet allocResource(CoreSet cores, int start, int end) {
        return cores.slice(start - 1, end);
    }

    @Override
    public boolean guarded() {
        return false;
    }
}
