package org.interference.yarn.dispatch;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;

/** A web server that plays YARN: applications run for so many looks at them, each on a node of its own, and then end. */
final class FakeYarn implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long SUBMITTED = 1_000_000;
    private static final long TEN_SECONDS = 10_000;

    private record App(String tags, String status, AtomicInteger looksLeft, long millis) {}

    private final HttpServer server;
    private final Map<String, App> apps = new LinkedHashMap<>();
    private boolean broken;
    private long millis = TEN_SECONDS;

    private FakeYarn(HttpServer server) {
        this.server = server;
    }

    static FakeYarn start() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        FakeYarn yarn = new FakeYarn(server);
        server.createContext("/ws/v1/cluster/", yarn::answer);
        server.start();
        return yarn;
    }

    /** Takes in an application, which ends with {@code status} after so many looks. */
    synchronized void submit(List<String> tags, String status, int looks) {
        apps.put(
                "application_1_%04d".formatted(apps.size() + 1),
                new App(String.join(",", tags), status, new AtomicInteger(looks), millis));
    }

    /** What is submitted from now on takes so long, and has run for as long when it is first looked at. */
    synchronized void setMillis(long millis) {
        this.millis = millis;
    }

    /** Kills what runs. */
    synchronized List<String> kill() {
        List<String> running = apps.entrySet().stream()
                .filter(app -> app.getValue().looksLeft().get() > 0)
                .map(Map.Entry::getKey)
                .toList();
        running.forEach(
                id -> apps.compute(id, (key, app) -> new App(app.tags(), "KILLED", new AtomicInteger(), app.millis())));
        return running;
    }

    /** Answers with an error from now on, or no longer. */
    synchronized void setBroken(boolean broken) {
        this.broken = broken;
    }

    /** Returns the tags of everything that was ever submitted. */
    synchronized List<String> submitted() {
        return new ArrayList<>(apps.values().stream().map(App::tags).toList());
    }

    synchronized void forgetAll() {
        apps.clear();
    }

    Yarn rest() throws RmException {
        return new YarnRest(RmClient.of(
                List.of("http://127.0.0.1:" + server.getAddress().getPort()),
                "tester",
                Duration.ofSeconds(5),
                name -> null,
                answered -> {}));
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath().substring("/ws/v1/cluster/".length());
            String query = String.valueOf(exchange.getRequestURI().getQuery());
            ObjectNode answer = JSON.createObjectNode();
            if (path.equals("metrics")) {
                answer.putObject("clusterMetrics")
                        .put("activeNodes", 2)
                        .put("totalVirtualCores", 10)
                        .put("totalMB", 100);
            } else if (path.equals("apps")) {
                ArrayNode list = answer.putObject("apps").putArray("app");
                apps.forEach((id, app) -> {
                    if (List.of(app.tags().split(",", -1)).stream().anyMatch(tag -> query.contains("=" + tag))) {
                        list.add(json(id, app));
                    }
                });
            } else if (path.endsWith("/appattempts")) {
                answer.putObject("appAttempts")
                        .putArray("appAttempt")
                        .addObject()
                        .put("appAttemptId", "attempt");
            } else {
                String id = path.split("/", -1)[1];
                answer.putArray("container")
                        .addObject()
                        .put("containerId", "container_of_" + id)
                        .put("assignedNodeId", "node-of-" + id + ":1");
            }
            byte[] bytes = JSON.writeValueAsBytes(answer);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(broken ? 500 : 200, bytes.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(bytes);
            }
        }
    }

    private static ObjectNode json(String id, App app) {
        boolean over = app.looksLeft().getAndDecrement() <= 0;
        String state = !over ? "RUNNING" : app.status().equals("KILLED") ? "KILLED" : "FINISHED";
        return JSON.createObjectNode()
                .put("id", id)
                .put("state", state)
                .put("finalStatus", over ? app.status() : "UNDEFINED")
                .put("applicationTags", app.tags())
                .put("startedTime", SUBMITTED)
                .put("launchTime", SUBMITTED + 1000)
                .put("finishedTime", over ? SUBMITTED + app.millis() : 0)
                .put("elapsedTime", app.millis())
                .put("vcoreSeconds", 20)
                .put("memorySeconds", 200)
                .put("diagnostics", over && app.status().equals("FAILED") ? "it\nbroke" : "");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
