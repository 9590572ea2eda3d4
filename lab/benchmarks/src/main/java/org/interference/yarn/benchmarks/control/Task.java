package org.interference.yarn.benchmarks.control;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.interference.yarn.nm.collect.ListedContainer;
import org.interference.yarn.signal.LaunchSignature;

/** A process tree that stands for a container: its root leads a session, as YARN launches it. */
record Task(String id, Process process, Optional<LaunchSignature> program) implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 10;

    static Task start(String id, List<String> command, Optional<LaunchSignature> program, Path log) throws IOException {
        // A process that leads no group becomes the leader itself, so that its pid is the session's.
        List<String> leading =
                Stream.concat(Stream.of("setsid"), command.stream()).toList();
        Process process = new ProcessBuilder(leading)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new Task(id, process, program);
    }

    ListedContainer listed() {
        return new ListedContainer(id, OptionalLong.of(process.pid()), program);
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
