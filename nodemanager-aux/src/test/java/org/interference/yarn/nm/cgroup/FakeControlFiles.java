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

/** Control groups in memory, with the rules of the kernel's that matter here. */
final class FakeControlFiles implements ControlFiles {
    private final Map<Path, Map<String, String>> groups = new TreeMap<>();
    private final Map<Path, Set<String>> processes = new HashMap<>();
    private final Set<Path> refused = new HashSet<>();
    private final Set<String> gone = new HashSet<>();

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
        return groups.containsKey(path) || (files != null && (files.containsKey(name) || name.equals("cgroup.procs")));
    }

    @Override
    public String read(Path file) throws IOException {
        requireFile(file);
        return file.endsWith("cgroup.procs")
                ? String.join("\n", processes.get(file.getParent())) + "\n"
                : groups.get(file.getParent()).get(file.getFileName().toString());
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
        if (name.equals("cgroup.procs") || name.equals("tasks")) {
            move(group, text);
        } else if (name.equals("cgroup.subtree_control")) {
            control(group, text);
        } else {
            groups.get(group)
                    .put(name, isPerDevice(name) ? devices(groups.get(group).get(name), text) : text);
        }
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
            throw new IOException("No such process");
        }
        Map<String, String> files = groups.get(group);
        if (files.containsKey("cpuset.mems") && files.get("cpuset.mems").isBlank()) {
            throw new IOException("No space left on device");
        }
        groups.keySet().stream()
                .filter(other -> top(other).equals(top(group)))
                .forEach(other -> processes.get(other).remove(pid));
        processes.get(group).add(pid);
    }

    /** Hierarchies of the fake are mounted at /cg/NAME. */
    private static Path top(Path group) {
        return group.subpath(0, 2);
    }

    private void control(Path group, String text) {
        Set<String> controllers = new TreeSet<>(
                List.of(groups.get(group).get("cgroup.subtree_control").strip().split(" ", -1)));
        controllers.remove("");
        String name = text.substring(1);
        if (text.startsWith("+")) {
            controllers.add(name);
            children(group).forEach(child -> files(name)
                    .forEach(file -> groups.get(child).putIfAbsent(file, "")));
        } else {
            controllers.remove(name);
            children(group).forEach(child -> groups.get(child).keySet().removeIf(file -> file.startsWith(name + ".")));
        }
        groups.get(group).put("cgroup.subtree_control", String.join(" ", controllers));
    }

    private static List<String> files(String controller) {
        return controller.equals("io") ? List.of("io.max") : List.of("cpuset.cpus", "cpuset.mems.v2");
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
        if (parent.containsKey("cgroup.subtree_control")) {
            files.put("cgroup.subtree_control", "");
            List.of(parent.get("cgroup.subtree_control").split(" ", -1)).stream()
                    .filter(name -> !name.isEmpty())
                    .forEach(name -> files(name).forEach(file -> files.put(file, "")));
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
