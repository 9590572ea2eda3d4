package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.interference.yarn.nm.attribute.ProcessEntry;

/** Reads the files of {@code /proc} and {@code /sys}; one that is gone is empty. Never reads cmdline or environ. */
public final class ProcFiles {
    private static final int LONGEST_LINE = 4096;

    private final Path proc;
    private final Path sys;
    private final byte[] line = new byte[LONGEST_LINE];

    public ProcFiles(Path proc, Path sys) {
        this.proc = proc;
        this.sys = sys;
    }

    public List<ProcessEntry> processes() throws IOException {
        List<ProcessEntry> processes = new ArrayList<>();
        for (long pid : numbersIn(proc)) {
            line(proc + "/" + pid + "/stat").flatMap(ProcessEntry::parse).ifPresent(processes::add);
        }
        return processes;
    }

    /** Returns when a process started, in clock ticks since boot; empty if it is gone or may not be looked at. */
    public OptionalLong startTicks(long pid) {
        try {
            return line(proc + "/" + pid + "/stat").flatMap(ProcessEntry::parse).stream()
                    .mapToLong(ProcessEntry::startTicks)
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    Map<Long, ThreadCounts> threads(long pid, boolean withBlockDelay) throws IOException {
        Map<Long, ThreadCounts> threads = new HashMap<>();
        String tasks = proc + "/" + pid + "/task";
        for (long tid : numbersIn(Path.of(tasks))) {
            Optional<ThreadCounts> counts =
                    line(tasks + "/" + tid + "/schedstat").flatMap(ThreadCounts::parse);
            if (counts.isPresent() && withBlockDelay) {
                Optional<String> stat = line(tasks + "/" + tid + "/stat");
                counts = stat.isEmpty() ? counts : counts.map(thread -> thread.withBlockDelay(stat.get()));
            }
            counts.ifPresent(thread -> threads.put(tid, thread));
        }
        return threads;
    }

    /**
     * Returns a process's I/O counts; empty if it ended.
     *
     * @throws AccessDeniedException if it belongs to another user
     */
    public Optional<IoCounts> io(long pid) throws IOException {
        try {
            return IoCounts.parse(readLine(proc + "/" + pid + "/io"));
        } catch (NoSuchFileException e) {
            return Optional.empty();
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
        return line(proc.resolve("sys/kernel/random/boot_id"))
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

    boolean hasSchedStat() {
        return Files.exists(proc.resolve("self/schedstat"));
    }

    boolean hasBlockDelay() throws IOException {
        return line(proc.resolve("sys/kernel/task_delayacct"))
                .filter(flag -> flag.strip().equals("1"))
                .isPresent();
    }

    /** Returns a small file below {@code devices/system} of sysfs, such as {@code cpu/online}. */
    public Optional<String> system(String file) throws IOException {
        return line(sys.resolve("devices/system").resolve(file));
    }

    int onlineCpus() throws IOException {
        String cpus = line(sys.resolve("devices/system/cpu/online"))
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

    /** Returns a file of a control group that fits into one buffer; empty if it is not there. */
    Optional<String> small(Path file) throws IOException {
        return line(file);
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

    private static List<Long> numbersIn(Path directory) throws IOException {
        List<Long> numbers = new ArrayList<>();
        String[] names = directory.toFile().list();
        if (names != null) {
            for (String name : names) {
                if (Character.isDigit(name.charAt(0))) {
                    numbers.add(Long.valueOf(name));
                }
            }
            return numbers;
        }
        // Only this way says why not.
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (Character.isDigit(name.charAt(0))) {
                    numbers.add(Long.valueOf(name));
                }
            }
        } catch (DirectoryIteratorException e) {
            return numbersUntil(e.getCause(), numbers);
        } catch (IOException e) {
            return numbersUntil(e, numbers);
        }
        return numbers;
    }

    private static List<Long> numbersUntil(IOException end, List<Long> numbers) throws IOException {
        if (gone(end) || denied(end)) {
            return numbers;
        }
        throw end;
    }

    /** Reads a file that fits into one buffer; one that is gone or not ours to read is empty. */
    private Optional<String> line(Path file) throws IOException {
        return line(file.toString());
    }

    private Optional<String> line(String file) throws IOException {
        try {
            return Optional.of(readLine(file));
        } catch (NoSuchFileException | AccessDeniedException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> text(Path file) throws IOException {
        try {
            return Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            if (gone(e) || denied(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** One buffer and one read per file: a tick reads thousands of them, and a channel for each is ten times the garbage. */
    private String readLine(String file) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(file, "r")) {
            return new String(line, 0, Math.max(0, opened.read(line)), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            if (gone(e)) {
                throw new NoSuchFileException(file);
            }
            if (denied(e)) {
                throw new AccessDeniedException(file);
            }
            throw e;
        }
    }

    /** Opening a file of a process that ended says no such file, reading it ESRCH, and a removed cgroup ENODEV. */
    private static boolean gone(IOException e) {
        return e instanceof NoSuchFileException
                || says(e, "No such file or directory")
                || says(e, "No such process")
                || says(e, "No such device");
    }

    /** The kernel may refuse the opening or the reading, and with EPERM as well as with EACCES. */
    private static boolean denied(IOException e) {
        return e instanceof AccessDeniedException || says(e, "Permission denied") || says(e, "Operation not permitted");
    }

    private static boolean says(IOException e, String error) {
        return String.valueOf(e.getMessage()).contains(error);
    }
}
