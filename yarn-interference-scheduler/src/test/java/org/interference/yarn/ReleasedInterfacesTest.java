package org.interference.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.rest.Hk2WebService;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

/**
 * What the last release promised is still there: REST, the names of settings, and what a predictor is written against. Whatever is taken away
 * or changed has to be in CHANGELOG.md under <i>Incompatible</i>, and then {@code -Dgolden.write=true} makes this release's promise the one to
 * keep, as every release does.
 */
class ReleasedInterfacesTest {
    private static final Path RELEASED = Path.of("src", "test", "resources", "released");

    @Test
    void nothingThatRestPromisedIsGone() throws IOException {
        JsonNode contract;
        try (InputStream in = Hk2WebService.class.getResourceAsStream("openapi.yaml")) {
            contract = new YAMLMapper().readTree(in);
        }
        List<String> promised = new ArrayList<>();
        contract.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    String call = operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey();
                    promised.add(call);
                    operation
                            .getValue()
                            .path("parameters")
                            .forEach(parameter -> promised.add(call + " takes "
                                    + parameter
                                            .path("name")
                                            .asText(parameter.path("$ref").asText())));
                    operation
                            .getValue()
                            .path("responses")
                            .fieldNames()
                            .forEachRemaining(status -> promised.add(call + " answers " + status));
                }));
        contract.at("/components/schemas")
                .properties()
                .forEach(schema -> members(schema.getKey(), schema.getValue(), promised));

        assertKept("rest.txt", promised);
    }

    @Test
    void noSettingIsGone() throws IOException {
        String reference = Files.readString(Path.of("..", "conf", "interference-reference.xml"));
        List<String> names = Pattern.compile("<name>([^<]*)</name>")
                .matcher(reference)
                .results()
                .map(name -> name.group(1))
                .toList();

        assertKept("settings.txt", names);
    }

    @Test
    void predictorsOfBeforeStillCompileAndLink() throws IOException {
        List<String> members = new ArrayList<>();
        for (Class<?> type : List.of(
                SlowdownPredictor.class,
                Situation.class,
                Prediction.class,
                Prediction.Slowdown.class,
                Prediction.Unknown.class,
                Signal.class)) {
            Stream.<Executable>concat(Stream.of(type.getDeclaredMethods()), Stream.of(type.getDeclaredConstructors()))
                    .filter(member -> Modifier.isPublic(member.getModifiers()) && !member.isSynthetic())
                    .forEach(member -> members.add(member.toGenericString().replace("default ", "")));
            Stream.of(type.getDeclaredFields())
                    .filter(member -> Modifier.isPublic(member.getModifiers()))
                    .map(Field::toGenericString)
                    .forEach(members::add);
        }
        // Whoever implements the interface must not have to implement more.
        Stream.of(SlowdownPredictor.class.getMethods())
                .filter(member -> Modifier.isAbstract(member.getModifiers()))
                .forEach(member -> assertThat(member.getName()).isIn("name", "predict"));

        assertKept("predictor.txt", members);
    }

    /** Each member of a schema with its type, whatever is below it included. */
    private static void members(String name, JsonNode schema, Collection<String> into) {
        String type = schema.path("$ref").asText(schema.path("type").asText("any"));
        into.add(name + ": " + type);
        schema.path("properties")
                .properties()
                .forEach(property -> members(name + "." + property.getKey(), property.getValue(), into));
        for (String part : List.of("items", "additionalProperties")) {
            if (schema.path(part).isObject()) {
                members(name + "[]", schema.path(part), into);
            }
        }
        schema.path("allOf").forEach(part -> members(name, part, into));
        schema.path("enum").forEach(value -> into.add(name + " may be " + value.asText()));
    }

    private static void assertKept(String file, Collection<String> promised) throws IOException {
        Path released = RELEASED.resolve(file);
        if (Boolean.getBoolean("golden.write")) {
            Files.write(released, new TreeSet<>(promised));
        }

        assertThat(promised).as("%s; see this test's description", file).containsAll(Files.readAllLines(released));
    }
}
