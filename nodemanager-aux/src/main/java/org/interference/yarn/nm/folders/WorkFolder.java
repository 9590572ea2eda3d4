package org.interference.yarn.nm.folders;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.interference.yarn.nm.collect.WatchedContainer;

/**
 * A container's folder below one of the NodeManager's local directories, whether it is there or not. One of them is the working
 * directory of the container's process.
 */
record WorkFolder(Path local, Path path) {
    private static final Pattern CONTAINER = Pattern.compile("container_(?:e[0-9]+_)?([0-9]+_[0-9]+)_[0-9]+_[0-9]+");
    private static final Pattern USER = Pattern.compile("(?!\\.{1,2}$)[^/\0]+");

    /** Returns where YARN has the container's folders, one for each local directory; none if its id or user cannot name a folder. */
    static List<WorkFolder> of(WatchedContainer container, List<Path> localDirectories) {
        Matcher id = CONTAINER.matcher(container.id());
        Optional<String> user =
                container.user().filter(name -> USER.matcher(name).matches());
        if (!id.matches() || user.isEmpty()) {
            return List.of();
        }
        Path below = Path.of("usercache", user.get(), "appcache", "application_" + id.group(1), container.id());
        return localDirectories.stream()
                .map(local -> new WorkFolder(local, local.resolve(below)))
                .toList();
    }

    /**
     * Returns whether nothing between the local directory and the folder is a symbolic link.
     *
     * @throws IOException if the folder is not there or may not be looked at
     */
    boolean isPlain() throws IOException {
        return path.toRealPath().equals(local.toRealPath().resolve(local.relativize(path)));
    }
}
