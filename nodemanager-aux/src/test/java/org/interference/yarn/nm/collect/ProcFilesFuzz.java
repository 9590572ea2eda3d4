package org.interference.yarn.nm.collect;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.interference.yarn.nm.attribute.CgroupMount;
import org.interference.yarn.nm.attribute.ContainerCgroup;
import org.interference.yarn.nm.attribute.ProcessEntry;

/** Whatever a file below {@code /proc} or {@code /sys} holds, it is read or is absent. The first byte says which file it is. */
public final class ProcFilesFuzz {
    private static final String CONTAINER = "container_1700000000000_0001_01_000002";

    private static final Set<String> DISKS = Set.of("8:0", "259:1");

    private ProcFilesFuzz() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        String text = new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8);
        switch (bytes[0]) {
            case 'a' -> KernelText.stalledMicros(text, KernelText.SOME);
            case 'b' -> {
                KernelText.deviceBytes(text, " rbytes=", DISKS);
                KernelText.deviceBytes(text, " Read ", DISKS);
            }
            case 'c' -> DiskCounts.parse(text, Set.of("sda", "nvme0n1"));
            case 'd' -> ProcessEntry.parse(text);
            case 'e' -> CgroupMount.all(text);
            case 'g' -> KernelText.named(text, "inactive_file ");
            default -> {
                int half = text.length() / 2;
                ContainerCgroup.directory(CONTAINER, text.substring(0, half), text.substring(half));
            }
        }
    }
}
