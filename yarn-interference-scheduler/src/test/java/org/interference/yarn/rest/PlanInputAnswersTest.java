package org.interference.yarn.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.heartbeat;
import static org.interference.yarn.fixture.Reports.running;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.StreamSupport;
import javax.ws.rs.core.Response;
import org.interference.yarn.capacity.CapacityReport;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.relocate.RelocationReport;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

class PlanInputAnswersTest {
    private static final String A = "node-a:8041";
    private static final String B = "node-b:8041";
    private static final String MINE = "container_1700000000000_0001_01_000007";
    private static final String UNKNOWN = "container_1700000000000_0001_01_000009";
    private static final String OTHERS = "container_1700000000000_0002_01_000008";
    private static final String APPLICATION = "application_1700000000000_0001";
    private static final String SORT = Tasks.SORT.keys().get(0).text();
    private static final List<Sources.Room> ROOMS =
            List.of(new Sources.Room(A, 4096, OptionalInt.of(4)), new Sources.Room(B, 0, OptionalInt.of(-1)));
    /** May view the application, and no keys of others. */
    private static final Viewer OWNER = new Viewer() {
        @Override
        public boolean mayView(String application) {
            return application.equals(APPLICATION);
        }

        @Override
        public boolean mayViewAll() {
            return false;
        }

        @Override
        public boolean mayViewQueue(String queue) {
            return false;
        }
    };

    private final ProfileRepository profiles = Tasks.repository(Vectors.of(Signal.BLK, 0.8), Duration.ofSeconds(10));
    private Viewer viewer = Viewer.OF_ALL;
    private final Ingest ingest =
            new Ingest(new IngestSettings(5, 4096, Duration.ofMinutes(10)), Duration.ofSeconds(1), sample -> {});

    @Test
    void eachNodeSaysWhatIsFreeAndWhatPressesThere() {
        ingest.accept(
                A,
                heartbeat(1, running(OTHERS, Vectors.of(Signal.BLK, 0.5)), running(MINE, Vectors.of(Signal.BLK, 0.25))),
                T0);

        assertThat(inputs(ROOMS, Set.of(), Optional.empty(), ""))
                .hasToString("{\"nodes\":[{\"node\":\"node-a:8041\",\"free\":{\"memory-mb\":4096,\"vcores\":4},"
                        + "\"levels\":{\"blk\":0.75}},"
                        + "{\"node\":\"node-b:8041\",\"free\":{\"memory-mb\":0,\"vcores\":-1},\"levels\":{}}],"
                        + "\"profiles\":[]}");
    }

    @Test
    void vcoresThatTheSchedulerDoesNotCountAreNotThere() {
        List<Sources.Room> rooms = List.of(new Sources.Room(A, 4096, OptionalInt.empty()));

        assertThat(inputs(rooms, Set.of(), Optional.empty(), "").at("/nodes/0/free"))
                .hasToString("{\"memory-mb\":4096}");
    }

    @Test
    void nodesOfOtherNamesAreLeftOut() {
        assertThat(inputs(ROOMS, Set.of(), Optional.empty(), "node-b").findValuesAsText("node"))
                .containsExactly(B);
    }

    @Test
    void profilesAreAnsweredInTheOrderOfTheirKeysAndWhatThereIsNotIsLeftOut() {
        TaskProfile known = Tasks.profile(Vectors.cpu(0.1), Duration.ofSeconds(10));
        profiles.restore(List.of(filed(known, TaskKey.Level.ROLE, "zeta"), filed(known, TaskKey.Level.ROLE, "alpha")));

        JsonNode answer = inputs(ROOMS, Set.of("zeta", "nobody", "alpha", SORT), Optional.empty(), "");

        assertThat(keys(answer)).isSorted().containsExactlyInAnyOrder("alpha", SORT, "zeta");
        assertThat(answer.at("/profiles/" + keys(answer).indexOf("alpha") + "/levels"))
                .hasToString("{\"cpu\":0.1}");
    }

