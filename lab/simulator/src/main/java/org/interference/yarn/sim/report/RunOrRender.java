package org.interference.yarn.sim.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A program of two commands: {@code run} adds a line to a file for each run, {@code render} makes of such files what is published. */
final class RunOrRender {
    private RunOrRender() {}

    /** Takes all arguments, of which the first is the command's name. */
    @FunctionalInterface
    interface Command {
        void run(String[] args) throws IOException;
    }

    /** Runs the command that the first argument names, and ends the process: with status 2 and a sentence if something is wrong with the arguments. */
    static void main(String[] args, Command run, Command render) throws IOException {
        int exit = 0;
        try {
            switch (args.length > 0 ? args[0] : "") {
                case "run" -> run.run(args);
                case "render" -> render.run(args);
                default -> throw new IllegalArgumentException("the first argument is run or render");
            }
        } catch (IllegalArgumentException | IllegalStateException e) {
            System.err.println(e.getMessage());
            exit = 2;
        }
        // main-program:off
        // Threads of YARN's services may be left.
        System.exit(exit);
        // main-program:on
    }

    static void append(Path output, String line) {
        try {
            Files.writeString(output, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
