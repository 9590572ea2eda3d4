package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** The real ones. */
public final class KernelFiles implements ControlFiles {
    @Override
    public boolean exists(Path path) {
        return Files.exists(path);
    }

    /** One that has ended and is not yet waited for does not run. */
    @Override
    public boolean isRunning(String pid) {
        try {
            String stat = read(Path.of("/proc", pid, "stat"));
            int state = stat.lastIndexOf(')') + 2;
            return state < stat.length() && stat.charAt(state) != 'Z' && stat.charAt(state) != 'X';
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public boolean hasDevice(String device) {
        return Files.exists(Path.of("/sys/dev/block", device));
    }

    @Override
    public boolean isWritable(Path path) {
        return Files.isWritable(path);
    }

    @Override
    public String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void write(Path file, String text) throws IOException {
        Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1), StandardOpenOption.WRITE);
    }

    @Override
    public void make(Path group) throws IOException {
        try {
            Files.createDirectory(group);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(group)) {
                throw e;
            }
        }
    }

    @Override
    public void remove(Path group) throws IOException {
        Files.deleteIfExists(group);
    }

    @Override
    public List<Path> below(Path group) throws IOException {
        try (Stream<Path> children = Files.list(group)) {
            return children.filter(Files::isDirectory).toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
