package org.interference.yarn.nm.folders;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.nm.collect.WatchedContainer;

/** The work folders of a container below two local directories. */
final class Folders {
    static final WatchedContainer CONTAINER =
            new WatchedContainer("container_1700000000000_0001_01_000002", 1, Optional.of("alice"));

    final List<Path> local;
    final List<WorkFolder> all;

    Folders(Path directory) {
        local = List.of(directory.resolve("one"), directory.resolve("two"));
        all = WorkFolder.of(CONTAINER, local);
        all.forEach(folder -> {
            try {
                Files.createDirectories(folder.path());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    Path path(int of, String file) {
        return all.get(of).path().resolve(file);
    }

    /** Writes a file, and the folders that it is in, into one of the work folders. */
    Path write(int of, String file, String text) {
        try {
            Path path = path(of, file);
            Files.createDirectories(path.getParent());
            return Files.writeString(path, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
