package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.interference.yarn.nm.attribute.ContainerCgroup;
import org.interference.yarn.signal.Signal;

/**
 * What the kernel keeps for the control groups that YARN made for a container: at most seven small files, however many processes and
 * threads are in them, and those that have ended are in the counts. One look at the node.
 */
final class ControlGroupFiles {
    private static final String NAME = ControlGroupCounterSource.NAME;
    private static final String NO_PRESSURE =
            "the kernel keeps no such pressure for a control group of the container's own (version 2, CONFIG_PSI); intpd may";
    private static final String NO_IO = "no control group of the container's own counts its I/O; intpd does";
    private static final String NO_DISK = "no whole physical disk in /sys/block";
    private static final String LATER_WRITES =
            "control groups of version 1 do not count what the kernel writes back for it; intpd does";
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double BYTES_PER_KIB = 1024;

    private final ProcFiles files;
    private final int cpus;
    private final OptionalLong memoryKib;
    private Optional<Set<String>> disks = Optional.empty();

    ControlGroupFiles(ProcFiles files) throws IOException {
        this.files = files;
        this.cpus = files.onlineCpus();
        this.memoryKib = KernelText.named(files.file("meminfo"), "MemTotal:");
    }

    /** Returns how many CPUs the node has. */
    int cpus() {
        return cpus;
    }

    /**
     * Returns what there is of the container in its groups. CPU time and memory are left out where no group counts them.
     *
     * @param groups their directories by controller, as {@link ContainerCgroup#directories} finds them
     */
    EnumMap<Signal, GroupFigure> figures(Map<String, String> groups) throws IOException {
        EnumMap<Signal, GroupFigure> figures = new EnumMap<>(Signal.class);
        Optional<String> unified = Optional.ofNullable(groups.get(ContainerCgroup.UNIFIED));
        putCpu(groups, figures);
        putMemory(groups, figures);
        putBytes(groups, figures);
        putPressure(unified, "cpu.pressure", Signal.PSICPU, Signal.PSICPUF, figures);
        putPressure(unified, "io.pressure", Signal.PSIIO, Signal.PSIIOF, figures);
        putPressure(unified, "memory.pressure", Signal.PSIMEM, Signal.PSIMEMF, figures);
        return figures;
    }

    /** CPU time in ns of a node with as many CPUs. */
    GroupFigure.Told cpu(double nanos, String part, String source) {
        return new GroupFigure.Told(nanos, false, cpus, Set.of(part), source);
    }

    /** Memory in bytes; empty where the node does not say how much it has. */
    Optional<GroupFigure> memory(double bytes, String part, String source) {
        return memoryKib.isEmpty() || memoryKib.getAsLong() == 0
                ? Optional.empty()
                : Optional.of(new GroupFigure.Told(
                        bytes / BYTES_PER_KIB, true, memoryKib.getAsLong() / NANOS_PER_SECOND, Set.of(part), source));
    }

    private void putCpu(Map<String, String> groups, Map<Signal, GroupFigure> figures) {
        String version1 = groups.get("cpuacct");
        String unified = groups.get(ContainerCgroup.UNIFIED);
        OptionalLong nanos = version1 == null ? OptionalLong.empty() : number(version1, "cpuacct.usage");
        if (nanos.isPresent()) {
            figures.put(Signal.CPU, cpu((double) nanos.getAsLong(), version1, NAME));
        } else if (unified != null) {
            KernelText.named(text(unified, "cpu.stat"), "usage_usec ")
                    .ifPresent(micros -> figures.put(Signal.CPU, cpu(micros * NANOS_PER_MICRO, unified, NAME)));
        }
    }

    /** As intpd has it: the working set is what is charged less the inactive page cache. */
    private void putMemory(Map<String, String> groups, Map<Signal, GroupFigure> figures) {
        // Of version 1 the lines with "total_" are those of the group with all below it.
        String version1 = groups.get("memory");
        if (version1 != null) {
            putMemory(version1, "memory.usage_in_bytes", "total_inactive_file ", "total_rss ", "total_cache ", figures);
        }
        String unified = groups.get(ContainerCgroup.UNIFIED);
        if (unified != null && !figures.containsKey(Signal.MEM)) {
            putMemory(unified, "memory.current", "inactive_file ", "anon ", "file ", figures);
        }
    }

