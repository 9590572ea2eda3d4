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
                files.write(group.resolve(name), disk + " " + value);
            }
        }
    }

    private static List<String> names(Hierarchy hierarchy) {
        return hierarchy.mount().unified()
                ? List.of("io.max")
                : List.of("blkio.throttle.read_bps_device", "blkio.throttle.write_bps_device");
    }
}
