package org.interference.yarn.profile.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A directory in memory whose process can be killed at any step: what was forced stays, of what was only written some
 * bytes do.
 */
final class FakeDirectory implements StoreDirectory {
    private final Map<String, byte[]> files = new TreeMap<>();
    private final Random random;
    private int stepsLeft;

    /** @param stepsLeft changes of the directory that succeed; the next one kills the process */
    FakeDirectory(Random random, int stepsLeft) {
        this.random = random;
        this.stepsLeft = stepsLeft;
    }

    /** The process is dead. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Returns the directory as the next process finds it. */
    FakeDirectory afterTheKill(int nextStepsLeft) {
        FakeDirectory next = new FakeDirectory(random, nextStepsLeft);
        next.files.putAll(files);
        return next;
    }

    Map<String, byte[]> files() {
        return files;
    }

    private void step() {
        if (stepsLeft-- <= 0) {
            throw new Killed();
        }
    }

    @Override
    public List<String> list() {
        return List.copyOf(files.keySet());
    }

    @Override
    public InputStream read(String name) throws IOException {
        return new ByteArrayInputStream(held(name));
    }

    private byte[] held(String name) throws IOException {
        byte[] bytes = files.get(name);
        if (bytes == null) {
            throw new FileNotFoundException(name);
        }
        return bytes;
    }

    @Override
    public boolean claim(String name) {
        step();
        return files.putIfAbsent(name, new byte[0]) == null;
    }

    @Override
    public Output create(String name) {
        step();
        files.put(name, new byte[0]);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        return new Output() {
            @Override
            public void write(byte[] bytes, int length) {
                if (stepsLeft <= 0) {
                    all.write(bytes, 0, random.nextInt(length + 1));
                    files.put(name, all.toByteArray());
                }
                step();
                all.write(bytes, 0, length);
            }

            @Override
            public void force() {
                step();
                // Another process may have deleted it.
                files.computeIfPresent(name, (same, held) -> all.toByteArray());
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void rename(String from, String to) throws IOException {
        step();
        files.put(to, held(from));
        files.remove(from);
    }

    @Override
    public void delete(String name) {
        step();
        files.remove(name);
    }

    @Override
    public String location() {
        return "memory";
    }
}
