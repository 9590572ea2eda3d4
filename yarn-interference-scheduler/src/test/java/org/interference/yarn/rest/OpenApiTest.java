package org.interference.yarn.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.ws.rs.DELETE;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.QueryParam;
import org.interference.yarn.advice.KindAdvice;
import org.interference.yarn.advice.NodeAdvisor;
import org.interference.yarn.capacity.CapacityReport;
import org.interference.yarn.capacity.SizeDecision;
import org.interference.yarn.learn.FinishedTask;
import org.interference.yarn.learn.TrainingRound;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.place.Verdict;
import org.interference.yarn.profile.ProfileState;
import org.interference.yarn.relocate.Judgement;
import org.interference.yarn.relocate.OltpPolicy;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** openapi.yaml says what the code does. Whether answers keep to its schemas is tried against a running ResourceManager. */
class OpenApiTest {
    private static JsonNode contract;

    @BeforeAll
    static void read() throws Exception {
        try (InputStream in = InterferenceWebService.class.getResourceAsStream("openapi.yaml")) {
            contract = new YAMLMapper().readTree(in);
        }
    }

    @Test
    void everyOperationHasItsPathAndItsParameters() {
        Map<String, String> served = new TreeMap<>();
        for (Method method : Hk2WebService.class.getMethods()) {
            httpMethod(method).ifPresent(verb -> served.put(verb + " " + path(method), parameters(method)));
        }
        Map<String, String> promised = new TreeMap<>();
        contract.path("paths").properties().forEach(path -> path.getValue()
                .properties()
                .forEach(operation ->
                        promised.put(operation.getKey() + " " + path.getKey(), parameters(operation.getValue()))));

        assertThat(served).isEqualTo(promised);
    }

    @Test
    void everyChangeAsksForTheHeaderAndAnswersWhoMayNot() {
        contract.path("paths").properties().forEach(path -> path.getValue().properties().stream()
                .filter(operation -> !operation.getKey().equals("get"))
                .forEach(operation -> {
                    assertThat(resolved(operation.getValue().path("parameters")))
                            .as(path.getKey())
                            .anyMatch(
                                    parameter -> parameter.path("name").asText().equals(Caller.XSRF_HEADER)
                                            && parameter.path("required").asBoolean());
                    assertThat(operation.getValue().path("responses").has("403"))
                            .as(path.getKey())
                            .isTrue();
                }));
    }

    @Test
    void boundsOfPagesAreThoseOfTheCode() {
        JsonNode limit = contract.at("/components/parameters/Limit/schema");
        JsonNode offset = contract.at("/components/parameters/Offset/schema");

        assertThat(Page.of("0", limit.path("maximum").asText()).limit()).isEqualTo(Page.MOST);
        assertThat(Page.of(offset.path("maximum").asText(), "1").offset())
                .isEqualTo(offset.path("maximum").asInt());
        assertThat(limit.path("minimum").asInt()).isEqualTo(1);
    }

