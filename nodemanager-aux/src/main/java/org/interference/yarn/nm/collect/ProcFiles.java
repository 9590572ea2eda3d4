package org.interference.yarn.nm.collect;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.interference.yarn.nm.attribute.ProcessEntry;

/**
 * Reads the files of {@code /proc} and {@code /sys}; one that is gone, or longer than believable, is empty. Never reads cmdline, environ, or
 * anything of threads. Not thread-safe.
 */
public final class ProcFiles {
    /** In bytes. No such file of a node has as many; one that had would be none of the kernel's. */
    private static final int LONGEST = 1 << 22;

    /** What Java reads without getting memory for it. */
    private static final int PIECE = 1 << 13;

    /** Of {@code /proc/self/auxv}: AT_PAGESZ. */
    private static final long PAGE_SIZE = 6;

    private final Path proc;
    private final Path sys;
    private byte[] buffer = new byte[PIECE];

    public ProcFiles(Path proc, Path sys) {
        this.proc = proc;
        this.sys = sys;
    }

    public List<ProcessEntry> processes() throws IOException {
        List<ProcessEntry> processes = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc, "[1-9]*")) {
            for (Path process : entries) {
                text(process.resolve("stat")).flatMap(ProcessEntry::parse).ifPresent(processes::add);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return processes;
    }

    /** Returns when a process started, in clock ticks since boot; empty if it is gone or may not be looked at. */
    public OptionalLong startTicks(long pid) {
        try {
            return text(proc.resolve(pid + "/stat")).flatMap(ProcessEntry::parse).stream()
                    .mapToLong(ProcessEntry::startTicks)
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    public Optional<String> cgroups(long pid) throws IOException {
        return text(proc.resolve(pid + "/cgroup"));
    }

    /** Returns the control groups of this process, as in {@code /proc/self/cgroup}. */
    public String ownCgroups() throws IOException {
        return text(proc.resolve("self/cgroup")).orElse("");
    }

    /** Returns the kernel's name for the time from its last start on; empty where it gives none. */
    public String bootId() throws IOException {
        return text(proc.resolve("sys/kernel/random/boot_id"))
                .map(String::strip)
                .orElse("");
    }

    public String mountInfo() throws IOException {
        return text(proc.resolve("self/mountinfo")).orElse("");
    }

    /** Returns a file of the node's, such as {@code stat} or {@code pressure/io}; empty where the kernel has none. */
    String file(String name) throws IOException {
        return text(proc.resolve(name)).orElse("");
    }

    public String diskStats() throws IOException {
        return text(proc.resolve("diskstats")).orElse("");
    }

    /** Returns which of {@code disks}, as {@code MAJOR:MINOR}, turn: they serve one request after the other, as others need not. */
    public Set<String> turning(Collection<String> disks) throws IOException {
        Set<String> turning = new HashSet<>();
        for (String disk : disks) {
            text(sys.resolve("dev/block").resolve(disk).resolve("queue/rotational"))
                    .filter(answer -> answer.strip().equals("1"))
                    .ifPresent(yes -> turning.add(disk));
        }
        return turning;
    }

    /** Returns the CPUs that this process may use, in the kernel's notation. */
    public String allowedCores() throws IOException {
        Path status = proc.resolve("self/status");
        return text(status).stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElseThrow(() -> new NoSuchFileException(status + " with Cpus_allowed_list"));
    }

    /** Returns a small file below {@code devices/system} of sysfs, such as {@code cpu/online}. */
    public Optional<String> system(String file) throws IOException {
        return text(sys.resolve("devices/system").resolve(file));
    }

    int onlineCpus() throws IOException {
        String cpus = text(sys.resolve("devices/system/cpu/online"))
                .orElseThrow(() -> new NoSuchFileException(sys + "/devices/system/cpu/online"));
        return CpuList.size(cpus);
    }

    /** Returns the processes in a cgroup and below it; empty once the cgroup is gone. */
    public Set<Long> cgroupMembers(Path cgroup) throws IOException {
        Set<Long> members = new HashSet<>();
        text(cgroup.resolve("cgroup.procs")).ifPresent(pids -> pids.lines()
                .filter(pid -> pid.matches("[1-9][0-9]*"))
                .forEach(pid -> members.add(Long.valueOf(pid))));
        try (Stream<Path> children = Files.list(cgroup)) {
            for (Path child : children.filter(Files::isDirectory).toList()) {
                members.addAll(cgroupMembers(child));
            }
        } catch (NoSuchFileException e) {
            return members;
        }
        return members;
    }

    /** Returns a file of a control group; empty if it cannot be read: one group that cannot be looked at is not all. */
    Optional<String> ofGroup(String directory, String file) {
        try {
            return text(Path.of(directory, file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns how many bytes a page of memory has; empty where the kernel does not say. */
    OptionalLong pageBytes() throws IOException {
        ByteBuffer pairs = text(proc.resolve("self/auxv"))
                .map(text -> ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1))
                        .order(ByteOrder.nativeOrder()))
                .orElse(ByteBuffer.allocate(0));
        while (pairs.remaining() >= 2 * Long.BYTES) {
            long key = pairs.getLong();
            long value = pairs.getLong();
            if (key == PAGE_SIZE) {
                return value > 0 ? OptionalLong.of(value) : OptionalLong.empty();
            }
        }
        return OptionalLong.empty();
    }

    /** Returns the names of the disks that are hardware: not partitions, loops, RAM disks, or layers over other disks. */
    Set<String> wholeDisks() throws IOException {
        Set<String> disks = new HashSet<>();
        try (DirectoryStream<Path> blocks = Files.newDirectoryStream(sys.resolve("block"))) {
            for (Path block : blocks) {
                if (Files.exists(block.resolve("device"))) {
                    disks.add(block.getFileName().toString());
                }
            }
        } catch (NoSuchFileException e) {
            return Set.of();
        }
        return disks;
    }

    /** Returns the same disks as {@code MAJOR:MINOR}. */
    Set<String> wholeDiskNumbers() throws IOException {
        Set<String> numbers = new HashSet<>();
        for (String disk : wholeDisks()) {
            text(sys.resolve("block").resolve(disk).resolve("dev")).ifPresent(number -> numbers.add(number.strip()));
        }
        return numbers;
    }

    /**
     * Reads a whole file; one that is gone, not ours to read, or too long is empty. Which of these it is nobody can tell: what the kernel says comes as a text, in the
     * language of the machine.
     */
    private Optional<String> text(Path file) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(file.toString(), "r")) {
            for (int length = 0; length < LONGEST; ) {
                if (length == buffer.length) {
                    buffer = Arrays.copyOf(buffer, 2 * length);
                }
                int got = opened.read(buffer, length, Math.min(PIECE, buffer.length - length));
                if (got < 0) {
                    return Optional.of(new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
                }
                length += got;
            }
            return Optional.empty();
        } catch (FileNotFoundException e) {
            requireDescriptors(e);
            return Optional.empty();
        } catch (IOException e) {
            // The process has ended since, or the group was removed, or the kernel refuses the reading.
            return Optional.empty();
        }
    }

    /** A process that may open no more files at all knows nothing of any. */
    private static void requireDescriptors(FileNotFoundException cause) throws FileNotFoundException {
        try (FileInputStream other = new FileInputStream("/dev/null")) {
            other.getFD();
        } catch (IOException e) {
            cause.addSuppressed(e);
            throw cause;
        }
    }
}
