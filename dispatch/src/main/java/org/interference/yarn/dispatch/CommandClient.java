package org.interference.yarn.dispatch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Starts programs, which find queue and tags in their environment. Thread-safe. */
final class CommandClient implements Client {
    @Override
    public void submit(Order order) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(order.job().program()));
        command.addAll(order.arguments());
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(order.log().toFile()));
        builder.environment().put("INTERFERENCE_QUEUE", order.queue());
        builder.environment().put("INTERFERENCE_TAGS", String.join(",", order.tags()));
        int status = builder.start().waitFor();
        if (status != 0) {
            throw new IOException("ended with status %d; it said: %s".formatted(status, order.log()));
        }
    }
}
