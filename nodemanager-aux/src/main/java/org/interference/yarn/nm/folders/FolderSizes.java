package org.interference.yarn.nm.folders;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How much lies in a container's work folders, and how much fits into the local directories, in bytes. Symbolic links are not followed,
 * so what YARN has localized for many containers is nobody's; a file with two names counts twice.
 *
 * @param bytes the sizes of all regular files, {@code capacity} at most
 * @param capacity the space of the file systems of the local directories, each once; above 0
 */
record FolderSizes(double bytes, double capacity) {
    static final int MOST_ENTRIES = 10_000;

    /** On a disk that is busy, looking at so many entries takes minutes. */
    static final long LONGEST_WALK_SECONDS = 5;

    /** A walk has a file open for each folder that it is in. */
    static final int DEEPEST = 64;

    static final String NO_FOLDER = "it has no work folder";
    static final String TOO_MANY = "more than " + MOST_ENTRIES + " files and folders in its work folders";
    static final String TOO_DEEP = "folders more than " + DEEPEST + " deep in its work folders";
    static final String TOO_SLOW = "its work folders take more than " + LONGEST_WALK_SECONDS + " s to look through";
    static final String LINKED = "a symbolic link leads to its work folder";
    static final String UNREADABLE = "the NodeManager's user may not read all of its work folders";
    private static final String NO_SPACE = "the size of the local directories is not known";

    /**
     * @param nanoTime a monotonic clock, as {@link System#nanoTime}
     * @throws UntoldException if it is not known, with the reason
     */
    static FolderSizes of(List<WorkFolder> folders, List<Path> localDirectories, LongSupplier nanoTime)
            throws UntoldException {
        Walk walk = new Walk(nanoTime);
        boolean found = false;
        for (WorkFolder folder : folders) {
            found |= add(folder, walk);
        }
        if (!found) {
            throw new UntoldException(NO_FOLDER);
        }
        double capacity = capacity(localDirectories);
        return new FolderSizes(Math.min(walk.bytes, capacity), capacity);
    }

    /** Returns whether the folder is there. */
    private static boolean add(WorkFolder folder, Walk walk) throws UntoldException {
        try {
            if (!Files.exists(folder.path(), LinkOption.NOFOLLOW_LINKS)) {
                return false;
            }
            if (!folder.isPlain()) {
                throw new UntoldException(LINKED);
            }
            Files.walkFileTree(folder.path(), Set.of(), DEEPEST, walk);
            return true;
        } catch (UntoldException e) {
            throw e;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw new UntoldException(UNREADABLE);
        }
    }

    private static double capacity(List<Path> localDirectories) throws UntoldException {
        Map<Object, Long> bytes = new HashMap<>();
        for (Path local : localDirectories) {
            try {
                bytes.put(Files.getAttribute(local, "unix:dev"), local.toFile().getTotalSpace());
            } catch (IOException e) {
                // One that failed has no space to tell, as for YARN, which does not use it any more.
            }
        }
        double all = bytes.values().stream().mapToDouble(Long::doubleValue).sum();
        if (all <= 0) {
            throw new UntoldException(NO_SPACE);
        }
        return all;
    }

    private static final class Walk extends SimpleFileVisitor<Path> {
        private final LongSupplier nanoTime;
        private final long begin;
        private double bytes;
        private int entries;

        Walk(LongSupplier nanoTime) {
            this.nanoTime = nanoTime;
            this.begin = nanoTime.getAsLong();
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
            return countEntry();
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (attributes.isDirectory()) {
                throw new UntoldException(TOO_DEEP);
            }
            if (attributes.isRegularFile()) {
                bytes += attributes.size();
            }
            return countEntry();
        }

        /** What was removed since it was listed is not there. */
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException cause) throws IOException {
            return goOnWithout(cause);
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, IOException cause) throws IOException {
            return cause == null ? FileVisitResult.CONTINUE : goOnWithout(cause);
        }

        private static FileVisitResult goOnWithout(IOException cause) throws IOException {
            if (cause instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw cause;
        }

        private FileVisitResult countEntry() throws UntoldException {
            entries++;
            if (entries > MOST_ENTRIES) {
                throw new UntoldException(TOO_MANY);
            }
            if (nanoTime.getAsLong() - begin > TimeUnit.SECONDS.toNanos(LONGEST_WALK_SECONDS)) {
                throw new UntoldException(TOO_SLOW);
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
