package org.interference.yarn.dispatch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts programs, which find queue and tags in their environment. Thread-safe. */
final class CommandClient implements Client {
    private static final File NOTHING = new File("/dev/null");

    @Override
    public void submit(Order order) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(order.job().program()));
        command.addAll(order.arguments());
        run(command, Path.of(""), order);
    }

    /** Runs a program in {@code directory} to its end; what it says goes to the order's log. */
    static void run(List<String> command, Path directory, Order order) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toAbsolutePath().toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(NOTHING))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(order.log().toFile()));
        builder.environment().put("INTERFERENCE_QUEUE", order.queue());
        builder.environment().put("INTERFERENCE_TAGS", String.join(",", order.tags()));
        int status = builder.start().waitFor();
        if (status != 0) {
            throw new IOException("ended with status %d; it said: %s".formatted(status, order.log()));
        }
    }
}
