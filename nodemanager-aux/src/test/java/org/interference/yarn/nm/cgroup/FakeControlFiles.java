package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.interference.yarn.nm.control.CoreSet;

/**
 * Control groups in memory. What the kernel refuses is refused with its words: version 2 enables no controller in a group with processes
 * and lets none into a group with enabled ones, the root apart; a cpuset with processes is never emptied; one of version 1 stays
 * within its parent's and around its children's.
 */
final class FakeControlFiles implements ControlFiles {
    private static final String CONTROL = "cgroup.subtree_control";
    private static final String CPUS = "cpuset.cpus";
    private static final String EFFECTIVE = "cpuset.cpus.effective";
    private static final String ALL_CPUS = "0-3";

    private final Map<Path, Map<String, String>> groups = new TreeMap<>();
    private final Map<Path, Set<String>> processes = new HashMap<>();
    private final Set<Path> refused = new HashSet<>();
    private final Set<String> gone = new HashSet<>();
    private final Set<String> pulled = new HashSet<>();
    private Consumer<String> moved = pid -> {};

    FakeControlFiles group(String path, String... namesAndTexts) {
        Map<String, String> files = new TreeMap<>();
        for (int i = 0; i < namesAndTexts.length; i += 2) {
            files.put(namesAndTexts[i], namesAndTexts[i + 1]);
        }
        groups.put(Path.of(path), files);
        processes.put(Path.of(path), new TreeSet<>());
        return this;
    }

    FakeControlFiles process(String path, long... pids) {
        for (long pid : pids) {
            processes.get(Path.of(path)).add(Long.toString(pid));
        }
        return this;
    }

    /** Writing this file fails from now on. */
    void refuse(String file) {
        refused.add(Path.of(file));
    }

    /** The device drops off the bus: the kernel finds it no more, and takes no line about it. */
    void pull(String device) {
        pulled.add(device);
    }

    /** Writing this file no longer fails. */
    void accept(String file) {
        refused.remove(Path.of(file));
    }

    /** Told of every process that is moved; the kernel shows it in {@code /proc/PID/cgroup}. */
    void onMove(Consumer<String> told) {
        moved = told;
    }

    /** Returns in which group below {@code top} a process is, as the kernel names it. */
    String groupOf(String top, String pid) {
        Path group = processes.entrySet().stream()
                .filter(entry ->
                        entry.getKey().startsWith(top) && entry.getValue().contains(pid))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        return "/" + Path.of(top).relativize(group);
    }

    /** Returns which CPUs a process of version 2 may use. */
    String allowed(String top, long pid) {
        return effective(Path.of(top + groupOf(top, Long.toString(pid))));
    }

    /** The process ends. */
    void end(long pid) {
        gone.add(Long.toString(pid));
        processes.values().forEach(pids -> pids.remove(Long.toString(pid)));
    }

    Set<String> processesOf(String path) {
        return processes.getOrDefault(Path.of(path), Set.of());
    }

    Map<Path, Map<String, String>> snapshot() {
        Map<Path, Map<String, String>> copy = new TreeMap<>();
        groups.forEach((path, files) -> copy.put(path, new TreeMap<>(files)));
        processes.forEach((path, pids) -> copy.get(path).put("cgroup.procs", String.join(",", pids)));
        return copy;
    }

    @Override
    public boolean exists(Path path) {
        Map<String, String> files = groups.get(path.getParent());
        String name = path.getFileName() == null ? "" : path.getFileName().toString();
        boolean computed = name.equals("cgroup.procs") || (name.equals(EFFECTIVE) && hasEffective(path.getParent()));
        return groups.containsKey(path) || (files != null && (files.containsKey(name) || computed));
    }

    private boolean hasEffective(Path group) {
        return isUnified(group) && (isRoot(group) || groups.get(group).containsKey(CPUS));
    }

    @Override
    public boolean hasDevice(String device) {
        return !pulled.contains(device);
    }

    @Override
    public boolean isWritable(Path path) {
        return exists(path) && !refused.contains(path);
    }

    @Override
    public String read(Path file) throws IOException {
        requireFile(file);
        if (file.endsWith("cgroup.procs")) {
            return String.join("\n", processes.get(file.getParent())) + "\n";
        }
        return file.endsWith(EFFECTIVE)
                ? effective(file.getParent()) + "\n"
                : groups.get(file.getParent()).get(file.getFileName().toString());
    }

    private String effective(Path group) {
        if (isRoot(group)) {
            return ALL_CPUS;
        }
        String own = cpusOf(group);
        return own.isEmpty() ? effective(group.getParent()) : own;
    }

