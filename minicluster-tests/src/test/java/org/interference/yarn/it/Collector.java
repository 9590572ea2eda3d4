package org.interference.yarn.it;

import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The real intpd, a process of its own, where it is built and may be run. */
final class Collector implements AutoCloseable {
    private static final Path PROGRAM =
            Path.of(System.getProperty("interference.intpd", "../intp-collector/build/intpd"));

    private final Process process;

    private Collector(Process process) {
        this.process = process;
    }

    /** Skips the test, with the reason, where the collector cannot run. */
    static void assumePossible() throws IOException {
        assumeTrue(Files.isExecutable(PROGRAM), () -> PROGRAM + " is not built (make -C intp-collector)");
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "intpd needs root");
    }

    /** Starts the collector, with {@code more} options, and waits until it listens. */
    static Collector start(Path socket, Path log, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(PROGRAM.toString(), "serve", "--socket", socket.toString()));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        Collector collector = new Collector(process);
        await("the collector's socket").atMost(PATIENCE).until(() -> Files.exists(socket) || !process.isAlive());
        assumeTrue(process.isAlive(), "intpd does not start here; its log says why");
        return collector;
    }

    boolean isRunning() {
        return process.isAlive();
    }

    @Override
    public void close() {
        Daemons.end(process);
    }
}