    @Test
    void listsOfNamesAreThoseOfTheCode() {
        assertThat(names("/components/schemas/Reason")).isEqualTo(upperCase(Ranking.Reason.class));
        assertThat(names("/components/schemas/Mode")).isEqualTo(lowerCase(Mode.class));
        assertThat(names("/components/parameters/NodeState/schema")).isEqualTo(lowerCase(NodeAnswers.State.class));
        assertThat(names("/components/parameters/ContainerState/schema"))
                .isEqualTo(lowerCase(ContainerAnswers.State.class));
        assertThat(names("/components/schemas/Container/properties/state"))
                .isEqualTo(upperCase(ContainerAnswers.State.class));
        assertThat(names("/components/schemas/Container/properties/outcome"))
                .isEqualTo(upperCase(FinishedTask.Outcome.class));
        assertThat(names("/components/schemas/Round/properties/trigger"))
                .isEqualTo(upperCase(TrainingRound.Trigger.class));
        assertThat(names("/components/schemas/Verdict/properties/reason")).isEqualTo(upperCase(Verdict.Reason.class));
        assertThat(names("/components/schemas/NodeSize/properties/action"))
                .isEqualTo(upperCase(SizeDecision.Action.class));
        assertThat(names("/components/schemas/NodeSize/properties/reason"))
                .isEqualTo(upperCase(SizeDecision.Reason.class));
        assertThat(names("/components/schemas/NodeSize/properties/standsBack"))
                .isEqualTo(upperCase(CapacityReport.StandsBack.class));
        assertThat(names("/components/schemas/Relocation/properties/reason"))
                .isEqualTo(upperCase(Judgement.Reason.class));
        assertThat(names("/components/schemas/PublishedGate/properties/gate"))
                .isEqualTo(upperCase(OltpPolicy.Gate.class));
        assertThat(names("/components/schemas/Profile/properties/state")).isEqualTo(upperCase(ProfileState.class));
        assertThat(names("/components/schemas/KindAdvice/properties/reason"))
                .isEqualTo(upperCase(KindAdvice.Reason.class));
        assertThat(names("/components/schemas/NodeAdvice/properties/action"))
                .isEqualTo(upperCase(NodeAdvisor.Action.class));
    }

    private static Optional<String> httpMethod(Method method) {
        return Stream.of(
                        Map.entry(GET.class, "get"),
                        Map.entry(PUT.class, "put"),
                        Map.entry(POST.class, "post"),
                        Map.entry(DELETE.class, "delete"))
                .filter(verb -> method.isAnnotationPresent(verb.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static String path(Method method) {
        Path path = method.getAnnotation(Path.class);
        return path == null ? "/" : "/" + path.value().replaceAll(":[^}]*}", "}");
    }

    /** As {@code "body limit=100 node"}. */
    private static String parameters(Method method) {
        return String.join(
                " ",
                Arrays.stream(method.getParameters())
                        .flatMap(OpenApiTest::described)
                        .sorted()
                        .toList());
    }

    private static Stream<String> described(Parameter parameter) {
        for (Annotation annotation : parameter.getAnnotations()) {
            if (annotation instanceof QueryParam query) {
                DefaultValue fallback = parameter.getAnnotation(DefaultValue.class);
                return Stream.of(
                        query.value() + (fallback == null || fallback.value().isEmpty() ? "" : "=" + fallback.value()));
            }
            if (annotation instanceof PathParam path) {
                return Stream.of("{" + path.value() + "}");
            }
        }
        return Stream.of("body");
    }

    private static String parameters(JsonNode operation) {
        Stream<String> parameters = resolved(operation.path("parameters"))
                .filter(parameter -> !parameter.path("in").asText().equals("header"))
                .map(parameter -> {
                    String name = parameter.path("name").asText();
                    JsonNode fallback = parameter.path("schema").path("default");
                    return parameter.path("in").asText().equals("path")
                            ? "{" + name + "}"
                            : name + (fallback.isMissingNode() ? "" : "=" + fallback.asText());
                });
        Stream<String> body = operation.has("requestBody") ? Stream.of("body") : Stream.empty();
        return String.join(" ", Stream.concat(parameters, body).sorted().toList());
    }

    private static Stream<JsonNode> resolved(JsonNode parameters) {
        return StreamSupport.stream(parameters.spliterator(), false)
                .map(parameter -> parameter.has("$ref")
                        ? contract.at(parameter.path("$ref").asText().substring(1))
                        : parameter);
    }

    private static List<String> names(String pointer) {
        return StreamSupport.stream(contract.at(pointer).path("enum").spliterator(), false)
                .map(JsonNode::asText)
                .sorted()
                .toList();
    }

    private static List<String> upperCase(Class<? extends Enum<?>> type) {
        return Arrays.stream(type.getEnumConstants()).map(Enum::name).sorted().toList();
    }

    private static List<String> lowerCase(Class<? extends Enum<?>> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(Json::lowerCase)
                .sorted()
                .toList();
    }
}
