package org.interference.yarn.dispatch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a run has done, a JSON object a line, on the disk before it is done. A line that was cut off by the end of the process is
 * left out when it is read. Thread-safe.
 */
final class RunJournal implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The kinds of lines. */
    enum Event {
        /** The timetable's time 0. */
        BEGAN,
        SUBMITTING,
        /** A client has done its part; with a detail, it failed. */
        CLIENT_ENDED,
        /** An application is over, and this is what YARN said of it. */
        APPLICATION
    }

    /**
     * One line. Immutable.
     *
     * @param containers those that the application was seen to have
     */
    record Entry(
            Event event,
            long millis,
            int instance,
            Optional<String> detail,
            Optional<Application> application,
            List<Yarn.Container> containers) {
        public Entry {
            containers = List.copyOf(containers);
        }

        static Entry of(Event event, long millis, int instance, Optional<String> detail) {
            return new Entry(event, millis, instance, detail, Optional.empty(), List.of());
        }

        static Entry of(long millis, int instance, Application application, List<Yarn.Container> containers) {
            return new Entry(
                    Event.APPLICATION, millis, instance, Optional.empty(), Optional.of(application), containers);
        }
    }

    private final FileChannel channel;

    private RunJournal(FileChannel channel) {
        this.channel = channel;
    }

    /** Opens a journal to write on. */
    static RunJournal open(Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        channel.truncate(whole(Files.readAllBytes(file)));
        channel.position(channel.size());
        return new RunJournal(channel);
    }

    private static long whole(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        return end;
    }

    static List<Entry> read(Path file) throws IOException {
        List<Entry> entries = new ArrayList<>();
        if (Files.exists(file)) {
            byte[] bytes = Files.readAllBytes(file);
            String whole = new String(bytes, 0, (int) whole(bytes), StandardCharsets.UTF_8);
            for (String line : whole.lines().toList()) {
                entries.add(entry(file, line));
            }
        }
        return entries;
    }

    private static Entry entry(Path file, String line) throws IOException {
        try {
            JsonNode json = JSON.readTree(line);
            return new Entry(
                    Event.valueOf(json.path("event").asText()),
                    json.path("millis").asLong(),
                    json.path("instance").asInt(),
                    json.hasNonNull("detail") ? Optional.of(json.get("detail").asText()) : Optional.empty(),
                    json.hasNonNull("application")
                            ? Optional.of(Application.of(json.get("application")))
                            : Optional.empty(),
                    containers(json.path("containers")));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new IOException("%s has a line that no run wrote: %s".formatted(file, Tsv.shown(line)), e);
        }
    }

    private static List<Yarn.Container> containers(JsonNode json) {
        List<Yarn.Container> containers = new ArrayList<>();
        json.properties()
                .forEach(container -> containers.add(new Yarn.Container(
                        container.getKey(), container.getValue().asText())));
        return containers;
    }

    /** Writes a line, which is on the disk when this returns. */
    synchronized void write(Entry entry) {
        ObjectNode json = JSON.createObjectNode()
                .put("event", entry.event().name())
                .put("millis", entry.millis())
                .put("instance", entry.instance());
        entry.detail().ifPresent(detail -> json.put("detail", detail));
        entry.application().ifPresent(application -> json.set("application", application.json()));
        if (!entry.containers().isEmpty()) {
            ObjectNode containers = json.putObject("containers");
            entry.containers().forEach(container -> containers.put(container.id(), container.node()));
        }
        ByteBuffer line = ByteBuffer.wrap((json + "\n").getBytes(StandardCharsets.UTF_8));
        try {
            while (line.hasRemaining()) {
                channel.write(line);
            }
            channel.force(false);
        } catch (IOException e) {
            throw new UncheckedIOException("the run's journal cannot be written", e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        channel.close();
    }
}
