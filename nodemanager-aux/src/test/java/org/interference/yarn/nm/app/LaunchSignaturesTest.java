package org.interference.yarn.nm.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.interference.yarn.nm.attribute.LaunchIdentity;
import org.interference.yarn.nm.attribute.LaunchRole;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.wire.HeartbeatCodec;
import org.junit.jupiter.api.Test;

class LaunchSignaturesTest {
    /** {@code printf 'MAPREDUCE_MAP\norg.apache.hadoop.mapred.YarnChild' | sha256sum | cut -c-16}. */
    private static final String OF_A_MAP = "dc0f71c64efefc7c";

    @Test
    void signatureIsTheBeginningOfTheSha256OfTheCanonicalText() {
        LaunchSignature signature =
                LaunchSignatures.of(new LaunchIdentity(LaunchRole.MAPREDUCE_MAP, "org.apache.hadoop.mapred.YarnChild"));

        assertThat(signature).hasToString(OF_A_MAP);
    }

    @Test
    void mapsAndReducesOfOneJobDiffer() {
        String command = "java org.apache.hadoop.mapred.YarnChild h 1 attempt_1_0001_%s_000000_0 2";

        assertThat(LaunchSignatures.of(List.of(command.formatted("m"))))
                .isPresent()
                .isNotEqualTo(LaunchSignatures.of(List.of(command.formatted("r"))));
    }

    @Test
    void commandsThatNameNoProgramHaveNoSignature() {
        assertThat(LaunchSignatures.of(List.of("cd /"))).isEmpty();
    }

    @Test
    void noPartOfACommandLineButItsHashIsInThePayload() {
        String command = "AWS_SECRET=s3cr3tEnv {{JAVA_HOME}}/bin/java -Dfs.password=hunter2 -cp /home/alice/private.jar"
                + " org.example.billing.Invoices --token eyJhbGci --db jdbc:pg://u:pw@host/billing > out.txt";
        ContainerReport report = new ContainerReport(
                "container_1_0001_01_000002", Duration.ZERO, false, Map.of(), LaunchSignatures.of(List.of(command)));

        String payload = new String(
                HeartbeatCodec.encode(new NodeReport(1, 1, Instant.EPOCH, List.of(report))),
                StandardCharsets.ISO_8859_1);

        assertThat(report.launch()).isPresent();
        for (String word : command.split("[^A-Za-z0-9]+", -1)) {
            if (word.length() > 2) {
                assertThat(payload).doesNotContain(word);
            }
        }
    }
}
