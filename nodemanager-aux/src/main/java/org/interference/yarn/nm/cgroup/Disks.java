package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.interference.yarn.nm.control.DiskUse;

/** The disks behind directories, as {@code MAJOR:MINOR}: whole disks, because that is what the kernel limits. */
public final class Disks {
    private static final long LOW_MAJOR = 0xfff;
    private static final long LOW_MINOR = 0xff;
    private static final int MAJOR_SHIFT = 8;
    private static final int HIGH_MAJOR_SHIFT = 32;
    private static final int HIGH_MINOR_SHIFT = 12;
    private static final int SECTOR_BYTES = 512;
    private static final int SECTORS_READ = 5;
    private static final int SECTORS_WRITTEN = 9;
    private static final int MILLIS_BUSY = 12;
    private static final double MILLIS_PER_SECOND = 1e3;

    private Disks() {}

    /**
     * Returns the disks under {@code directories}; a file system without a device, as tmpfs, has none.
     *
     * @param sys where sysfs is mounted
     */
    public static List<String> under(Collection<Path> directories, Path sys) throws IOException {
        Set<String> disks = new TreeSet<>();
        for (Path directory : directories) {
            Path existing = directory.toAbsolutePath();
            while (!Files.exists(existing)) {
                existing = existing.getParent();
            }
            long device = ((Number) Files.getAttribute(existing, "unix:dev")).longValue();
            Path block = sys.resolve("dev/block").resolve(name(device));
            if (Files.exists(block)) {
                disks.add(whole(block));
            }
        }
        return List.copyOf(disks);
    }

    /** The numbers in a {@code dev_t} of glibc. */
    static String name(long device) {
        long major = ((device >> MAJOR_SHIFT) & LOW_MAJOR) | ((device >> HIGH_MAJOR_SHIFT) & ~LOW_MAJOR);
        long minor = (device & LOW_MINOR) | ((device >> HIGH_MINOR_SHIFT) & ~LOW_MINOR);
        return major + ":" + minor;
    }

    private static String whole(Path block) throws IOException {
        Path real = block.toRealPath();
        Path disk = Files.exists(real.resolve("partition")) ? real.getParent() : real;
        return Files.readString(disk.resolve("dev")).strip();
    }

    /**
     * Returns what {@code disks} have done since boot; empty where {@code diskstats} has none of them.
     *
     * @param turning which of them turn: the time for which another one had something to do does not tell whether it could do more at once
     */
    static Optional<DiskUse> use(String diskstats, Collection<String> disks, Set<String> turning) {
        double bytes = 0;
        Map<String, Double> busy = new HashMap<>();
        for (String line : diskstats.lines().toList()) {
            String[] fields = line.strip().split(" +", -1);
            if (fields.length > MILLIS_BUSY && disks.contains(fields[0] + ":" + fields[1])) {
                bytes += SECTOR_BYTES
                        * (Double.parseDouble(fields[SECTORS_READ]) + Double.parseDouble(fields[SECTORS_WRITTEN]));
                busy.put(fields[0] + ":" + fields[1], Double.parseDouble(fields[MILLIS_BUSY]) / MILLIS_PER_SECOND);
            }
        }
        return busy.isEmpty()
                ? Optional.empty()
                : Optional.of(new DiskUse(bytes, turning.containsAll(disks) ? busy : Map.of()));
    }
}
