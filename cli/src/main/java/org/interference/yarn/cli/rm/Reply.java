package org.interference.yarn.cli.rm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What a web server answered. Immutable. */
record Reply(int status, Map<String, List<String>> headers, String body) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Waits for the answer. */
    static Reply of(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        if (status < 0) {
            throw new IOException("the answer is not HTTP");
        }
        try (InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            String text = body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8);
            return new Reply(status, connection.getHeaderFields(), text);
        }
    }

    boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    boolean asksForKerberos() {
        return status == HttpURLConnection.HTTP_UNAUTHORIZED
                && all("WWW-Authenticate").stream()
                        .anyMatch(scheme -> scheme.strip().startsWith("Negotiate"));
    }

    /** A standby that knows of no active ResourceManager says when to try again; older ones do so with status 200. */
    boolean isStandbyAlone() {
        return (!all("Refresh").isEmpty() && all("Location").isEmpty())
                || (isSuccess() && body.contains("There is no active RM right now"));
    }

    boolean isRedirect() {
        return status >= 300 && status < 400;
    }

    Optional<String> location() {
        return all("Location").stream().findFirst();
    }

    /** Returns the address of the ResourceManager that a standby names; empty if it names anything else. */
    Optional<URI> activeRm() {
        return location().filter(address -> address.contains(Question.REST)).flatMap(address -> {
            String rm = address.substring(0, address.indexOf(Question.REST));
            return rm.startsWith("http://") || rm.startsWith("https://")
                    ? Optional.of(URI.create(rm))
                    : Optional.empty();
        });
    }

    String contentType() {
        return all("Content-Type").stream().findFirst().orElse("nothing that has a type");
    }

    /** Returns the object that the body is; empty if it is none. */
    Optional<JsonNode> json() {
        try {
            return Optional.ofNullable(JSON.readTree(body)).filter(JsonNode::isObject);
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** Returns what the plugin, or YARN's REST, says went wrong; empty if neither of them answered. */
    Optional<String> error() {
        return json().map(answer -> answer.path("RemoteException")
                        .path("message")
                        .asText(answer.path("error").asText()))
                .filter(text -> !text.isBlank());
    }

    private List<String> all(String header) {
        return headers.entrySet().stream()
                .filter(entry -> entry.getKey() != null
                        && entry.getKey().toLowerCase(Locale.ROOT).equals(header.toLowerCase(Locale.ROOT)))
                .flatMap(entry -> entry.getValue().stream())
                .toList();
    }
}
