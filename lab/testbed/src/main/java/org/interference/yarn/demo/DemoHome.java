package org.interference.yarn.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The one directory the demo writes to. Holding it keeps a second demo out; the lock ends with the process. */
record DemoHome(Path root, FileLock lock) {

    /** Takes the directory and removes what an earlier demo left, except its profiles when {@code keepProfiles} is set. */
    static DemoHome open(Path directory, boolean keepProfiles) throws IOException {
        Path root = Files.createDirectories(directory).toRealPath();
        FileChannel channel =
                FileChannel.open(root.resolve("demo.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock();
        if (lock == null) {
            channel.close();
            throw new IOException(root + " is in use by another demo; wait for it or pass another --home");
        }
        DemoHome home = new DemoHome(root, lock);
        List<Path> ofThisRun =
                List.of(home.nodes(), home.logs(), home.containerConf(), home.clientConf(), home.temporary());
        deleteTree(home.hdfs());
        for (Path stale : ofThisRun) {
            deleteTree(stale);
        }
        if (!keepProfiles) {
            deleteTree(home.profiles());
        }
        for (Path needed : ofThisRun) {
            Files.createDirectories(needed);
        }
        Files.createDirectories(home.profiles());
        return home;
    }

    Path hdfs() {
        return root.resolve("hdfs");
    }

    Path nodes() {
        return root.resolve("nodes");
    }

    Path logs() {
        return root.resolve("logs");
    }

    /** Hadoop's log: daemons and clients together, since they share the process. */
    Path daemonLog() {
        return logs().resolve("hadoop.log");
    }

    Path profiles() {
        return root.resolve("profiles");
    }

    Path temporary() {
        return root.resolve("tmp");
    }

    /** The small site files that stand first on every container's class path. */
    Path containerConf() {
        return root.resolve("container-conf");
    }

    /** Site files with which a client finds the cluster, as HADOOP_CONF_DIR. */
    Path clientConf() {
        return root.resolve("client-conf");
    }

    private static void deleteTree(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> entries = Files.walk(tree)) {
            entries.sorted(Comparator.reverseOrder()).forEach(DemoHome::delete);
        }
    }

    private static void delete(Path path) {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + path + " of an earlier demo", e);
        }
    }
}
