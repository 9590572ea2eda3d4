package org.interference.yarn.profile.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** A directory of the local file system. Survives a power cut. */
public final class LocalDirectory implements StoreDirectory {
    private final Path directory;

    public LocalDirectory(Path directory) {
        this.directory = directory.toAbsolutePath();
    }

    @Override
    public List<String> list() throws IOException {
        Files.createDirectories(directory);
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Override
    public InputStream read(String name) throws IOException {
        return Files.newInputStream(directory.resolve(name));
    }

    @Override
    public boolean claim(String name) throws IOException {
        try {
            Files.createFile(directory.resolve(name));
        } catch (FileAlreadyExistsException e) {
            return false;
        }
        forceNames();
        return true;
    }

    @Override
    public Output create(String name) throws IOException {
        FileChannel channel = FileChannel.open(
                directory.resolve(name),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
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
