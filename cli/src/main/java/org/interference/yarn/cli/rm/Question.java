package org.interference.yarn.cli.rm;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One request for the plugin, or for YARN itself, to whichever ResourceManager. Immutable.
 *
 * @param query the values of each parameter
 * @param body JSON
 */
public record Question(String method, String path, Map<String, List<String>> query, Optional<String> body) {
    /** Below it is all REST on a ResourceManager's web address. */
    static final String REST = "/ws/v1/";

    private static final String PLUGIN = REST + "interference/";
    private static final String CLUSTER = REST + "cluster/";

    public Question {
        query = Map.copyOf(query);
    }

    /** Asks for what is at a path; each segment is written as it is, and encoded here. */
    public static Question get(String... segments) {
        return new Question("GET", PLUGIN + joined(segments), Map.of(), Optional.empty());
    }

    /** Asks YARN itself, not the plugin. */
    public static Question cluster(String... segments) {
        return new Question("GET", CLUSTER + joined(segments), Map.of(), Optional.empty());
    }

    public static Question post(String... segments) {
        return new Question("POST", PLUGIN + joined(segments), Map.of(), Optional.empty());
    }

    public static Question put(String... segments) {
        return new Question("PUT", PLUGIN + joined(segments), Map.of(), Optional.empty());
    }

    public static Question delete(String... segments) {
        return new Question("DELETE", PLUGIN + joined(segments), Map.of(), Optional.empty());
    }

    public Question withBody(String json) {
        return new Question(method, path, query, Optional.of(json));
    }

    /** Returns it with a parameter more; a null value is none. */
    public Question with(String name, Object value) {
        return value == null ? this : withEach(name, List.of(value.toString()));
    }

    /** Returns it with a parameter more that has several values, or none. */
    public Question withEach(String name, List<String> values) {
        Map<String, List<String>> more = new LinkedHashMap<>(query);
        more.put(name, List.copyOf(values));
        return new Question(method, path, more, body);
    }

    boolean changesSomething() {
        return !method.equals("GET");
    }

    String pathAndQuery() {
        String parameters = query.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(parameter ->
                        parameter.getValue().stream().map(value -> encoded(parameter.getKey()) + "=" + encoded(value)))
                .collect(Collectors.joining("&"));
        return parameters.isEmpty() ? path : path + "?" + parameters;
    }

    private static String joined(String... segments) {
        return Stream.of(segments).map(Question::encoded).collect(Collectors.joining("/"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
