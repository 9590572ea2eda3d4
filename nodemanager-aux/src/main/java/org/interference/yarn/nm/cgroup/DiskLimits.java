package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The same limit of bytes per second for each of some disks, in the files of either version. */
final class DiskLimits {
    private static final String UNLIMITED = "rbps=max wbps=max";
    private static final String UNLIMITED_1 = "0";

    private final ControlFiles files;
    private final List<String> disks;

    /** @param disks the devices, as {@code MAJOR:MINOR} */
    DiskLimits(ControlFiles files, List<String> disks) {
        this.files = files;
        this.disks = List.copyOf(disks);
    }

    boolean hasNoDisk() {
        return disks.isEmpty();
    }

    /** Notes the limits that {@code group} has now. */
    void note(ChangeLedger ledger, String container, Hierarchy hierarchy, Path group) throws IOException {
        for (String disk : disks) {
            for (String name : names(hierarchy)) {
                Path file = group.resolve(name);
                // Every one of these files has a line for each device that is limited.
                String before = files.read(file)
                        .lines()
                        .filter(line -> line.startsWith(disk + " "))
                        .findFirst()
                        .orElse(disk + " " + (hierarchy.mount().unified() ? UNLIMITED : UNLIMITED_1));
                ledger.change(container, file, disk, before);
            }
        }
    }

    void limit(Hierarchy hierarchy, Path group, long bytesPerSecond) throws IOException {
        write(
                hierarchy,
                group,
                hierarchy.mount().unified()
                        ? String.format(Locale.ROOT, "rbps=%1$d wbps=%1$d", bytesPerSecond)
                        : Long.toString(bytesPerSecond));
    }

    void lift(Hierarchy hierarchy, Path group) throws IOException {
        write(hierarchy, group, hierarchy.mount().unified() ? UNLIMITED : UNLIMITED_1);
    }

    private void write(Hierarchy hierarchy, Path group, String value) throws IOException {
        for (String disk : disks) {
            for (String name : names(hierarchy)) {
                write(files, group.resolve(name), disk + " " + value);
            }
        }
    }

    /** Whether {@code file} has a line for each device that is limited. */
    static boolean isPerDevice(Path file) {
        String name = file.getFileName().toString();
        return name.equals("io.max") || name.startsWith("blkio.throttle.");
    }

    /**
     * Writes a device's line. One that has dropped off the bus is neither limited nor freed, and needs to be neither: that must not cost a
     * container what holds for the others.
     */
    static void write(ControlFiles files, Path file, String line) throws IOException {
        try {
            files.write(file, line);
        } catch (IOException e) {
            if (files.hasDevice(line.split(" ", 2)[0])) {
                throw e;
            }
        }
    }

    private static List<String> names(Hierarchy hierarchy) {
        return hierarchy.mount().unified()
                ? List.of("io.max")
                : List.of("blkio.throttle.read_bps_device", "blkio.throttle.write_bps_device");
    }
}
