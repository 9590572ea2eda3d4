package org.interference.yarn.cli;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A web server that plays the ResourceManager: it answers what it is told to, and keeps what it was asked. */
public final class FakeRm implements AutoCloseable {
    private static final String PLUGIN = "/ws/v1/interference/";

    /**
     * What it was asked.
     *
     * @param query of a parameter that came several times, all values, with commas
     */
    public record Seen(String method, String path, Map<String, String> query, Headers headers, String body) {
        String line() {
            Map<String, String> told = new LinkedHashMap<>(query);
            told.remove("user.name");
            String parameters = told.entrySet().stream()
                    .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
                    .collect(Collectors.joining("&"));
            return method + " " + path + (parameters.isEmpty() ? "" : "?" + parameters);
        }
    }

    /** What it says. */
    public record Said(int status, Map<String, String> headers, String body) {
        static Said json(int status, String body) {
            return new Said(status, Map.of("Content-Type", "application/json"), body);
        }
    }

    private final HttpServer server;
    private final Map<String, Function<Seen, Said>> answers = new ConcurrentHashMap<>();
    private final List<Seen> seen = new CopyOnWriteArrayList<>();

    private FakeRm(HttpServer server) {
        this.server = server;
    }

    /** Starts one that has no plugin. */
    public static FakeRm start() throws IOException {
        return serve(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    }

    /** Starts one on a server that is not started, which may speak TLS. */
    public static FakeRm serve(HttpServer server) {
        FakeRm rm = new FakeRm(server);
        server.createContext("/", rm::handle);
        server.start();
        return rm;
    }

    public FakeRm says(String methodAndPath, int status, String json) {
        return says(methodAndPath, question -> Said.json(status, json));
    }

    public FakeRm says(String methodAndPath, Function<Seen, Said> answer) {
        String[] parts = methodAndPath.split(" ", 2);
        answers.put(parts[0] + " " + PLUGIN + parts[1], answer);
        return this;
    }

    /** Whatever else it is asked, it says this. */
    public FakeRm saysAlways(int status, Map<String, String> headers, String body) {
        answers.put("*", question -> new Said(status, headers, body));
        return this;
    }

    public FakeRm redirectsTo(FakeRm other) {
        answers.put(
                "*",
                question -> new Said(307, Map.of("Location", other.url() + question.path()), "This is standby RM."));
        return this;
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public List<Seen> seen() {
        return new ArrayList<>(seen);
    }

    public List<String> asked() {
        return seen.stream().map(Seen::line).toList();
    }

    private void handle(HttpExchange exchange) {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Seen question = new Seen(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getPath(),
                    query(exchange.getRequestURI().getRawQuery()),
                    exchange.getRequestHeaders(),
                    body);
            seen.add(question);
            Function<Seen, Said> answer = answers.getOrDefault(
                    question.method() + " " + question.path(), answers.getOrDefault("*", FakeRm::notFound));
            Said said = answer.apply(question);
            said.headers()
                    .forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
            byte[] bytes = said.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(said.status(), bytes.length == 0 ? -1 : bytes.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Said notFound(Seen question) {
        return new Said(404, Map.of("Content-Type", "text/html"), "<html>HTTP ERROR 404 Not Found</html>");
    }

    private static Map<String, String> query(String raw) {
        Map<String, String> query = new LinkedHashMap<>();
        if (raw != null) {
            Arrays.stream(raw.split("&", -1)).forEach(parameter -> {
                String[] parts = parameter.split("=", 2);
                query.merge(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8), (a, b) -> a + "," + b);
            });
        }
        return query;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