    /** A container of the application that no tier names is in the way of its tiers, as anybody else's is. */
    @Test
    void whatTheTiersNameOfTheApplicationDoesNotStay() {
        ingest.accept(
                A,
                heartbeat(
                        1,
                        running(UNKNOWN, Vectors.of(Signal.BLK, 0.125)),
                        running(OTHERS, Vectors.of(Signal.BLK, 0.25)),
                        running(MINE, Vectors.of(Signal.BLK, 0.5))),
                T0);

        JsonNode moved = inputs(ROOMS, Set.of(SORT), Optional.of(APPLICATION), "");
        JsonNode other = inputs(ROOMS, Set.of("nobody"), Optional.of(APPLICATION), "");

        assertThat(moved.at("/nodes/0/levels/blk").asDouble()).isEqualTo(0.375);
        assertThat(other.at("/nodes/0/levels/blk").asDouble()).isEqualTo(0.875);
        for (JsonNode answer : List.of(moved, other)) {
            assertThat(answer.path("containers").findValuesAsText("container")).containsExactly(MINE, UNKNOWN);
            assertThat(answer.at("/containers/0/node").asText()).isEqualTo(A);
            assertThat(texts(answer.at("/containers/0/profiles")))
                    .containsExactlyElementsOf(Tasks.SORT.keys().stream()
                            .map(TaskKey::text)
                            .distinct()
                            .toList());
            assertThat(answer.at("/containers/1/profiles")).isEmpty();
        }
    }

    @Test
    void containersOnNodesOfOtherNamesAreLeftOut() {
        ingest.accept(A, heartbeat(1, running(MINE, Vectors.cpu(0.5))), T0);

        assertThat(inputs(ROOMS, Set.of(SORT), Optional.of(APPLICATION), "node-b")
                        .path("containers"))
                .isEmpty();
    }

    /** An application with the tag {@code ifc:spark} leaves a profile whose key has the text of one by type and role. */
    @Test
    void ofProfilesWhoseKeysHaveTheSameTextTheTagIsNotTaken() {
        TaskProfile tagged = Tasks.profile(Vectors.of(Signal.BLK, 0.9), Duration.ofSeconds(10));
        TaskProfile byRole = Tasks.profile(Vectors.cpu(0.1), Duration.ofSeconds(10));
        profiles.restore(
                List.of(filed(tagged, TaskKey.Level.TAG, "spark/map"), filed(byRole, TaskKey.Level.ROLE, "spark/map")));

        assertThat(inputs(ROOMS, Set.of("spark/map"), Optional.empty(), "").path("profiles"))
                .hasToString("[{\"key\":\"spark/map\",\"levels\":{\"cpu\":0.1}}]");
    }

    private static TaskProfile filed(TaskProfile profile, TaskKey.Level level, String key) {
        return new TaskProfile(
                new TaskKey(level, key),
                profile.samples(),
                profile.signals(),
                profile.runTimes(),
                profile.mixture(),
                profile.footprint(),
                profile.updated());
    }

    /** What others run must not be found out by naming it. */
    @Test
    void whoMayNotViewAKeyMayNotNameItUnlessTheirOwnTasksAreFiledThere() {
        ingest.accept(A, heartbeat(1, running(MINE, Vectors.cpu(0.1))), T0);
        String pseudonym = OWNER.key(SORT);
        viewer = OWNER;

        assertThat(keys(inputs(ROOMS, Set.of(SORT, pseudonym), Optional.empty(), "")))
                .containsExactly(pseudonym);
        assertThat(keys(inputs(ROOMS, Set.of(SORT), Optional.of(APPLICATION), "")))
                .containsExactly(SORT);
    }

    @Test
    void applicationThatMayNotBeViewedIsRefused() {
        viewer = OWNER;

        for (String application : List.of("application_1700000000000_0002", "none", "")) {
            assertThatThrownBy(() -> inputs(ROOMS, Set.of(), Optional.of(application), ""))
                    .isInstanceOfSatisfying(RequestException.class, e -> assertThat(e.status())
                            .isEqualTo(Response.Status.FORBIDDEN.getStatusCode()));
        }
    }

    private static List<String> keys(JsonNode answer) {
        return answer.path("profiles").findValuesAsText("key");
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    private ObjectNode inputs(
            List<Sources.Room> rooms, Set<String> keys, Optional<String> application, String contains) {
        Sources sources = new Sources(
                ingest,
                new Sources.Cluster(
                        null,
                        () -> rooms,
                        container -> container.equals(MINE)
                                ? Optional.of(new Sources.Task(APPLICATION, Tasks.SORT, false))
                                : Optional.empty(),
                        null),
                new Sources.Learnt(profiles, null, null, null, null, null, null),
                null,
                null,
                () -> CapacityReport.OFF,
                () -> RelocationReport.OFF,
                InstantSource.fixed(T0));
        return new PlanInputAnswers(sources, viewer).inputs(new PlanInputAnswers.Wanted(keys, application, contains));
    }
}
