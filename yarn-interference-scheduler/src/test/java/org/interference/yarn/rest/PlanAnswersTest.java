package org.interference.yarn.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.heartbeat;
import static org.interference.yarn.fixture.Reports.running;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.ws.rs.core.Response;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.fixture.NoControl;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.learn.Attribution;
import org.interference.yarn.learn.ModelStore;
import org.interference.yarn.learn.OnlineAdaptiveModule;
import org.interference.yarn.place.MatchSettings;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.interference.yarn.predict.ComposedPredictor;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanAnswersTest {
    private static final String A = "node-a:8041";
    private static final String B = "node-b:8041";
    private static final String MINE = "container_1700000000000_0001_01_000007";
    private static final String OTHERS = "container_1700000000000_0002_01_000008";
    private static final String APPLICATION = "application_1700000000000_0001";
    private static final String SORT = Tasks.SORT.keys().get(0).text();
    private static final List<Sources.Room> ROOMS = List.of(new Sources.Room(A, 4096, 4), new Sources.Room(B, 4096, 4));

    private final ProfileRepository profiles = Tasks.repository(
            InterferenceVector.sum(List.of(Vectors.cpu(0.5), Vectors.of(Signal.BLK, 0.8))), Duration.ofSeconds(10));
    private Viewer viewer = Viewer.OF_ALL;
    private final Ingest ingest =
            new Ingest(new IngestSettings(5, 4096, Duration.ofMinutes(10)), Duration.ofSeconds(1), sample -> {});

    @Test
    void tierIsPlannedBesideWhoeverDisturbsItLeast() throws JsonProcessingException {
        ingest.accept(A, heartbeat(1, running(OTHERS, Vectors.of(Signal.BLK, 0.9))), T0);
        ingest.accept(B, heartbeat(1, running(MINE, Vectors.of(Signal.MBW, 0.9))), T0);

        JsonNode plan = plan(ROOMS, "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1024}, 'profile': '%s'}]}");

        assertThat(placed(plan.path("plan"), "db")).containsExactly(B);
        assertThat(plan.at("/tiers/0/degradation/disk").asDouble()).isGreaterThan(2);
        assertThat(plan.at("/plan/machines/0/tiers").findValuesAsText("name")).containsExactly("what runs on " + A);
        assertThat(plan.has("today")).isFalse();
    }

    @Test
    void whatTheFileSaysCountsMoreThanTheProfile() throws JsonProcessingException {
        JsonNode plan = plan(
                ROOMS,
                "{'tiers': [{'name': 'db', 'size': 1, 'profile': '%s', 'degradation': {'cpu': 'low'}}],"
                        + "'machines': [{'name': 'm', 'capacity': 1}]}");

        assertThat(plan.at("/tiers/0/degradation/cpu").asDouble()).isEqualTo(1.03);
        assertThat(plan.at("/tiers/0/degradation/disk").asDouble()).isEqualTo(1);
    }

    @Test
    void machinesOfTheFileAreTakenInPlaceOfTheClusters() throws JsonProcessingException {
        JsonNode plan =
                plan(ROOMS, "{'tiers': [{'name': 'db', 'size': 1}], 'machines': [{'name': 'm', 'capacity': 1}]}");

        assertThat(placed(plan.path("plan"), "db")).containsExactly("m");
    }

    @Test
    void nodesWithNothingFreeAndThoseOfOtherNamesAreLeftOut() throws JsonProcessingException {
        List<Sources.Room> rooms =
                List.of(new Sources.Room("full", 0, 4), new Sources.Room("busy", 10, -1), ROOMS.get(0), ROOMS.get(1));

        JsonNode all = plan(rooms, "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1}}]}");
        JsonNode named = plan(rooms, "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1}}]}", options("node-b"));

        assertThat(all.at("/plan/machines").findValuesAsText("name"))
                .contains(A, B)
                .doesNotContain("full", "busy");
        assertThat(placed(named.path("plan"), "db")).containsExactly(B);
    }

    @Test
    void runningServiceIsComparedWithItsPlaceAndIsNotInItsOwnWay() throws JsonProcessingException {
        ingest.accept(
                A,
                heartbeat(1, running(MINE, Vectors.of(Signal.BLK, 0.9)), running(OTHERS, Vectors.of(Signal.BLK, 0.9))),
                T0);
        ingest.accept(B, heartbeat(1), T0);
        List<Sources.Room> rooms = List.of(new Sources.Room(A, 0, 4), new Sources.Room(B, 4096, 4));

        JsonNode plan = plan(
                rooms,
                "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1024}, 'profile': '%s'}]}",
                new PlanAnswers.Options(
                        "exact", Duration.ofSeconds(1), 1, PlanAnswers.Source.TABLE, "", Optional.of(APPLICATION)));

        assertThat(placed(plan.path("today"), "db")).containsExactly(A);
        assertThat(placed(plan.path("plan"), "db")).containsExactly(B);
        assertThat(plan.at("/plan/cost").asDouble()).isEqualTo(1);
        assertThat(plan.at("/today/cost").asDouble()).isGreaterThan(2);
        assertThat(plan.at("/today/machines/0/capacity/memory-mb").asDouble()).isEqualTo(1024);
    }

    @Test
    void learnedPlanIsWhatThePredictorExpects() throws JsonProcessingException {
        ingest.accept(A, heartbeat(1, running(OTHERS, Vectors.cpu(0.25))), T0);
        ingest.accept(B, heartbeat(1, running(MINE, Vectors.cpu(0.75))), T0);

        JsonNode plan = plan(
                new Calibrated(0.1),
                ROOMS,
                "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1024}, 'profile': '%s'}]}",
                learned());

        assertThat(placed(plan.path("plan"), "db")).containsExactly(A);
        // The newcomer's 1 + 0.5 x 0.25, and the same for who is there.
        assertThat(plan.at("/plan/machines/0/cost").asDouble()).isEqualTo(1.265625);
        assertThat(plan.at("/degradation").asText()).isEqualTo("learned");
    }

    @Test
    void learnedPlanNeedsAPredictorThatWasRightLately() {
        String file = "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1024}, 'profile': '%s'}]}";

        assertThatThrownBy(() -> plan(new Calibrated(0.3), ROOMS, file, learned()))
                .isInstanceOfSatisfying(
                        RequestException.class, e -> assertThat(e.status()).isEqualTo(Response.Status.CONFLICT))
                .hasMessageContaining("0.30");
        assertThatThrownBy(() -> plan(new FakePredictor(), ROOMS, file, learned()))
                .hasMessageContaining("nothing was compared");
        assertThatThrownBy(() -> plan(
                        new Calibrated(0.1),
                        ROOMS,
                        "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1024}}]}",
                        learned()))
                .hasMessageContaining("tier 'db' names no profile");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{'tiers': [{'name': 'db'}]}",
                "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1}, 'profile': 'nobody'}]}",
                "{'tiers': [{'name': 'db', 'size': {'memory-mb': 100000}}]}",
                "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1}, 'instances': 100000}]}",
            })
    void wrongFileIsOneSentence(String file) {
        assertThatThrownBy(() -> plan(ROOMS, file))
                .isInstanceOfSatisfying(
                        RequestException.class, e -> assertThat(e.status()).isEqualTo(Response.Status.BAD_REQUEST))
                .message()
                .doesNotContain("\n")
                .isNotBlank();
    }

    /** An application with the tag {@code ifc:spark} leaves a profile whose key has the text of one by type and role. */
    @Test
    void profilesWhoseKeysHaveTheSameTextFailNoPlanAndTheTagIsNotTaken() throws JsonProcessingException {
        TaskProfile tagged = Tasks.profile(Vectors.of(Signal.BLK, 0.9), Duration.ofSeconds(10));
        TaskProfile byRole = Tasks.profile(Vectors.cpu(0.1), Duration.ofSeconds(10));
        profiles.restore(
                List.of(filed(tagged, TaskKey.Level.TAG, "spark/map"), filed(byRole, TaskKey.Level.ROLE, "spark/map")));

        JsonNode plan = plan(ROOMS, "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1024}, 'profile': 'spark/map'}]}");

        assertThat(plan.at("/tiers/0/degradation/disk").asDouble()).isEqualTo(1);
    }

    private static TaskProfile filed(TaskProfile profile, TaskKey.Level level, String key) {
        return new TaskProfile(
                new TaskKey(level, key),
                profile.samples(),
                profile.signals(),
                profile.phases(),
                profile.runTimes(),
                profile.mixture(),
                profile.updated());
    }

    /** What others run must not be found out by naming it. */
    @Test
    void whoMayNotViewAKeyMayNotNameItUnlessTheirOwnTasksAreFiledThere() throws JsonProcessingException {
        ingest.accept(A, heartbeat(1, running(MINE, Vectors.cpu(0.1))), T0);
        String file = "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1024}, 'profile': '%s'}]}";
        String pseudonym = "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1024}, 'profile': '"
                + AnswersTest.STRANGER.key(SORT) + "'}]}";
        viewer = AnswersTest.STRANGER;

        assertThatThrownBy(() -> plan(ROOMS, file)).hasMessageContaining("there is none");
        assertThat(plan(ROOMS, pseudonym).at("/tiers/0/degradation/disk").asDouble())
                .isGreaterThan(2);
        PlanAnswers.Options own = new PlanAnswers.Options(
                "anneal", Duration.ofSeconds(1), 1, PlanAnswers.Source.TABLE, "", Optional.of(APPLICATION));
        assertThat(plan(ROOMS, file, own).at("/tiers/0/degradation/disk").asDouble())
                .isGreaterThan(2);
    }

    /** A small file must not become a large problem. */
    @Test
    void problemThatWouldTakeMuchOfTheHeapIsRefused() {
        String amounts = IntStream.range(0, 17).mapToObj("'a%d': 1"::formatted).collect(Collectors.joining(", "));
        for (String file : List.of(
                "{'tiers': [{'name': 'db', 'size': {%s}}]}".formatted(amounts),
                "{'tiers': [{'name': 'db', 'size': 1}], 'machines': [{'name': 'm', 'capacity': {%s}}]}"
                        .formatted(amounts),
                "{'tiers': [{'name': 'db', 'size': 1, 'instances': 4999}, {'name': 'web', 'size': 1, 'instances': 2}]}")) {
            assertThatThrownBy(() -> plan(ROOMS, file))
                    .isInstanceOfSatisfying(
                            RequestException.class, e -> assertThat(e.status()).isEqualTo(Response.Status.BAD_REQUEST))
                    .hasMessageContaining("5000 instances of 16 amounts");
        }
    }

    @Test
    void solverThatIsNotThereIsRefusedAndTheNextPlanIsMade() throws JsonProcessingException {
        String file = "{'tiers': [{'name': 'db', 'size': {'memory-mb': 1}}]}";
        for (String solver : List.of("oracle", "Anneal")) {
            assertThatThrownBy(() -> plan(
                            ROOMS,
                            file,
                            new PlanAnswers.Options(
                                    solver, Duration.ofSeconds(1), 1, PlanAnswers.Source.TABLE, "", Optional.empty())))
                    .hasMessageContaining("anneal, climb, exact, round-robin");
        }

        assertThat(plan(ROOMS, file).path("solver").asText()).isEqualTo("anneal");
    }

    private record Calibrated(double wrong) implements SlowdownPredictor {
        @Override
        public String name() {
            return "calibrated";
        }

        @Override
        public Prediction predict(Situation situation) {
            return new FakePredictor().predict(situation);
        }

        @Override
        public OptionalDouble error() {
            return OptionalDouble.of(wrong);
        }
    }

    private static PlanAnswers.Options options(String contains) {
        return new PlanAnswers.Options(
                "anneal", Duration.ofSeconds(1), 1, PlanAnswers.Source.TABLE, contains, Optional.empty());
    }

    private static PlanAnswers.Options learned() {
        return new PlanAnswers.Options(
                "exact", Duration.ofSeconds(1), 1, PlanAnswers.Source.LEARNED, "", Optional.empty());
    }

    private JsonNode plan(List<Sources.Room> rooms, String file) throws JsonProcessingException {
        return plan(rooms, file, options(""));
    }

    private JsonNode plan(List<Sources.Room> rooms, String file, PlanAnswers.Options options)
            throws JsonProcessingException {
        return plan(new FakePredictor(), rooms, file, options);
    }

    /** @param file with the profile's key for {@code %s} */
    private JsonNode plan(
            SlowdownPredictor predictor, List<Sources.Room> rooms, String file, PlanAnswers.Options options)
            throws JsonProcessingException {
        String written = file.replace('\'', '"').replace("%s", SORT);
        return new ObjectMapper().readTree(new PlanAnswers(sources(predictor, rooms), viewer).plan(written, options));
    }

    private Sources sources(SlowdownPredictor predictor, List<Sources.Room> rooms) {
        OnlineAdaptiveModule module =
                new OnlineAdaptiveModule(new ComposedPredictor(), List.of(), ModelStore.NONE, 1000, 100, new Random(1));
        return new Sources(
                ingest,
                profiles,
                new Placement(
                        ingest,
                        profiles,
                        predictor,
                        new PlaceSettings(
                                Mode.ON, Duration.ofSeconds(1), Duration.ofSeconds(2), 100, 10, 2, MatchSettings.OFF)),
                Tasks.finished(profiles),
                new Attribution(predictor, profiles, container -> Optional.empty()),
                module::report,
                Optional::empty,
                () -> new Sources.Store("", Optional.empty()),
                TreeSet::new,
                container -> container.equals(MINE)
                        ? Optional.of(new Sources.Task(APPLICATION, Tasks.SORT, false))
                        : Optional.empty(),
                InstantSource.fixed(T0),
                new NoControl(),
                new Sources.Planning(predictor, () -> rooms, () -> 0));
    }

    private static List<String> placed(JsonNode assessment, String tier) {
        return StreamSupport.stream(assessment.path("machines").spliterator(), false)
                .filter(machine -> Stream.of(machine.path("tiers"))
                        .flatMap(tiers -> StreamSupport.stream(tiers.spliterator(), false))
                        .anyMatch(there -> there.path("name").asText().equals(tier)))
                .map(machine -> machine.path("name").asText())
                .toList();
    }
}
