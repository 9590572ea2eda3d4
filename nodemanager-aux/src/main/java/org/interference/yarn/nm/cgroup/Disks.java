package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

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

    /** Returns what {@code disks} have read and written since boot; empty where {@code diskstats} has none of them. */
    static OptionalDouble bytes(String diskstats, Collection<String> disks) {
        double bytes = 0;
        boolean found = false;
        for (String line : diskstats.lines().toList()) {
            String[] fields = line.strip().split(" +", -1);
            if (fields.length > SECTORS_WRITTEN && disks.contains(fields[0] + ":" + fields[1])) {
                bytes += SECTOR_BYTES
                        * (Double.parseDouble(fields[SECTORS_READ]) + Double.parseDouble(fields[SECTORS_WRITTEN]));
                found = true;
            }
        }
        return found ? OptionalDouble.of(bytes) : OptionalDouble.empty();
    }
}
