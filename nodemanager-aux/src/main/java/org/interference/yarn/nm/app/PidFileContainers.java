package org.interference.yarn.nm.app;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.interference.yarn.nm.collect.ListedContainer;
import org.interference.yarn.nm.collect.Listing;

/**
 * The containers of a NodeManager by its pid files, {@code nmPrivate/APPLICATION/CONTAINER/CONTAINER.pid} below its local
 * directories. The NodeManager deletes them when containers end, and keeps them for those that it recovers.
 *
 * <p>{@link #get} is used by one thread; the others are safe for any.
 */
final class PidFileContainers implements Listing {
    private final List<Path> localDirectories;
    /** Whose they are. */
    private final Map<String, Optional<String>> begun = new ConcurrentHashMap<>();

    private final Set<String> stopped = ConcurrentHashMap.newKeySet();

    PidFileContainers(List<Path> localDirectories) {
        this.localDirectories = List.copyOf(localDirectories);
    }

    /** @param user who submitted its application, as YARN tells at the container's beginning */
    void begun(String container, Optional<String> user) {
        begun.put(container, user);
    }

    void stopped(String container) {
        begun.remove(container);
        stopped.add(container);
    }

    @Override
    public Collection<ListedContainer> get() {
        Map<String, OptionalLong> pids = new LinkedHashMap<>();
        begun.keySet().forEach(id -> pids.put(id, OptionalLong.empty()));
        for (Path local : localDirectories) {
            for (Path application : children(local.resolve("nmPrivate"), "application_*")) {
                for (Path container : children(application, "container_*")) {
                    String id = container.getFileName().toString();
                    OptionalLong pid = pid(container.resolve(id + ".pid"));
                    if (pid.isPresent()) {
                        pids.put(id, pid);
                    }
                }
            }
        }
        // One that has no pid file any more does not come back.
        stopped.retainAll(pids.keySet());
        pids.keySet().removeAll(stopped);
        List<ListedContainer> listed = new ArrayList<>();
        pids.forEach((id, pid) ->
                listed.add(new ListedContainer(id, pid, Optional.empty(), begun.getOrDefault(id, Optional.empty()))));
        return listed;
    }

    /** A directory that is missing, broken or just deleted has no children, as for the NodeManager itself. */
    private static List<Path> children(Path directory, String glob) {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, glob)) {
            stream.forEach(children::add);
        } catch (IOException | DirectoryIteratorException e) {
            return children;
        }
        return children;
    }

    private static OptionalLong pid(Path file) {
        try {
            return ProcessId.parse(Files.readString(file).strip());
        } catch (IOException e) {
            // It is written only when the container is launched, and deleted when it ends.
            return OptionalLong.empty();
        }
    }
}
