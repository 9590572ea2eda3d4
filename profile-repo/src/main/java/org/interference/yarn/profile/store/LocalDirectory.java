package org.interference.yarn.profile.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A directory of the local file system. Survives a power cut. */
public final class LocalDirectory implements StoreDirectory {
    private static final FileAttribute<?> OWNERS_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<?> OWNERS_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path directory;

    public LocalDirectory(Path directory) {
        this.directory = directory.toAbsolutePath();
    }

    @Override
    public List<String> list() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    @Override
    public InputStream read(String name) throws IOException {
        return Files.newInputStream(directory.resolve(name));
    }

    /** Names of users and jobs are in it. */
    private void make() throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory.getParent());
            Files.createDirectories(directory, OWNERS_DIRECTORY);
        }
    }

    @Override
    public boolean claim(String name) throws IOException {
        make();
        try {
            Files.createFile(directory.resolve(name), OWNERS_FILE);
        } catch (FileAlreadyExistsException e) {
            return false;
        }
        forceNames();
        return true;
    }

    @Override
    public Output create(String name) throws IOException {
        make();
        FileChannel channel = FileChannel.open(
                directory.resolve(name),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE),
                OWNERS_FILE);
        forceNames();
        return new Output() {
            @Override
            public void write(byte[] bytes, int length) throws IOException {
                ByteBuffer rest = ByteBuffer.wrap(bytes, 0, length);
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
            }

            @Override
            public void force() throws IOException {
                channel.force(false);
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
        forceNames();
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(directory.resolve(name));
    }

    private void forceNames() throws IOException {
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    @Override
    public String location() {
        return directory.toString();
    }
}