    private void putMemory(
            String group,
            String charged,
            String inactive,
            String anonymous,
            String cache,
            Map<Signal, GroupFigure> into) {
        OptionalLong current = number(group, charged);
        if (current.isEmpty()) {
            return;
        }
        String stat = text(group, "memory.stat");
        OptionalLong reclaimed = KernelText.named(stat, inactive);
        OptionalLong anon = KernelText.named(stat, anonymous);
        OptionalLong file = KernelText.named(stat, cache);
        if (reclaimed.isPresent() && anon.isPresent() && file.isPresent()) {
            // The two are not read at one moment.
            double working = Math.max(0, current.getAsLong() - reclaimed.getAsLong());
            memory(working, group, NAME).ifPresent(figure -> into.put(Signal.MEM, figure));
            memory((double) anon.getAsLong(), group, NAME).ifPresent(figure -> into.put(Signal.MEMANON, figure));
            memory((double) file.getAsLong(), group, NAME).ifPresent(figure -> into.put(Signal.MEMFILE, figure));
        }
    }

    private void putBytes(Map<String, String> groups, Map<Signal, GroupFigure> figures) throws IOException {
        String version1 = groups.get("blkio");
        String unified = groups.get(ContainerCgroup.UNIFIED);
        Optional<String> stat =
                unified == null || version1 != null ? Optional.empty() : files.ofGroup(unified, "io.stat");
        if (stat.isPresent()) {
            figures.put(Signal.READB, bytes(unified, KernelText.deviceBytes(stat.get(), " rbytes=", disks())));
            figures.put(Signal.WRITEB, bytes(unified, KernelText.deviceBytes(stat.get(), " wbytes=", disks())));
            return;
        }
        GroupFigure none = new GroupFigure.Missing(NO_IO, NAME);
        figures.put(Signal.READB, version1 == null ? none : readBytes1(version1));
        figures.put(Signal.WRITEB, version1 == null ? none : new GroupFigure.Missing(LATER_WRITES, NAME));
    }

    /** Kernels that count in version 1 only what is limited list no disk of the others. */
    private GroupFigure readBytes1(String group) throws IOException {
        String text = files.ofGroup(group, "blkio.throttle.io_service_bytes_recursive")
                .or(() -> files.ofGroup(group, "blkio.throttle.io_service_bytes"))
                .orElse("");
        return bytes(
                group,
                KernelText.deviceBytes(text, " Read ", disks())
                        .filter(devices -> !devices.isEmpty() || disksMissing()));
    }

    private boolean disksMissing() {
        return disks.isPresent() && disks.get().isEmpty();
    }

    private GroupFigure bytes(String group, Optional<Map<String, Long>> devices) {
        if (disksMissing()) {
            return new GroupFigure.Missing(NO_DISK, NAME);
        }
        if (devices.isEmpty()) {
            return new GroupFigure.Missing(NO_IO, NAME);
        }
        Set<String> parts = new HashSet<>(devices.get().keySet());
        parts.add(group);
        double sum =
                devices.get().values().stream().mapToDouble(Long::doubleValue).sum();
        return new GroupFigure.Told(sum, false, 1 / NANOS_PER_SECOND, parts, NAME);
    }

    private Set<String> disks() throws IOException {
        if (disks.isEmpty()) {
            disks = Optional.of(files.wholeDiskNumbers());
        }
        return disks.get();
    }

    private void putPressure(
            Optional<String> unified, String file, Signal some, Signal full, Map<Signal, GroupFigure> figures) {
        String text = unified.map(group -> text(group, file)).orElse("");
        String part = unified.orElse("");
        for (Map.Entry<Signal, String> kind :
                List.of(Map.entry(some, KernelText.SOME), Map.entry(full, KernelText.FULL))) {
            OptionalLong micros = KernelText.stalledMicros(text, kind.getValue());
            figures.put(
                    kind.getKey(),
                    micros.isEmpty()
                            ? new GroupFigure.Missing(NO_PRESSURE, NAME)
                            : new GroupFigure.Told(micros.getAsLong() * NANOS_PER_MICRO, false, 1, Set.of(part), NAME));
        }
    }

    private OptionalLong number(String group, String file) {
        return KernelText.only(text(group, file));
    }

    private String text(String group, String file) {
        return files.ofGroup(group, file).orElse("");
    }
}
