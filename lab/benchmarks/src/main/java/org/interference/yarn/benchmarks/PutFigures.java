package org.interference.yarn.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the whole numbers of the JSON objects on standard input into a file of measurements, for programs that are not Java. */
public final class PutFigures {
    private static final Logger LOG = LoggerFactory.getLogger(PutFigures.class);

    private PutFigures() {}

    /** Usage: {@code PutFigures FILE NAME COMMAND}. Objects within an object are left out. */
    public static void main(String[] args) {
        int status = 1;
        try {
            put(ResultFile.open(Path.of(args[0]), args[1], args[2]));
            status = 0;
        } catch (IOException | RuntimeException e) {
            LOG.error("nothing was put", e);
        }
        // main-program:off
        System.exit(status);
        // main-program:on
    }

    private static void put(ResultFile file) throws IOException {
        try (MappingIterator<JsonNode> objects =
                new ObjectMapper().readerFor(JsonNode.class).readValues(System.in)) {
            while (objects.hasNextValue()) {
                objects.nextValue().properties().forEach(field -> {
                    if (field.getValue().isIntegralNumber()) {
                        file.results().put(field.getKey(), field.getValue().asLong());
                    } else if (field.getValue().isTextual()) {
                        file.results().put(field.getKey(), field.getValue().asText());
                    }
                });
            }
        }
        file.write();
    }
}
