package org.interference.yarn.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.interference.yarn.signal.NodeReport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The wire format as bytes on disk: what was written by version 2 is read, and written, for ever.
 *
 * <p>If a change of the format is meant (ADR-0002), regenerate the file and say so in the change:
 * {@code mvn test -pl interference-core -Dtest=HeartbeatGoldenFileTest -Dgolden.write=true}
 */
class HeartbeatGoldenFileTest {
    private static final Path FOLDER = Path.of("src/test/resources/wire");

    /** One file for each set of fields that some release has sent; the older ones of its version stay as they are. */
    private static final Map<String, NodeReport> GOLDEN = Map.of(
            "node-report-v2.bin", NodeReports.golden(),
            "node-report-v2-control.bin", NodeReports.controlled(),
            "node-report-v2-figures.bin", NodeReports.withFigures(),
            "node-report-v2-preemptors.bin", NodeReports.withPreemptors(),
            "node-report-v2-work.bin", NodeReports.withWork(),
            "node-report-v2-flows.bin", NodeReports.withFlows());

    @BeforeAll
    static void regenerateOnRequest() throws IOException {
        if (Boolean.getBoolean("golden.write")) {
            for (String file : GOLDEN.keySet()) {
                Files.write(FOLDER.resolve(file), HeartbeatCodec.encode(GOLDEN.get(file)));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void bytesOfVersion2AreReadAsTheReportTheyWereWrittenFrom(String file) throws IOException {
        Decoded decoded = HeartbeatCodec.decode(Files.readAllBytes(FOLDER.resolve(file)), 1 << 20);

        assertThat(decoded).isEqualTo(new Decoded.Accepted(GOLDEN.get(file)));
    }

    @ParameterizedTest
    @MethodSource("files")
    void reportIsWrittenAsTheBytesOfVersion2(String file) throws IOException {
        byte[] encoded = HeartbeatCodec.encode(GOLDEN.get(file));

        assertThat(encoded).isEqualTo(Files.readAllBytes(FOLDER.resolve(file)));
    }

    /** Version 1 was never released; what an older peer sends is refused, and its node counts as not measured. */
    @Test
    void bytesOfVersion1AreRefusedAsSuch() throws IOException {
        assertThat(HeartbeatCodec.decode(Files.readAllBytes(FOLDER.resolve("node-report-v1.bin")), 1 << 20))
                .isEqualTo(new Decoded.Rejected(
                        Decoded.Rejection.UNKNOWN_VERSION, "schema version 1, this reader knows 2"));
    }

    static Stream<String> files() {
        return GOLDEN.keySet().stream().sorted();
    }
}
