package org.interference.yarn.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the numbers and texts of the JSON objects on standard input into a file of measurements, for programs that are not Java. */
public final class PutFigures {
    private static final Logger LOG = LoggerFactory.getLogger(PutFigures.class);

    private PutFigures() {}

    /** Usage: {@code PutFigures FILE NAME COMMAND [PART]}; with a part, into that of the results. An object within an object is a part of it. */
    public static void main(String[] args) {
        int status = 1;
        try {
            ResultFile file = ResultFile.open(Path.of(args[0]), args[1], args[2]);
            put(args.length > 3 ? file.results().beside(args[3]) : file.results());
            file.write();
            status = 0;
        } catch (IOException | RuntimeException e) {
            LOG.error("nothing was put", e);
        }
        // main-program:off
        System.exit(status);
        // main-program:on
    }

    private static void put(Results results) throws IOException {
        try (MappingIterator<JsonNode> objects =
                new ObjectMapper().readerFor(JsonNode.class).readValues(System.in)) {
            while (objects.hasNextValue()) {
                put(objects.nextValue(), results);
            }
        }
    }

    private static void put(JsonNode object, Results results) {
        object.properties().forEach(field -> {
            JsonNode value = field.getValue();
            if (value.isIntegralNumber()) {
                results.put(field.getKey(), value.asLong());
            } else if (value.isNumber()) {
                results.put(field.getKey(), value.asDouble());
            } else if (value.isTextual()) {
                results.put(field.getKey(), value.asText());
            } else if (value.isObject() && !value.isEmpty()) {
                put(value, results.beside(field.getKey()));
            }
        });
    }
}
