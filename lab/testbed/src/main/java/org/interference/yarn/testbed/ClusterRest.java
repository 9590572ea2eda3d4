package org.interference.yarn.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** YARN's own REST interface of the ResourceManager. */
final class ClusterRest {
    private static final Duration TIME_LIMIT = Duration.ofSeconds(30);

    private final HttpClient http = HttpClient.newHttpClient();
    private final ObjectMapper json = new ObjectMapper();
    private final String base;

    /**
     * Asks nothing yet.
     *
     * @param address {@code host:port} of the ResourceManager's web server
     */
    ClusterRest(String address) {
        this.base = "http://" + address + "/ws/v1/cluster/";
    }

    /** Returns the applications by their tags. */
    Map<String, JsonNode> applications() throws IOException, InterruptedException {
        Map<String, JsonNode> applications = new TreeMap<>();
        for (JsonNode application : get("apps").at("/apps/app")) {
            for (String tag : application.path("applicationTags").asText().split(",", -1)) {
                applications.put(tag, application);
            }
        }
        return applications;
    }

    /** Returns the memory of all nodes in MB, as large as they are at the moment. */
    int megabytes() throws IOException, InterruptedException {
        return get("metrics").at("/clusterMetrics/totalMB").asInt();
    }

    /** Returns the memory that containers were given, in MB. */
    int allocatedMegabytes() throws IOException, InterruptedException {
        return get("metrics").at("/clusterMetrics/allocatedMB").asInt();
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        URI address = URI.create(base + path);
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(address)
                        .timeout(TIME_LIMIT)
                        .header("Accept", "application/json")
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("GET %s answered HTTP status %d".formatted(address, response.statusCode()));
        }
        return json.readTree(response.body());
    }
}
