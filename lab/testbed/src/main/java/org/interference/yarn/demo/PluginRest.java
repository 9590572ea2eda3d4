package org.interference.yarn.demo;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Reads the plugin's REST API on the ResourceManager's web address. */
final class PluginRest {
    private static final Duration TIME_LIMIT = Duration.ofSeconds(20);
    private static final List<String> PATHS =
            List.of("/health", "/nodes", "/containers", "/profiles", "/decisions?limit=20");

    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(TIME_LIMIT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private final JsonMapper json = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    private final String base;

    PluginRest(String webAddress) {
        this.base = "http://" + webAddress + "/ws/v1/interference";
    }

    /** The addresses a person may want to look at. */
    List<String> addresses() {
        return PATHS.stream().map(path -> base + path).toList();
    }

    /** Fetches one answer; the exception says which path did not answer, and with what. */
    <T> T read(String path, Class<T> type) throws IOException, InterruptedException {
        URI address = URI.create(base + path);
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(TIME_LIMIT)
                .header("Accept", "application/json")
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        if (response.statusCode() != 200) {
            throw new IOException("GET %s answered HTTP status %d".formatted(address, response.statusCode()));
        }
        return json.readValue(response.body(), type);
    }
}
