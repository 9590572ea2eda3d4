package org.interference.yarn.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ContainerId;

/** What is left of containers on the hosts' disks: their logs, and the times that they noted. */
final class Hosts {
    private final Path bed;
    private final Path times;

    /**
     * Looks at no file yet.
     *
     * @param bed where the hosts have their directories
     * @param times where containers of fixed work note when they began and ended
     */
    Hosts(Path bed, Path times) {
        this.bed = bed;
        this.times = times;
    }

    /** Returns, by application and host, how many containers there were. YARN's REST knows those that run and no others. */
    Map<String, Map<String, Integer>> containers() throws IOException {
        Map<String, Map<String, Integer>> containers = new TreeMap<>();
        for (Path container : paths("host[0-9]*/logs/application_*/container_*")) {
            Path application = container.getParent();
            String host = application.getParent().getParent().getFileName().toString();
            containers
                    .computeIfAbsent(application.getFileName().toString(), any -> new TreeMap<>())
                    .merge(host, 1, Integer::sum);
        }
        return containers;
    }

    /**
     * Returns the containers of fixed work that came to their end.
     *
     * @param kinds by application
     */
    List<ContainerResult> results(Map<String, String> kinds) throws IOException {
        List<ContainerResult> results = new ArrayList<>();
        try (Stream<Path> files = Files.list(times)) {
            for (Path file : files.sorted().toList()) {
                String id = file.getFileName().toString();
                String application = ContainerId.fromString(id)
                        .getApplicationAttemptId()
                        .getApplicationId()
                        .toString();
                String[] fields = Files.readString(file).strip().split(" ", -1);
                results.add(new ContainerResult(
                        application,
                        id,
                        kinds.getOrDefault(application, ""),
                        fields[0],
                        Double.parseDouble(fields[1]),
                        Double.parseDouble(fields[2])));
            }
        }
        return results;
    }

    private List<Path> paths(String pattern) throws IOException {
        List<Path> level = List.of(bed);
        for (String part : pattern.split("/", -1)) {
            List<Path> next = new ArrayList<>();
            for (Path directory : level) {
                try (var entries = Files.newDirectoryStream(directory, part)) {
                    entries.forEach(next::add);
                }
            }
            level = next;
        }
        return level;
    }
}