    private void requireFile(Path file) throws IOException {
        if (!exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
    }

    @Override
    public void write(Path file, String text) throws IOException {
        requireFile(file);
        if (refused.contains(file)) {
            throw new IOException(file + ": Permission denied");
        }
        Path group = file.getParent();
        String name = file.getFileName().toString();
        if (name.equals("cgroup.procs")) {
            move(group, text);
        } else if (name.equals(CONTROL)) {
            control(group, text);
        } else {
            if (isPerDevice(name) && pulled.contains(text.split(" ", 2)[0])) {
                throw new IOException(file + ": No such device");
            }
            if (name.equals(CPUS)) {
                requireCpus(group, text.strip());
            }
            groups.get(group)
                    .put(name, isPerDevice(name) ? devices(groups.get(group).get(name), text) : text);
        }
    }

    private void requireCpus(Path group, String cpus) throws IOException {
        if (cpus.isEmpty()) {
            boolean was = !groups.get(group).get(CPUS).isBlank();
            if (was && isPopulated(group)) {
                throw new IOException("No space left on device");
            }
            return;
        }
        String above = cpusOf(group.getParent());
        if (!isUnified(group) && !above.isBlank() && !covers(above, cpus)) {
            throw new IOException("Permission denied");
        }
        for (Path child : isUnified(group) ? List.<Path>of() : children(group)) {
            if (!cpusOf(child).isBlank() && !covers(cpus, cpusOf(child))) {
                throw new IOException("Device or resource busy");
            }
        }
    }

    private String cpusOf(Path group) {
        return groups.getOrDefault(group, Map.of()).getOrDefault(CPUS, "").strip();
    }

    private static boolean covers(String outer, String inner) {
        return CoreSet.parse(outer).cores().containsAll(CoreSet.parse(inner).cores());
    }

    private boolean isPopulated(Path group) {
        return processes.entrySet().stream()
                .anyMatch(entry ->
                        entry.getKey().startsWith(group) && !entry.getValue().isEmpty());
    }

    private boolean isUnified(Path group) {
        return groups.getOrDefault(group, Map.of()).containsKey(CONTROL);
    }

    private static boolean isRoot(Path group) {
        return group.getNameCount() == 2;
    }

    @Override
    public boolean isRunning(String pid) {
        return !gone.contains(pid);
    }

    private static boolean isPerDevice(String name) {
        return name.equals("io.max") || name.startsWith("blkio.throttle");
    }

    /** A device without a limit has no line. */
    private static String devices(String before, String line) {
        Map<String, String> lines = new TreeMap<>();
        before.lines().forEach(one -> lines.put(one.split(" ", 2)[0], one));
        lines.put(line.split(" ", 2)[0], line);
        lines.values().removeIf(one -> one.endsWith(" 0") || one.endsWith("rbps=max wbps=max"));
        return String.join("\n", lines.values());
    }

    private void move(Path group, String pid) throws IOException {
        if (gone.contains(pid)) {
            throw new IOException("Aucun processus de ce type");
        }
        Map<String, String> files = groups.get(group);
        if (!isUnified(group)
                && files.containsKey("cpuset.mems")
                && files.get("cpuset.mems").isBlank()) {
            throw new IOException("No space left on device");
        }
        if (!isRoot(group) && !files.getOrDefault(CONTROL, "").isBlank()) {
            throw new IOException("Device or resource busy");
        }
        groups.keySet().stream()
                .filter(other -> top(other).equals(top(group)))
                .forEach(other -> processes.get(other).remove(pid));
        processes.get(group).add(pid);
        moved.accept(pid);
    }

    /** Hierarchies of the fake are mounted at /cg/NAME. */
    private static Path top(Path group) {
        return group.subpath(0, 2);
    }

    private void control(Path group, String text) throws IOException {
        Set<String> controllers = listed(groups.get(group).get(CONTROL));
        String name = text.substring(1);
        String available = isRoot(group)
                ? groups.get(group).get("cgroup.controllers")
                : groups.get(group.getParent()).get(CONTROL);
        if (!listed(available).contains(name)) {
            throw new IOException("No such file or directory");
        }
        if (text.startsWith("+")) {
            if (!isRoot(group) && !processes.get(group).isEmpty()) {
                throw new IOException("Device or resource busy");
            }
            controllers.add(name);
            children(group).forEach(child -> files(name)
                    .forEach(file -> groups.get(child).putIfAbsent(file, "")));
        } else {
            if (children(group).stream()
                    .anyMatch(child -> listed(groups.get(child).get(CONTROL)).contains(name))) {
                throw new IOException("Device or resource busy");
            }
            controllers.remove(name);
            children(group).forEach(child -> groups.get(child).keySet().removeIf(file -> file.startsWith(name + ".")));
        }
        groups.get(group).put(CONTROL, String.join(" ", controllers));
    }

    private static Set<String> listed(String controllers) {
        Set<String> names = new TreeSet<>(List.of(controllers.strip().split(" ", -1)));
        names.remove("");
        return names;
    }

    private static List<String> files(String controller) {
        return switch (controller) {
            case "io" -> List.of("io.max");
            case "cpuset" -> List.of(CPUS, "cpuset.mems");
            default -> List.of(controller + ".max");
        };
    }

    private List<Path> children(Path group) {
        return groups.keySet().stream()
                .filter(path -> group.equals(path.getParent()))
                .toList();
    }

    @Override
    public void make(Path group) throws IOException {
        Map<String, String> parent = groups.get(group.getParent());
        if (parent == null) {
            throw new NoSuchFileException(group.toString());
        }
        if (groups.containsKey(group)) {
            return;
        }
        Map<String, String> files = new TreeMap<>();
        if (parent.containsKey(CONTROL)) {
            files.put(CONTROL, "");
            listed(parent.get(CONTROL)).forEach(name -> files(name).forEach(file -> files.put(file, "")));
        } else {
            parent.keySet().forEach(file -> files.put(file, ""));
        }
        groups.put(group, files);
        processes.put(group, new TreeSet<>());
    }

    @Override
    public void remove(Path group) throws IOException {
        if (!children(group).isEmpty()
                || !processes.getOrDefault(group, Set.of()).isEmpty()) {
            throw new IOException("Device or resource busy");
        }
        groups.remove(group);
        processes.remove(group);
    }

    @Override
    public List<Path> below(Path group) {
        return children(group);
    }
}
