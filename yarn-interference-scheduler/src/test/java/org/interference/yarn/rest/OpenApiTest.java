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
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
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
import org.interference.yarn.fault.Part;
import org.interference.yarn.learn.CompletedContainer;
import org.interference.yarn.learn.FinishedTask;
import org.interference.yarn.learn.Traffic;
import org.interference.yarn.learn.TrainingRound;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.Offer;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.place.Verdict;
import org.interference.yarn.profile.ProfileState;
import org.interference.yarn.relocate.Judgement;
import org.interference.yarn.relocate.OltpPolicy;
import org.interference.yarn.relocate.RelocationMode;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.signal.WorkClass;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** openapi.yaml says what the code does. Whether answers keep to its schemas is tried against a running ResourceManager. */
class OpenApiTest {
    private static final Set<String> WRITTEN_BY_HAND = Set.of(
            "/schemas/Health/properties/status",
            "/schemas/KindAdvice/properties/level",
            "/schemas/Meeting/properties/by",
            "/schemas/NodeAdvice/properties/reason",
            "/schemas/Reading/properties/status");

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

    /** All of them: one that is no enum of the code's has to say so here. */
    @Test
    void listsOfNamesAreThoseOfTheCode() {
        Map<String, List<String>> promised = new TreeMap<>();
        collect(contract.path("components"), "", promised);
        promised.keySet().removeAll(WRITTEN_BY_HAND);

        assertThat(promised)
                .isEqualTo(new TreeMap<>(Map.ofEntries(
                        Map.entry("/parameters/NodeState/schema", lowerCase(NodeAnswers.State.class)),
                        Map.entry("/parameters/ContainerState/schema", lowerCase(ContainerAnswers.State.class)),
                        Map.entry("/schemas/Container/properties/state", upperCase(ContainerAnswers.State.class)),
                        Map.entry("/schemas/Container/properties/outcome", upperCase(FinishedTask.Outcome.class)),
                        Map.entry(
                                "/schemas/ContainerHistory/properties/ending",
                                upperCase(CompletedContainer.Ending.class)),
                        Map.entry("/schemas/Control/properties/class", sorted(WorkClass.values(), WorkClass::title)),
                        Map.entry("/schemas/Fault/properties/part", upperCase(Part.class)),
                        Map.entry("/schemas/KindAdvice/properties/reason", upperCase(KindAdvice.Reason.class)),
                        Map.entry("/schemas/Mode", lowerCase(Mode.class)),
                        Map.entry("/schemas/NodeAdvice/properties/action", upperCase(NodeAdvisor.Action.class)),
                        Map.entry("/schemas/NodeSize/properties/action", upperCase(SizeDecision.Action.class)),
                        Map.entry("/schemas/NodeSize/properties/reason", upperCase(SizeDecision.Reason.class)),
                        Map.entry(
                                "/schemas/NodeSize/properties/standsBack", upperCase(CapacityReport.StandsBack.class)),
                        Map.entry("/schemas/Offer/properties/mode", lowerCase(Mode.class)),
                        Map.entry("/schemas/Offer/properties/reason", upperCase(Offer.Reason.class)),
                        Map.entry("/schemas/Pair/properties/state", upperCase(ContainerAnswers.State.class)),
                        Map.entry("/schemas/Profile/properties/state", upperCase(ProfileState.class)),
                        Map.entry("/schemas/PublishedGate/properties/gate", upperCase(OltpPolicy.Gate.class)),
                        Map.entry("/schemas/Reason", upperCase(Ranking.Reason.class)),
                        Map.entry("/schemas/Relocation/properties/reason", upperCase(Judgement.Reason.class)),
                        Map.entry("/schemas/RelocationMode", sorted(RelocationMode.values(), RelocationMode::written)),
                        Map.entry("/schemas/Round/properties/trigger", upperCase(TrainingRound.Trigger.class)),
                        Map.entry("/schemas/Signal/properties/combination", upperCase(Signal.Combination.class)),
                        Map.entry("/schemas/Talk/properties/peer", upperCase(Traffic.Peer.class)),
                        Map.entry("/schemas/Verdict/properties/reason", upperCase(Verdict.Reason.class)))));
    }

    private static void collect(JsonNode node, String pointer, Map<String, List<String>> lists) {
        if (node.path("enum").isArray()) {
            lists.put(
                    pointer,
                    StreamSupport.stream(node.path("enum").spliterator(), false)
                            .map(JsonNode::asText)
                            .sorted()
                            .toList());
        }
        node.properties().forEach(part -> collect(part.getValue(), pointer + "/" + part.getKey(), lists));
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

    private static List<String> upperCase(Class<? extends Enum<?>> type) {
        return sorted(type.getEnumConstants(), Enum::name);
    }

    private static List<String> lowerCase(Class<? extends Enum<?>> type) {
        return sorted(type.getEnumConstants(), Json::lowerCase);
    }

    private static <T> List<String> sorted(T[] constants, Function<T, String> name) {
        return Arrays.stream(constants).map(name).sorted().toList();
    }
}
