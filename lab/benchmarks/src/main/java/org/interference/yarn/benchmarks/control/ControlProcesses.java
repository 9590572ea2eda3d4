package org.interference.yarn.benchmarks.control;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.interference.yarn.nm.collect.ListedContainer;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.control.ControlSettings;
import org.interference.yarn.nm.control.Controller;
import org.interference.yarn.nm.control.CoreAllocator;
import org.interference.yarn.nm.control.CoreSet;
import org.interference.yarn.nm.control.CoreSharing;
import org.interference.yarn.nm.control.LearnedClassifier;

/**
 * The node's controller over processes that another program has started; bin/lab isolation runs it. It controls cores by the rule {@code ours}, and looks each
 * second, where a NodeManager's looks every third.
 */
public final class ControlProcesses {
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private ControlProcesses() {}

    /**
     * Usage: {@code ControlProcesses SOCKET DIRECTORY}. A line {@code CONTAINER=PID ...} begins, the next one ends, is answered with {@code undone}, and
     * forgets these containers. Ends with its input, or with the program that started it.
     */
    public static void main(String[] args) throws IOException {
        ControlSettings settings = new ControlSettings(
                INTERVAL,
                INTERVAL.multipliedBy(10),
                LearnedClassifier.INSTANCE,
                Optional.of(new CoreAllocator(1, CoreSharing.SAME_CORE)),
                Optional.empty(),
                OptionalDouble.empty(),
                Duration.ofMinutes(1),
                Duration.ofHours(1));
        CoreSet cores = CoreSet.parse(new ProcFiles(Path.of("/proc"), Path.of("/sys")).allowedCores());
        Optional<ProcessHandle> parent = ProcessHandle.current().parent();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Bed bed = new Bed(Path.of(args[1]), Path.of(args[0]))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                List<ListedContainer> containers =
                        Stream.of(line.split(" ")).map(ControlProcesses::listed).toList();
                containers.forEach(bed::add);
                bed.await(
                        () -> isReady(input)
                                || !parent.map(ProcessHandle::isAlive).orElse(false),
                        INTERVAL,
                        Optional.of(new Controller(settings, cores)),
                        true);
                containers.forEach(container -> bed.remove(container.id()));
                if (input.readLine() == null) {
                    return;
                }
                System.out.println("undone");
            }
        }
    }

    private static ListedContainer listed(String text) {
        String[] parts = text.split("=", 2);
        return new ListedContainer(parts[0], OptionalLong.of(Long.parseLong(parts[1])), Optional.empty());
    }

    private static boolean isReady(BufferedReader input) {
        try {
            return input.ready();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
