package org.interference.yarn.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.interference.yarn.place.ByQueue;
import org.interference.yarn.place.Offer;
import org.interference.yarn.relocate.Candidate;
import org.interference.yarn.relocate.HerdChoice;
import org.interference.yarn.relocate.OltpPolicy;
import org.interference.yarn.relocate.RelocationMode;
import org.interference.yarn.relocate.RelocationReport;
import org.interference.yarn.relocate.RelocationSettings;
import org.interference.yarn.relocate.Relocator;
import org.junit.jupiter.api.Test;

/** Who should leave, as REST says it. */
class RelocationAnswersTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final String APPLICATION = "application_1_0002";
    private static final String CONTAINER = "container_1_0002_01_000003";
    private static final RelocationReport REPORT = report();

    @Test
    void whoLeavesIsToldWithWhatThatSavesAndWherePublishedPoliciesStand() throws IOException {
        JsonNode answer = asked(Viewer.OF_ALL, Optional.of(APPLICATION));

        assertThat(answer.path("mode").asText()).isEqualTo("dry-run");
        JsonNode leaver = answer.at("/containers/0");
        assertThat(leaver.path("container").asText()).isEqualTo(CONTAINER);
        assertThat(leaver.path("goes").asBoolean()).isTrue();
        assertThat(leaver.path("savedSeconds").asDouble())
                .isGreaterThan(leaver.path("lostSeconds").asDouble());
        assertThat(leaver.path("target").asText()).isEqualTo("quiet");
        assertThat(answer.at("/reasons/GOES").asInt()).isEqualTo(1);
        assertThat(answer.at("/published/0/move/container").asText()).isEqualTo(CONTAINER);
        assertThat(answer.at("/published/0/gates/0/gate").asText()).isEqualTo("OTHER_HOST");
        assertThat(asked(Viewer.OF_ALL, Optional.of("application_1_0009"))
                        .path("total")
                        .asInt())
                .isZero();
    }

    @Test
    void whoMayNotViewAnApplicationSeesNoNameOfIts() throws IOException {
        JsonNode answer = asked(AnswersTest.STRANGER, Optional.empty());

        assertThat(answer.path("total").asInt()).isEqualTo(1);
        assertThat(answer.at("/containers/0/visible").asBoolean()).isFalse();
        assertThat(answer.toString()).doesNotContain(CONTAINER, APPLICATION, "root.etl", "etl/map");
        assertThat(asked(AnswersTest.STRANGER, Optional.of(APPLICATION))
                        .path("total")
                        .asInt())
                .isZero();
    }

    private static JsonNode asked(Viewer viewer, Optional<String> application) throws IOException {
        Sources sources = new Sources(null, null, null, null, null, null, () -> REPORT, null);
        return new ObjectMapper()
                .readTree(new RelocationAnswers(sources, viewer)
                        .relocations(Page.of("0", "10"), application)
                        .toString());
    }

    private static RelocationReport report() {
        Candidate leaver = new Candidate(
                CONTAINER,
                APPLICATION,
                Optional.of("root.etl"),
                APPLICATION + "/map",
                "bad",
                false,
                true,
                Duration.ofSeconds(10),
                Optional.of(new Candidate.Kind("etl/map", 20, 100, true)),
                Optional.of(new Candidate.Staying(new Offer.Bid(0, 0.1, 0), 2, 0.5, 0.1, OptionalDouble.empty())),
                Optional.of(new Candidate.Target("quiet", new Offer.Bid(0.9, 1, 0.9), 0)));
        Relocator relocator = new Relocator(new RelocationSettings(RelocationMode.DRY_RUN, ByQueue.none(), 4));
        return new RelocationReport(
                RelocationMode.DRY_RUN,
                RelocationMode.DRY_RUN,
                relocator.judge(List.of(leaver), NOW),
                List.of(new HerdChoice(
                        OltpPolicy.NAME,
                        Optional.of(new HerdChoice.Move(CONTAINER, "bad", "quiet")),
                        List.of(new HerdChoice.Check(OltpPolicy.Gate.OTHER_HOST, 1, 1, true)))),
                relocator.tally(NOW));
    }
}
