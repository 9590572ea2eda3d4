package org.interference.yarn.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.place.MatchSettings;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.junit.jupiter.api.Test;

/** Who waits for its group, as REST says it. */
class GroupAnswersTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Page ALL = Page.of("0", "10");

    private final Placement placement = new Placement(
            null,
            null,
            new FakePredictor(),
            new PlaceSettings(Mode.ON, Duration.ofSeconds(1), Duration.ofSeconds(2), 100, 1000, 2, MatchSettings.OFF));

    @Test
    void whyAnApplicationGetsNothingIsTold() {
        placement.groups().asks("appattempt_1_0002_000001", 5, Duration.ofSeconds(60), NOW);
        placement.groups().asks("appattempt_1_0003_000001", 2, Duration.ofSeconds(30), NOW);

        ObjectNode answer = groups(Viewer.OF_ALL, Optional.of("application_1_0002"));

        assertThat(answer.path("total").asInt()).isEqualTo(1);
        assertThat(answer.at("/groups/0/attempt").asText()).isEqualTo("appattempt_1_0002_000001");
        assertThat(answer.at("/groups/0/why").asText()).isEqualTo("waits for its group: 0 of 5 fit, 55 s left");
        assertThat(groups(Viewer.OF_ALL, Optional.empty())
                        .at("/groups/0/application")
                        .asText())
                .as("whose wait ends first")
                .isEqualTo("application_1_0003");
        assertThat(groups(AnswersTest.STRANGER, Optional.empty()).path("total").asInt())
                .isZero();
    }

    private ObjectNode groups(Viewer viewer, Optional<String> application) {
        Sources sources = new Sources(null, null, null, placement, null, null, null, () -> NOW.plusSeconds(5));
        return new GroupAnswers(sources, viewer).groups(ALL, application);
    }
}
