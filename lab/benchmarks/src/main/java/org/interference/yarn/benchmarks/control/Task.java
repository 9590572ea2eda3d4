package org.interference.yarn.benchmarks.control;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.interference.yarn.nm.collect.ListedContainer;
import org.interference.yarn.signal.LaunchSignature;

/** A process tree that stands for a container: its root leads a session, as YARN launches it. */
record Task(String id, Process process, Optional<Path> counter, Optional<LaunchSignature> program)
        implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 10;

    /** @param counter the file in which the process counts its work; empty where it ends when its work is done */
    static Task start(
            String id, List<String> command, Optional<Path> counter, Optional<LaunchSignature> program, Path log)
            throws IOException {
        // A process that leads no group becomes the leader itself, so that its pid is the session's.
        List<String> leading =
                Stream.concat(Stream.of("setsid"), command.stream()).toList();
        Process process = new ProcessBuilder(leading)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new Task(id, process, counter, program);
    }

    ListedContainer listed() {
        return new ListedContainer(id, OptionalLong.of(process.pid()), program);
    }

    /** Returns the units done so far. */
    long work() {
        try {
            return ByteBuffer.wrap(Files.readAllBytes(counter.orElseThrow()))
                    .order(ByteOrder.nativeOrder())
                    .getLong();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(id + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
