package org.interference.yarn.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** One run of the program, in this process. */
final class Program {
    static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Map<String, String> environment = new HashMap<>(Map.of("HADOOP_USER_NAME", "alice"));
    private int width = 80;

    Program with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    Program withWidth(int columns) {
        width = columns;
        return this;
    }

    /** Leaves the thread's class loader as it was; the program puts the configuration's directory there. */
    int run(String... arguments) {
        ProgramEnvironment surroundings = new ProgramEnvironment(environment::get, () -> NOW, width);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try {
            return InterferenceProgram.commandLine(surroundings, new PrintWriter(out, true), new PrintWriter(err, true))
                    .execute(arguments);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }

    /** Returns an answer of the plugin that the tests share. */
    static String answer(String name) {
        try (InputStream in = Program.class.getResourceAsStream("/answers/" + name + ".json")) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
