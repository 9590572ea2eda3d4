package org.interference.yarn.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The wire format as bytes on disk: what was written by version 1 is read, and written, for ever.
 *
 * <p>If a change of the format is meant (ADR-0002), regenerate the file and say so in the change:
 * {@code mvn test -pl interference-core -Dtest=HeartbeatGoldenFileTest -Dgolden.write=true}
 */
class HeartbeatGoldenFileTest {
    private static final Path FILE = Path.of("src/test/resources/wire/node-report-v1.bin");

    @BeforeAll
    static void regenerateOnRequest() throws IOException {
        if (Boolean.getBoolean("golden.write")) {
            Files.write(FILE, HeartbeatCodec.encode(NodeReports.golden()));
        }
    }

    @Test
    void bytesOfVersion1AreReadAsTheReportTheyWereWrittenFrom() throws IOException {
        Decoded decoded = HeartbeatCodec.decode(Files.readAllBytes(FILE), 1 << 20);

        assertThat(decoded).isEqualTo(new Decoded.Accepted(NodeReports.golden()));
    }

    @Test
    void reportIsWrittenAsTheBytesOfVersion1() throws IOException {
        byte[] encoded = HeartbeatCodec.encode(NodeReports.golden());

        assertThat(encoded).isEqualTo(Files.readAllBytes(FILE));
    }
}
