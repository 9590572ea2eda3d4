package org.interference.yarn.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.fixture.Reports.T0;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.ResourceUse;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.fixture.Vectors;
import org.junit.jupiter.api.Test;

class AdviceAnswersTest {
    private static final Page ALL = Page.of("0", "100");
    private static final double GIB = 1 << 30;

    private final ProfileRepository profiles = new ProfileRepository(1);

    @Test
    void kindsThatWasteMostComeFirstWithTheirSettings() {
        learn("little", "default", 50, 3 * GIB);
        learn("much", "default", 50, GIB);
        learn("seldom", "default", 2, GIB);

        JsonNode kinds = answer(Viewer.OF_ALL, "").path("kinds");

        assertThat(kinds.findValuesAsText("key"))
                .containsExactly(
                        "mapreduce/much/map/default/ann",
                        "mapreduce/little/map/default/ann",
                        "mapreduce/seldom/map/default/ann");
        assertThat(kinds.at("/0/advised/memoryMb").asInt()).isEqualTo(1536);
        assertThat(kinds.at("/0/settings/mapreduce.map.memory.mb").asText()).isEqualTo("1536");
        assertThat(kinds.at("/0/wasted/memoryHours").asDouble()).isCloseTo(50 * 0.75 * 10 / 3600, within(1e-4));
        assertThat(kinds.at("/2/reason").asText()).isEqualTo("FEW_TASKS");
        assertThat(kinds.at("/2").has("advised")).isFalse();
    }

    @Test
    void queueThatIsGoneIsTheReason() {
        learn("old", "gone", 50, GIB);

        assertThat(answer(Viewer.OF_ALL, "").at("/kinds/0/reason").asText()).isEqualTo("QUEUE_GONE");
    }

    @Test
    void strangerSeesNoNames() {
        learn("secret", "default", 50, GIB);

        JsonNode kind = answer(new Stranger(), "").at("/kinds/0");

        assertThat(kind.toString()).doesNotContain("secret", "ann");
        assertThat(kind.path("visible").asBoolean()).isFalse();
        assertThat(answer(new Stranger(), "secret").path("total").asInt()).isZero();
    }

    private static final class Stranger implements Viewer {
        @Override
        public boolean mayView(String application) {
            return false;
        }

        @Override
        public boolean mayViewAll() {
            return false;
        }

        @Override
        public boolean mayViewQueue(String queue) {
            return false;
        }
    }

    private void learn(String name, String queue, int tasks, double peak) {
        TaskIdentity task = TaskIdentity.of("MAPREDUCE", name, "map", queue, Optional.empty(), Optional.of("ann"));
        for (int i = 0; i < tasks; i++) {
            ResourceUse use =
                    new ResourceUse(4 * GIB, 1, 10, peak, peak, OptionalDouble.empty(), 64 * GIB, false);
            profiles.record(
                    new TaskSample(task, Vectors.cpu(0.5), Duration.ofSeconds(10), T0).using(Optional.of(use)));
        }
    }

    private JsonNode answer(Viewer viewer, String contains) {
        Ingest ingest =
                new Ingest(IngestSettings.from((name, fallback) -> fallback), Duration.ofSeconds(1), sample -> {});
        Sources sources = new Sources(
                ingest,
                new Sources.Cluster(TreeSet::new, List::of, container -> Optional.empty(), new FakeScheduling()),
                new Sources.Learnt(profiles, null, null, null, null, null, null),
                null,
                null,
                () -> T0);
        return new AdviceAnswers(sources, viewer).kinds(ALL, contains);
    }
}
