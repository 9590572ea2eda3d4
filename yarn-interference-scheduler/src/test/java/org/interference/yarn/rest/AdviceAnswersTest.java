package org.interference.yarn.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.fixture.Reports.T0;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import org.interference.yarn.advice.Amount;
import org.interference.yarn.capacity.CapacityReport;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.learn.Attribution;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.ResourceUse;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.relocate.RelocationReport;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.wire.HeartbeatCodec;
import org.junit.jupiter.api.Test;

class AdviceAnswersTest {
    private static final Page ALL = Page.of("0", "100");
    private static final double GIB = 1 << 30;

    private final ProfileRepository profiles = new ProfileRepository(1);
    private final Ingest ingest =
            new Ingest(IngestSettings.from((name, fallback) -> fallback), Duration.ofSeconds(1), sample -> {});

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

        JsonNode kind = answer(AnswersTest.STRANGER, "").at("/kinds/0");

        assertThat(kind.toString()).doesNotContain("secret", "ann");
        assertThat(kind.path("visible").asBoolean()).isFalse();
        assertThat(answer(AnswersTest.STRANGER, "secret").path("total").asInt()).isZero();
    }

    @Test
    void whereNodesDifferItIsToldHowLongAKindTakesOnEach() {
        learn("sort", "default", 5, GIB);
        learn("seldom", "default", 2, GIB);
        tell("a", 8);
        assertThat(answer(Viewer.OF_ALL, "sort").at("/kinds/0").has("hosts")).isFalse();

        tell("b", 2);
        tell("c", 8);

        JsonNode hosts = answer(Viewer.OF_ALL, "sort").at("/kinds/0/hosts");
        assertThat(hosts).hasSize(2);
        // Half of eight CPUs are four, which two have done in twice the time.
        for (JsonNode host : hosts) {
            assertThat(host.path("timeFactor").asDouble())
                    .isEqualTo(host.path("cpus").asDouble() == 8 ? 1 : 2);
        }
        assertThat(answer(Viewer.OF_ALL, "seldom").at("/kinds/0/hosts/0").has("timeFactor"))
                .isFalse();
    }

    private void tell(String node, double cpus) {
        NodeFigures figures = new NodeFigures(Map.of(NodeMetric.CPUS, cpus));
        ingest.accept(node, HeartbeatCodec.encode(new NodeReport(1000, 1, T0, List.of(), figures)), T0);
    }

    /** Two nodes of 8 GB are full for 100 s with a task of which half is done; 30 more of them wait, and new nodes take 60 s. */
    @Test
    void nodesAreNeededForWhatWillStillWait() {
        learn("sort", "default", 20, GIB);
        TaskIdentity sort = task("sort", "default");
        Sources.Demand demand = new Sources.Demand(
                2,
                new Amount(16_384, 0),
                new Amount(0, 0),
                List.of(new Sources.Waiting(sort, new Amount(1024, 0), 30)),
                List.of(new Sources.Running("c1", sort, new Amount(16_384, 0), Duration.ofSeconds(5))));

        // The running one ends after 5 s, and 16 of those that wait have its place every 10 s: nobody waits after a
        // minute.
        JsonNode soon = nodes(demand, 60);
        assertThat(soon.path("action").asText()).isEqualTo("SHRINK");
        assertThat(soon.path("needed").asInt()).isZero();

        JsonNode sooner = nodes(demand, 6);
        assertThat(sooner.path("action").asText()).isEqualTo("GROW");
        // 14 of 1 GB are left.
        assertThat(sooner.path("change").asInt()).isEqualTo(2);
        assertThat(sooner.at("/shortageNow/memoryMb").asInt()).isEqualTo(30 * 1024);
        assertThat(sooner.at("/shortageThen/memoryMb").asInt()).isEqualTo(14 * 1024);
        assertThat(sooner.at("/byUse/nodes").asInt()).isEqualTo(3);
        assertThat(sooner.at("/interference/containers").asInt()).isZero();
    }

    @Test
    void withoutNodesNothingIsAdvised() {
        JsonNode none = nodes(new FakeScheduling().demand(), 60);

        assertThat(none.path("reason").asText()).isEqualTo("NO_NODES");
        assertThat(none.has("change")).isFalse();
    }

    private JsonNode nodes(Sources.Demand demand, int preparation) {
        return new NodeAdviceAnswers(sources(new FakeScheduling(demand))).nodes(Duration.ofSeconds(preparation), 0.8);
    }

    private void learn(String name, String queue, int tasks, double peak) {
        TaskIdentity task = task(name, queue);
        for (int i = 0; i < tasks; i++) {
            ResourceUse use = new ResourceUse(4 * GIB, 1, 10, peak, peak, OptionalDouble.empty(), 64 * GIB, false);
            profiles.record(new TaskSample(task, Vectors.cpu(0.5), Duration.ofSeconds(10), T0).using(Optional.of(use)));
        }
    }

    private static TaskIdentity task(String name, String queue) {
        return TaskIdentity.of("MAPREDUCE", name, "map", queue, Optional.empty(), Optional.of("ann"));
    }

    private JsonNode answer(Viewer viewer, String contains) {
        return new AdviceAnswers(sources(new FakeScheduling()), viewer).kinds(ALL, contains);
    }

    private Sources sources(Sources.Scheduling scheduling) {
        Attribution attribution = new Attribution(new FakePredictor(), profiles, container -> Optional.empty());
        return new Sources(
                ingest,
                new Sources.Cluster(TreeSet::new, List::of, container -> Optional.empty(), scheduling),
                new Sources.Learnt(profiles, null, attribution, null, null, null, null),
                null,
                null,
                () -> CapacityReport.OFF,
                () -> RelocationReport.OFF,
                () -> T0);
    }
}
