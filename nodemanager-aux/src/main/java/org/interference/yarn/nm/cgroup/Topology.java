package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.control.CoreSet;
import org.interference.yarn.nm.control.NodeCores;

/** Reads which cores this node has and how they lie together. What sysfs does not say is taken to be alike. Not thread-safe. */
final class Topology {
    private final ProcFiles files;
    private String known = "";
    private NodeCores cores;

    Topology(ProcFiles files) {
        this.files = files;
    }

    /** Returns the cores that are online and that this process may use; the files are read again when those change. */
    NodeCores cores() throws IOException {
        CoreSet allowed = CoreSet.parse(files.allowedCores());
        CoreSet online = files.system("cpu/online").map(CoreSet::parse).orElse(allowed);
        String now = allowed + " of " + online;
        if (!now.equals(known)) {
            TreeSet<Integer> usable = new TreeSet<>(allowed.cores());
            usable.retainAll(online.cores());
            cores = read(usable.isEmpty() ? allowed : new CoreSet(usable));
            known = now;
        }
        return cores;
    }

    private NodeCores read(CoreSet usable) throws IOException {
        Map<Integer, Integer> nodes = numaNodes();
        Map<Place, List<Integer>> threads = new TreeMap<>(Comparator.comparingInt(Place::numaNode)
                .thenComparingInt(Place::socket)
                .thenComparingInt(Place::core));
        for (int core : usable.cores()) {
            Place place = new Place(
                    nodes.getOrDefault(core, 0), number(core, "physical_package_id", 0), number(core, "core_id", core));
            threads.computeIfAbsent(place, any -> new ArrayList<>()).add(core);
        }
        Map<Integer, List<CoreSet>> physical = new TreeMap<>();
        threads.forEach((place, core) -> physical.computeIfAbsent(place.numaNode(), any -> new ArrayList<>())
                .add(CoreSet.of(core)));
        return new NodeCores(List.copyOf(physical.values()));
    }

    private Map<Integer, Integer> numaNodes() throws IOException {
        Map<Integer, Integer> nodes = new HashMap<>();
        CoreSet online = files.system("node/online").map(CoreSet::parse).orElse(CoreSet.of(List.of(0)));
        for (int node : online.cores()) {
            files.system("node/node" + node + "/cpulist")
                    .filter(list -> !list.isBlank())
                    .map(CoreSet::parse)
                    .ifPresent(cpus -> cpus.cores().forEach(core -> nodes.put(core, node)));
        }
        return nodes;
    }

    private int number(int core, String name, int otherwise) throws IOException {
        return files.system("cpu/cpu" + core + "/topology/" + name)
                .map(String::strip)
                .filter(text -> text.matches("[0-9]{1,9}"))
                .map(Integer::valueOf)
                .orElse(otherwise);
    }

    private record Place(int numaNode, int socket, int core) {}
}
