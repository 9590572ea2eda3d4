package org.interference.yarn.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What was measured on, without names. */
public final class MachineDescription {
    private static final double BYTES_PER_GIB = 1L << 30;

    private MachineDescription() {}

    /** Returns what a published figure needs beside it. */
    public static Map<String, Object> describe() throws IOException {
        Map<String, Object> machine = new LinkedHashMap<>();
        machine.put("cpu", valueOf(Path.of("/proc/cpuinfo"), "model name"));
        machine.put("cpus", Runtime.getRuntime().availableProcessors());
        String kilobytes = valueOf(Path.of("/proc/meminfo"), "MemTotal").replace(" kB", "");
        machine.put("memory_gib", Math.round(Long.parseLong(kilobytes) * 1024 / BYTES_PER_GIB));
        // Without the builder's suffix, which says nothing to others.
        String release = System.getProperty("os.version").replaceFirst("-.*", "");
        machine.put("kernel", System.getProperty("os.name") + " " + release);
        machine.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        return machine;
    }

    private static String valueOf(Path file, String key) throws IOException {
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(key))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse("unknown");
        }
    }
}
