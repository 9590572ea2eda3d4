package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.interference.yarn.nm.attribute.ProcessTable;
import org.interference.yarn.nm.collect.ContainerMembers;
import org.interference.yarn.nm.collect.IoCounts;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.collect.WatchedContainer;
import org.interference.yarn.nm.control.Quantity;

/**
 * What containers read from storage and wrote to it since they were first seen, by {@code /proc/PID/io}. What a process does between
 * the last look and its end is missed. Not thread-safe.
 */
public final class ContainerBytes {
    /** Looking for processes costs a read for every process of the node; what a child did until it is found is not lost. */
    private static final int LOOKS_PER_SCAN = 5;

    private static final IoCounts NOTHING = new IoCounts(0, 0);

    private final ProcFiles files;
    private final ContainerMembers members;
    private final Map<String, ChangeLedger> ledgers = new HashMap<>();
    private List<WatchedContainer> known = List.of();
    private ProcessTable table = ProcessTable.of(List.of());
    private Map<String, Set<Long>> processes = Map.of();
    private long looks;

    public ContainerBytes(ProcFiles files) {
        this.files = files;
        this.members = new ContainerMembers(files);
    }

    /** Returns bytes read and written by container id; one whose processes may not be looked at is left out. */
    public Map<String, Map<Quantity, Double>> sample(List<WatchedContainer> watched) throws IOException {
        if (!watched.equals(known) || looks % LOOKS_PER_SCAN == 0) {
            table = ProcessTable.of(files.processes());
            processes = members.of(watched, table);
            ledgers.keySet().retainAll(processes.keySet());
            known = List.copyOf(watched);
        }
        looks++;
        Map<String, Map<Quantity, Double>> bytes = new HashMap<>();
        for (Map.Entry<String, Set<Long>> container : processes.entrySet()) {
            try {
                ChangeLedger ledger = ledgers.computeIfAbsent(container.getKey(), id -> new ChangeLedger());
                bytes.put(container.getKey(), ledger.add(container.getValue()));
            } catch (AccessDeniedException e) {
                ledgers.remove(container.getKey());
            }
        }
        return bytes;
    }

    /** One container's processes at the last look, and what all of its processes have done. */
    private final class ChangeLedger {
        private Map<ProcessKey, IoCounts> last = Map.of();
        private boolean sampled;
        private double read;
        private double written;

        Map<Quantity, Double> add(Set<Long> pids) throws IOException {
            Map<ProcessKey, IoCounts> next = new HashMap<>();
            for (long pid : pids) {
                OptionalLong start = table.startTicks(pid);
                if (start.isPresent()) {
                    files.io(pid).ifPresent(counts -> next.put(new ProcessKey(pid, start.getAsLong()), counts));
                }
            }
            next.forEach((process, counts) -> {
                IoCounts before = last.getOrDefault(process, sampled ? NOTHING : counts);
                read += Math.max(0, counts.readBytes() - before.readBytes());
                written += Math.max(0, counts.writtenBytes() - before.writtenBytes());
            });
            last = next;
            sampled = true;
            return Map.of(Quantity.READ_BYTES, read, Quantity.WRITTEN_BYTES, written);
        }
    }

    private record ProcessKey(long pid, long startTicks) {}
}
