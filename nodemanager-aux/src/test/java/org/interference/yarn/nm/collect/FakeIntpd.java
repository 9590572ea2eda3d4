package org.interference.yarn.nm.collect;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A daemon on a real Unix socket, one connection at a time, that counts what a test says. It knows only requests as we
 * write them.
 */
final class FakeIntpd implements AutoCloseable {
    /** Answers nothing; the connection stays open. */
    static final UnaryOperator<String> SILENCE = line -> "";

    private static final Pattern OP = Pattern.compile("\"op\":\"(\\w+)\",\"id\":(\\d+)");
    private static final Pattern WATCHED =
            Pattern.compile("\\{\"container\":\"([^\"]+)\",\"pid\":(\\d+)(?:,\"start\":\\d+)?}");
    private static final Pattern UNWATCHED = Pattern.compile("\"(container_[^\"]+)\"");

    private static final String NOTHING = "\"cpu\":{\"status\":\"ok\",\"source\":\"ebpf\",\"used\":0,\"capacity\":0}";

    final List<String> requests = new CopyOnWriteArrayList<>();
    final Map<String, Long> watched = new ConcurrentHashMap<>();
    final Map<String, String> signals = new ConcurrentHashMap<>();
    final Map<String, String> refusals = new ConcurrentHashMap<>();
    volatile long startNanos;
    /** Turns an answer, with its end, into what is sent. */
    volatile UnaryOperator<String> sending = UnaryOperator.identity();
    /** Ends the connection after an answer. */
    volatile boolean hangingUp;
    /** Ends every new connection unread. */
    volatile boolean shunning;
    /** Sends an answer byte by byte, each in a write of its own. */
    volatile boolean dribbling;

    private final Path socket;
    private final ServerSocketChannel server;
    private final Thread thread = new Thread(this::serve, "fake-intpd");
    private volatile SocketChannel connection;

    private FakeIntpd(Path socket, long startNanos, ServerSocketChannel server) {
        this.socket = socket;
        this.startNanos = startNanos;
        this.server = server;
    }

    static FakeIntpd start(Path socket, long startNanos) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        FakeIntpd daemon = new FakeIntpd(socket, startNanos, server);
        daemon.thread.setDaemon(true);
        daemon.thread.start();
        return daemon;
    }

    /** The shortest path to a socket in {@code directory}: a Unix socket's is limited, and a checkout may lie deep. */
    static Path socketIn(Path directory) {
        Path absolute = directory.toAbsolutePath().resolve("s");
        Path relative = Path.of("").toAbsolutePath().relativize(absolute);
        return relative.toString().length() < absolute.toString().length() ? relative : absolute;
    }

    void cpu(String container, double used, double capacity) {
        signals.put(
                container,
                "\"cpu\":{\"status\":\"ok\",\"source\":\"ebpf\",\"used\":%s,\"capacity\":%s}"
                        .formatted(used, capacity));
    }

    List<String> ops() {
        return requests.stream().map(FakeIntpd::op).toList();
    }

    private static String op(String line) {
        Matcher op = OP.matcher(line);
        return op.find() ? op.group(1) : line;
    }

    private void serve() {
        while (server.isOpen()) {
            try (SocketChannel accepted = server.accept()) {
                connection = accepted;
                if (!shunning) {
                    converse(accepted);
                }
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                // The other side went away; the next one may come.
            }
        }
    }

    private void converse(SocketChannel accepted) throws IOException {
        BufferedReader lines = new BufferedReader(Channels.newReader(accepted, StandardCharsets.UTF_8));
        OutputStream out = Channels.newOutputStream(accepted);
        String line = lines.readLine();
        while (line != null) {
            requests.add(line);
            boolean last = hangingUp;
            byte[] answer = sending.apply(answer(line) + "\n").getBytes(StandardCharsets.UTF_8);
            int step = dribbling ? 1 : Math.max(1, answer.length);
            for (int from = 0; from < answer.length; from += step) {
                out.write(answer, from, Math.min(step, answer.length - from));
            }
            line = last ? null : lines.readLine();
        }
    }

    private String answer(String line) {
        Matcher op = OP.matcher(line);
        if (!op.find()) {
            return "{\"v\":1,\"ok\":false,\"error\":{\"code\":\"malformed\",\"message\":\"no op\"}}";
        }
        String body =
                switch (op.group(1)) {
                    case "hello" -> ",\"daemon\":\"intpd\",\"release\":\"0\",\"start_ns\":" + startNanos;
                    case "watch" -> watch(line);
                    case "unwatch" -> unwatch(line);
                    default -> snapshot();
                };
        return "{\"v\":1,\"id\":%s,\"ok\":true%s}".formatted(op.group(2), body);
    }

    private String watch(String line) {
        List<String> accepted = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        WATCHED.matcher(line).results().forEach(container -> {
            String id = container.group(1);
            if (refusals.containsKey(id)) {
                refused.add("{\"container\":\"%s\",\"code\":\"%s\",\"message\":\"no %s\"}"
                        .formatted(id, refusals.get(id), id));
            } else {
                watched.put(id, Long.valueOf(container.group(2)));
                accepted.add("{\"container\":\"%s\",\"attribution\":\"tree\"}".formatted(id));
            }
        });
        return ",\"watched\":[%s],\"refused\":[%s]".formatted(String.join(",", accepted), String.join(",", refused));
    }

    private String unwatch(String line) {
        UNWATCHED.matcher(line).results().forEach(container -> watched.remove(container.group(1)));
        return "";
    }

    private String snapshot() {
        List<String> containers = watched.keySet().stream()
                .map(id -> "{\"container\":\"%s\",\"attribution\":\"tree\",\"alive\":true,\"signals\":{%s}}"
                        .formatted(id, signals.getOrDefault(id, NOTHING)))
                .toList();
        return ",\"start_ns\":%d,\"time_ns\":1,\"containers\":[%s]".formatted(startNanos, String.join(",", containers));
    }

    /** Dies: the connection breaks, and nobody listens. */
    @Override
    public void close() {
        try {
            server.close();
            SocketChannel open = connection;
            if (open != null) {
                open.close();
            }
            thread.join();
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
