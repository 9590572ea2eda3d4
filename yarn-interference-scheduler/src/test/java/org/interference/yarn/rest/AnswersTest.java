package org.interference.yarn.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.ended;
import static org.interference.yarn.fixture.Reports.heartbeat;
import static org.interference.yarn.fixture.Reports.running;
import static org.interference.yarn.fixture.Reports.unmeasured;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.ws.rs.core.Response;
import org.interference.yarn.capacity.CapacityReport;
import org.interference.yarn.capacity.GovernorSettings;
import org.interference.yarn.capacity.Size;
import org.interference.yarn.capacity.SizeDecision;
import org.interference.yarn.fault.Part;
import org.interference.yarn.fixture.CoRuns;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.fixture.NoControl;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.ingest.OutsideUse;
import org.interference.yarn.learn.Attribution;
import org.interference.yarn.learn.CompletedContainer;
import org.interference.yarn.learn.FinishedTasks;
import org.interference.yarn.learn.Label;
import org.interference.yarn.learn.ModelStore;
import org.interference.yarn.learn.Observation;
import org.interference.yarn.learn.OnlineAdaptiveModule;
import org.interference.yarn.learn.Traffic;
import org.interference.yarn.learn.TrainingRound;
import org.interference.yarn.learn.cluster.Characterisation;
import org.interference.yarn.learn.cluster.Characteriser;
import org.interference.yarn.place.Locality;
import org.interference.yarn.place.MatchSettings;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.NodeCandidate;
import org.interference.yarn.place.Offer;
import org.interference.yarn.place.Offered;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Request;
import org.interference.yarn.place.Wishes;
import org.interference.yarn.predict.ComposedPredictor;
import org.interference.yarn.predict.Example;
import org.interference.yarn.predict.LinearTrainer;
import org.interference.yarn.profile.Footprint;
import org.interference.yarn.profile.Mixture;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.relocate.RelocationReport;
import org.interference.yarn.relocate.RelocationSettings;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.ControlStatus;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Preemptor;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.signal.Untold;
import org.interference.yarn.signal.WorkClass;
import org.interference.yarn.wire.HeartbeatCodec;
import org.junit.jupiter.api.Test;

class AnswersTest {
    private static final Page ALL = new Page(0, 1000);
    /** May view no application. */
    static final Viewer STRANGER = new Viewer() {
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
            return queue.equals("root.mine");
        }
    };

    private static final String A = "node-a:8041";
    private static final String B = "node-b:8041";
    private static final String MINE = "container_1700000000000_0001_01_000007";
    private static final String OTHERS = "container_1700000000000_0002_01_000008";
    private static final String THIRD = "container_1700000000000_0003_01_000009";
    private static final Request MAP =
            new Request("appattempt_1700000000000_0001_000002", "priority 20", Tasks.SORT, false);
    private static final Sources.Task SORTING = new Sources.Task("application_1", Tasks.SORT, false);

    private final ProfileRepository profiles = new ProfileRepository(1);
    private final FinishedTasks finished = Tasks.finished(profiles);
    private final Ingest ingest = new Ingest(
            new IngestSettings(5, 4096, Duration.ofMinutes(10), 10, NodeMetric.telling(), OutsideUse.NEIGHBOUR),
            Duration.ofSeconds(1),
            finished::sampled);
    private final Placement placement = new Placement(
            ingest,
            profiles,
            new FakePredictor(),
            new PlaceSettings(Mode.ON, Duration.ofSeconds(1), Duration.ofSeconds(2), 100, 1000, 2, MatchSettings.OFF));
    private final OnlineAdaptiveModule module = new OnlineAdaptiveModule(
            new ComposedPredictor(), List.of(new LinearTrainer()), ModelStore.NONE, 1000, 100, new Random(1));
    private final Attribution attribution =
            new Attribution(new FakePredictor(), profiles, container -> Optional.of(Tasks.SORT));
    private Optional<Characterisation> characterisation = Optional.empty();
    private CapacityReport capacity = CapacityReport.OFF;
    private RelocationReport relocation = RelocationReport.OFF;
    private Control control = new NoControl();
    private Sources.Store store = new Sources.Store("/data/profiles.json", Optional.empty());

    @Test
    void nodesListTheWholeClusterWhateverIsKnownOfIt() throws JsonProcessingException {
        ingest.accept(A, heartbeat(7, running("c1", Vectors.cpu(0.25)), running("c2", Vectors.cpu(0.5))), T0);

        JsonNode nodes = parsed(nodesAfter(Duration.ofSeconds(2))).path("nodes");

        assertThat(nodes.findValuesAsText("node")).containsExactly(A, B);
        JsonNode known = nodes.path(0);
        assertThat(known.path("fresh").asBoolean()).isTrue();
        assertThat(known.path("ageMs").asLong()).isEqualTo(2000);
        assertThat(known.path("sequence").asLong()).isEqualTo(7);
        assertThat(known.path("containers").asInt()).isEqualTo(2);
        assertThat(known.path("frozen").asInt()).isZero();
        assertThat(known.path("clockSkewSeconds").asLong()).isZero();
        assertThat(known.path("levels").path("cpu").asDouble()).isEqualTo(0.75);
        assertThat(known.path("levels").has("mbw")).isFalse();
        JsonNode unknown = nodes.path(1);
        assertThat(unknown.path("fresh").asBoolean()).isFalse();
        assertThat(unknown.path("reason").asText()).isNotBlank();
    }

    @Test
    void nodeWhoseSampleIsTooOldIsShownButNotFresh() throws JsonProcessingException {
        ingest.accept(A, heartbeat(7, running("c1", Vectors.cpu(0.25))), T0);

        JsonNode node = parsed(nodesAfter(Duration.ofMinutes(1))).path("nodes").path(0);

        assertThat(node.path("fresh").asBoolean()).isFalse();
        assertThat(node.path("levels").path("cpu").asDouble()).isEqualTo(0.25);
    }

    @Test
    void nodeSaysWhatItIsBusyWithBesideItsContainers() throws JsonProcessingException {
        Map<NodeMetric, Double> values =
                Map.of(NodeMetric.CPU, 0.75, NodeMetric.PSIMEM, 0.125, NodeMetric.DISKRATE, 5e8);
        NodeFigures figures = new NodeFigures(values, Map.of(NodeMetric.NETWORKRATE, Untold.NO_SPEED));
        NodeReport report = new NodeReport(1, 7, T0, List.of(running("c1", Vectors.cpu(0.25))), figures);
        ingest.accept(A, HeartbeatCodec.encode(report), T0);

        JsonNode node = parsed(new NodeAnswers(sources()).node(A));

        assertThat(node.path("figures").path("cpu").asDouble()).isEqualTo(0.75);
        assertThat(node.path("figures").path("psimem").asDouble()).isEqualTo(0.125);
        assertThat(node.path("figures").path("diskrate").asDouble()).isCloseTo(5e8, within(1e5));
        assertThat(node.path("figures").has("networkrate")).isFalse();
        assertThat(node.path("untold").path("networkrate").asText()).isEqualTo(Untold.NO_SPEED.reason());
        assertThat(node.path("outsideCpu").asDouble()).isEqualTo(0.5);
        assertThat(parsed(new NodeAnswers(sources()).nodes(Page.of("0", "10"), Optional.empty(), ""))
                        .path("nodes")
                        .path(0)
                        .has("figures"))
                .isFalse();
    }

    @Test
    void historyOfANodeIsMinuteByMinute() throws JsonProcessingException {
        for (int minute = 0; minute < 3; minute++) {
            Map<NodeMetric, Double> values = minute == 1 ? Map.of() : Map.of(NodeMetric.CPU, 0.5);
            Instant at = T0.minus(Duration.ofMinutes(3 - minute));
            NodeReport report = new NodeReport(1, 7 + minute, at, List.of(), new NodeFigures(values));
            ingest.accept(A, HeartbeatCodec.encode(report), at);
        }

        JsonNode told = parsed(new NodeAnswers(sources()).history(A));

        assertThat(told.path("from").asText()).isEqualTo("2024-05-06T07:05:00Z");
        assertThat(told.path("stepSeconds").asInt()).isEqualTo(60);
        assertThat(told.path("values").path("cpu").toString()).isEqualTo("[0.5,null,0.5]");
        assertThat(parsed(new NodeAnswers(sources()).history(B)).path("values")).isEmpty();
        assertThatThrownBy(() -> new NodeAnswers(sources()).history("nobody:1")).isInstanceOf(RequestException.class);
    }

    @Test
    void nodeShowsHowManyContainersAreNotMeasuredYet() throws JsonProcessingException {
        profiles.record(Tasks.sample(Vectors.cpu(0.5), Duration.ofSeconds(10)));
        placement.proposed("c1", A, MAP, T0);

        JsonNode nodes = parsed(nodesAfter(Duration.ZERO)).path("nodes");

        assertThat(nodes.path(0).path("pending").asInt()).isEqualTo(1);
    }

    @Test
    void runningContainerSaysWhoItIsAndWhatWasMeasured() throws JsonProcessingException {
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.25))), T0);

        JsonNode container = onlyOne(parsed(containers(Viewer.OF_ALL)).path("containers"));

        assertThat(container.path("container").asText()).isEqualTo("c1");
        assertThat(container.path("node").asText()).isEqualTo(A);
        assertThat(container.path("application").asText()).isEqualTo("application_1");
        assertThat(container.path("task").asText()).isEqualTo("mapreduce/terasort/map/default");
        assertThat(container.path("state").asText()).isEqualTo("RUNNING");
        assertThat(container.path("observedMs").asLong()).isEqualTo(30_000);
        JsonNode cpu = container.path("signals").path("cpu");
        assertThat(cpu.path("status").asText()).isEqualTo("ok");
        assertThat(cpu.path("level").asDouble()).isEqualTo(0.25);
        assertThat(cpu.path("source").asText()).isEqualTo("proc");
    }

    @Test
    void launchSignatureIsShownInHexAndOnlyIfTheNodeSentOne() throws JsonProcessingException {
        ContainerReport silent = running("c1", Vectors.cpu(0.25));
        ContainerReport speaking = new ContainerReport(
                "c2", silent.observed(), false, silent.readings(), Optional.of(new LaunchSignature(0xabcL)));
        ingest.accept(A, heartbeat(1, silent, speaking), T0);

        JsonNode containers = parsed(containers(Viewer.OF_ALL)).path("containers");

        assertThat(containers.path(0).has("launch")).isFalse();
        assertThat(containers.path(1).path("launch").asText()).isEqualTo("0000000000000abc");
    }

    @Test
    void controlOfTheNodeIsShownWhereThereIsOne() throws JsonProcessingException {
        ControlStatus status = new ControlStatus(
                WorkClass.IO_INTENSIVE,
                "blocked on I/O",
                "0-1",
                OptionalLong.of(1000),
                Instant.parse("2026-01-01T00:00:00Z"));
        ContainerReport free = running("c1", Vectors.cpu(0.25));
        ContainerReport controlled = new ContainerReport("c2", free.observed(), false, free.readings()).with(status);
        ingest.accept(A, heartbeat(1, free, controlled), T0);

        JsonNode containers = parsed(containers(Viewer.OF_ALL)).path("containers");

        assertThat(containers.path(0).has("control")).isFalse();
        JsonNode control = containers.path(1).path("control");
        assertThat(control.path("class").asText()).isEqualTo("io-intensive");
        assertThat(control.path("reason").asText()).isEqualTo("blocked on I/O");
        assertThat(control.path("cores").asText()).isEqualTo("0-1");
        assertThat(control.path("diskBytesPerSecond").asLong()).isEqualTo(1000);
        assertThat(control.path("since").asText()).isEqualTo("2026-01-01T00:00:00Z");
    }

    @Test
    void signalThatIsUnavailableSaysWhyAndHasNoLevel() throws JsonProcessingException {
        ingest.accept(A, heartbeat(1, unmeasured("c1")), T0);

        JsonNode mbw = onlyOne(parsed(containers(Viewer.OF_ALL)).path("containers"))
                .path("signals")
                .path("mbw");

        assertThat(mbw.path("status").asText()).isEqualTo("unavailable");
        assertThat(mbw.path("reason").asText()).isEqualTo("resctrl is not mounted");
        assertThat(mbw.path("source").asText()).isEqualTo("resctrl");
        assertThat(mbw.has("level")).isFalse();
    }

    @Test
    void containerThatTheResourceManagerDoesNotKnowIsListedWithoutATask() throws JsonProcessingException {
        ingest.accept(A, heartbeat(1, running("stranger", Vectors.cpu(0.25))), T0);

        JsonNode container = onlyOne(parsed(containers(Viewer.OF_ALL)).path("containers"));

        assertThat(container.path("container").asText()).isEqualTo("stranger");
        assertThat(container.has("task")).isFalse();
    }

    @Test
    void completedContainerIsListedOnceThoughItsNodeStillReportsIt() throws JsonProcessingException {
        ingest.accept(A, heartbeat(1, ended("c1", Vectors.cpu(0.25))), T0);
        finished.completed(
                new CompletedContainer("c1", "application_1", A, Tasks.SORT, false, false), ingest.newest(A), T0);

        JsonNode container = onlyOne(parsed(containers(Viewer.OF_ALL)).path("containers"));

        assertThat(container.path("state").asText()).isEqualTo("COMPLETED");
        assertThat(container.path("outcome").asText()).isEqualTo("PROFILED");
        assertThat(container.path("signals").path("cpu").path("mean").asDouble())
                .isEqualTo(0.25);
    }

    @Test
    void containerThatHasEndedTellsWhatItUsed() throws JsonProcessingException {
        NodeFigures figures = new NodeFigures(Map.of(NodeMetric.CPUS, 8.0));
        NodeReport report = new NodeReport(1, 1, T0, List.of(ended(MINE, Vectors.cpu(0.25))), figures);
        ingest.accept(A, HeartbeatCodec.encode(report), T0);
        finished.completed(
                new CompletedContainer(
                        MINE,
                        "application_1",
                        A,
                        Tasks.SORT,
                        false,
                        CompletedContainer.Ending.DONE,
                        Optional.of(new CompletedContainer.Given(1 << 30, 2)),
                        Optional.empty()),
                ingest.newest(A),
                T0);

        JsonNode told = parsed(new UseAnswers(sources(), Viewer.OF_ALL).history(MINE));

        assertThat(told.path("ending").asText()).isEqualTo("DONE");
        assertThat(told.path("summary").toString())
                .isEqualTo(
                        "{\"wallSeconds\":30.0,\"givenMemoryMb\":1024.0,\"givenVcores\":2,\"cpuSeconds\":60.0,\"cores\":2.0}");
        assertThat(told.path("steps").toString()).isEqualTo("[{\"endSeconds\":30.0,\"cores\":2.0}]");
        assertThatThrownBy(() -> new UseAnswers(sources(), Viewer.OF_ALL).history(OTHERS))
                .isInstanceOf(RequestException.class)
                .hasMessageContaining("is not among the newest containers that have ended");
        assertThatThrownBy(() -> new UseAnswers(sources(), STRANGER).history(OTHERS))
                .isInstanceOf(RequestException.class)
                .hasMessageContaining("not of an application that you may view");
    }

    @Test
    void profileShowsMeanDeviationAndCountOfEachSignal() throws JsonProcessingException {
        profiles.record(Tasks.sample(Vectors.cpu(0.25), Duration.ofSeconds(10)));
        profiles.record(Tasks.sample(Vectors.cpu(0.75), Duration.ofSeconds(30)));

        JsonNode profile = parsed(new ProfileAnswers(sources(), Viewer.OF_ALL).profiles(ALL, ""))
                .path("profiles")
                .path(0);

        assertThat(profile.path("key").asText()).isEqualTo("mapreduce/terasort/map/default");
        assertThat(profile.path("level").asText()).isEqualTo("name");
        assertThat(profile.path("state").asText()).isEqualTo("KNOWN");
        assertThat(profile.path("samples").asLong()).isEqualTo(2);
        assertThat(profile.path("runTimeSeconds").path("mean").asDouble()).isEqualTo(20);
        JsonNode cpu = profile.path("signals").path("cpu");
        assertThat(cpu.path("mean").asDouble()).isEqualTo(0.5);
        assertThat(cpu.path("deviation").asDouble()).isEqualTo(0.3536);
        assertThat(cpu.path("samples").asLong()).isEqualTo(2);
        assertThat(cpu.path("peak").asDouble()).isEqualTo(0.75);
        assertThat(profile.path("updated").asText()).isEqualTo("2024-05-06T07:08:09Z");
    }

    @Test
    void rankedDecisionShowsTheGainOnEachNode() throws JsonProcessingException {
        profiles.record(Tasks.sample(Vectors.cpu(0.5), Duration.ofSeconds(10)));
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        placement.committed("c2", A, placement.ranking().rank(MAP, T0, () -> List.of(candidate(A), candidate(B))), T0);

        JsonNode answer = parsed(decisions(ALL, Viewer.OF_ALL));

        JsonNode decision = onlyOne(answer.path("decisions"));
        assertThat(decision.path("application").asText()).isEqualTo("application_1700000000000_0001");
        assertThat(decision.path("attempt").asText()).isEqualTo("appattempt_1700000000000_0001_000002");
        assertThat(decision.path("container").asText()).isEqualTo("c2");
        assertThat(decision.path("reason").asText()).isEqualTo("RANKED");
        assertThat(decision.path("mode").asText()).isEqualTo("on");
        assertThat(decision.path("chosen").asText()).isEqualTo(A);
        assertThat(decision.path("rank").asInt()).isEqualTo(1);
        assertThat(decision.path("profileFound").asBoolean()).isTrue();
        assertThat(decision.path("profileKey").asText()).isEqualTo("mapreduce/terasort/map/default");
        assertThat(decision.path("explanation").asText()).startsWith(A + ", number 1 of 2");
        JsonNode ranked = decision.path("nodes").path(0);
        assertThat(ranked.path("gain").asDouble())
                .as("either gets a fifth less done")
                .isEqualTo(0.6);
        assertThat(ranked.path("ownSlowdown").asDouble()).isEqualTo(1.25);
        assertThat(ranked.path("neighboursLose").asDouble()).isEqualTo(0.2);
        JsonNode blind = decision.path("nodes").path(1);
        assertThat(blind.path("reason").asText()).isEqualTo("NEUTRAL_NO_SAMPLE");
        assertThat(blind.has("gain")).isFalse();
        assertThat(answer.path("counts").path("RANKED").asLong()).isEqualTo(1);
        assertThat(answer.path("counts").path("PARENT_NO_PROFILE").asLong()).isZero();
    }

    /** Two nodes, of which the parent twice takes the loaded one, and once the other. */
    @Test
    void theShadowReportSaysWhatTheBestNodesWouldHaveSaved() throws JsonProcessingException {
        placement.refresh(new PlaceSettings(
                Mode.SHADOW, Duration.ofSeconds(1), Duration.ofSeconds(2), 100, 1000, 2, MatchSettings.OFF));
        profiles.record(Tasks.sample(Vectors.cpu(0.5), Duration.ofSeconds(10)));
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        ingest.accept(B, heartbeat(1), T0);
        for (String chosen : List.of(A, A, B)) {
            placement.committed(
                    "c", chosen, placement.ranking().rank(MAP, T0, () -> List.of(candidate(A), candidate(B))), T0);
        }

        JsonNode queue = onlyOne(parsed(shadowReport(Viewer.OF_ALL)).path("queues"));

        assertThat(queue.path("placements").asLong()).isEqualTo(3);
        assertThat(queue.path("differing").asLong()).isEqualTo(2);
        assertThat(queue.path("parentsSlowdown").asDouble()).isEqualTo(1.1667);
        assertThat(queue.path("bestSlowdown").asDouble()).isEqualTo(1);
        assertThat(queue.path("savedSeconds").asDouble())
                .as("twice two fifths of a run of ten seconds")
                .isEqualTo(8);
        JsonNode interval = queue.path("savedSecondsInterval");
        assertThat(interval.path(0).asDouble()).isLessThan(8);
        assertThat(interval.path(1).asDouble()).isGreaterThan(8);
    }

    @Test
    void theShadowReportHoldsNothingOfPlacementsThatWereOurs() throws JsonProcessingException {
        profiles.record(Tasks.sample(Vectors.cpu(0.5), Duration.ofSeconds(10)));
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        placement.committed("c2", A, placement.ranking().rank(MAP, T0, () -> List.of(candidate(A))), T0);

        assertThat(parsed(shadowReport(Viewer.OF_ALL)).path("queues").isEmpty()).isTrue();
    }

    @Test
    void decisionWithoutAProfileSaysSo() throws JsonProcessingException {
        placement.committed("c2", A, placement.ranking().rank(MAP, T0, List::of), T0);

        JsonNode decision = onlyOne(parsed(decisions(ALL, Viewer.OF_ALL)).path("decisions"));

        assertThat(decision.path("profileFound").asBoolean()).isFalse();
        assertThat(decision.has("profileKey")).isFalse();
        assertThat(decision.path("reason").asText()).isEqualTo("PARENT_NO_PROFILE");
        assertThat(decision.path("nodes").isEmpty()).isTrue();
    }

    @Test
    void noMoreDecisionsAreListedThanAskedFor() throws JsonProcessingException {
        for (int i = 0; i < 5; i++) {
            placement.committed("c" + i, A, placement.ranking().rank(MAP, T0, List::of), T0);
        }

        JsonNode decisions = parsed(decisions(new Page(0, 2), Viewer.OF_ALL)).path("decisions");

        assertThat(decisions.findValuesAsText("container")).containsExactly("c4", "c3");
    }

    @Test
    void healthOfAPluginWithoutProblemsIsOk() throws JsonProcessingException {
        ingest.accept(A, heartbeat(1), T0);

        JsonNode health = parsed(new HealthAnswers(sources(), Viewer.OF_ALL).health());

        assertThat(health.path("status").asText()).isEqualTo("OK");
        assertThat(health.path("problems").isEmpty()).isTrue();
        assertThat(health.path("mode").asText()).isEqualTo("on");
        assertThat(health.path("predictor").asText()).isEqualTo("fake");
        assertThat(health.path("breaker").path("open").asBoolean()).isFalse();
        assertThat(health.path("store").path("file").asText()).isEqualTo("/data/profiles.json");
        assertThat(health.path("counters").path("heartbeats.ACCEPTED").asLong()).isEqualTo(1);
        assertThat(health.path("counters").path("tasks.PROFILED").isNumber()).isTrue();
        assertThat(health.path("counters").path("decisions.RANKED").isNumber()).isTrue();
        assertThat(health.path("gauges").path("nodesFresh").asLong()).isEqualTo(1);
        assertThat(health.path("gauges").path("nodesNeverSeen").asLong()).isEqualTo(1);
    }

    @Test
    void openBreakerDegradesHealthAndSaysWhy() throws JsonProcessingException {
        placement.gate().failed(new IllegalStateException("first"));
        placement.gate().failed(new IllegalStateException("second"));

        JsonNode health = parsed(new HealthAnswers(sources(), Viewer.OF_ALL).health());

        assertThat(health.path("status").asText()).isEqualTo("DEGRADED");
        assertThat(onlyOne(health.path("problems")).asText()).contains("2 errors within", "IllegalStateException at");
        assertThat(health.path("mode").asText()).isEqualTo("shadow");
        assertThat(health.path("configuredMode").asText()).isEqualTo("on");
        assertThat(health.path("breaker").path("open").asBoolean()).isTrue();
        assertThat(health.path("counters").path("errors").asLong()).isEqualTo(2);
        assertThat(health.path("counters").path("errors.DECISION").asLong()).isEqualTo(2);
        assertThat(health.path("errors"))
                .hasSize(2)
                .allMatch(kind -> kind.path("part").asText().equals("DECISION"));
    }

    @Test
    void errorsOutsideOfDecisionsLeaveTheBreakerClosed() throws JsonProcessingException {
        for (int i = 0; i < 1000; i++) {
            placement.gate().faults().note(Part.REST, new IllegalStateException("of somebody's job"));
        }

        JsonNode health = parsed(new HealthAnswers(sources(), Viewer.OF_ALL).health());

        assertThat(health.path("status").asText()).isEqualTo("OK");
        assertThat(health.path("mode").asText()).isEqualTo("on");
        assertThat(health.path("counters").path("errors.REST").asLong()).isEqualTo(1000);
        assertThat(onlyOne(health.path("errors")).path("count").asLong()).isEqualTo(1000);
        assertThat(health.toString()).doesNotContain("of somebody's job");
    }

    @Test
    void problemOfTheStoreDegradesHealthAndSaysWhy() throws JsonProcessingException {
        store = new Sources.Store("/data/profiles.json", Optional.of("the disk is full"));

        JsonNode health = parsed(new HealthAnswers(sources(), Viewer.OF_ALL).health());

        assertThat(health.path("status").asText()).isEqualTo("DEGRADED");
        assertThat(onlyOne(health.path("problems")).asText()).isEqualTo("the disk is full");
    }

    private NodeCandidate candidate(String node) {
        return new NodeCandidate(
                node,
                true,
                Locality.NO_PREFERENCE,
                placement.accounts().load(node, T0),
                placement.accounts().measuredAt(node));
    }

    @Test
    void modelSaysWhoAnswersAndHowWell() throws JsonProcessingException {
        Random random = new Random(1);
        for (Example example : CoRuns.examples(random, CoRuns.kinds(random, 6), 400)) {
            module.observe(new Observation(
                    T0, "sort", example.situation(), new Label(example.slowdown(), Label.Source.RUN_TIME, 1)));
        }
        JsonNode before = parsed(new ModelAnswers(sources(), Viewer.OF_ALL).model());
        module.train(TrainingRound.Trigger.FIRST, T0);

        JsonNode model = parsed(new ModelAnswers(sources(), Viewer.OF_ALL).model());

        assertThat(before.path("champion").asText()).isEqualTo("none");
        assertThat(before.path("liveErrors").path("prior").asDouble()).isPositive();
        assertThat(model.path("champion").asText()).isEqualTo("linear");
        assertThat(model.path("version").asInt()).isEqualTo(1);
        assertThat(model.path("observed").asInt()).isEqualTo(400);
        assertThat(model.path("versions").path(0).path("rows").asInt())
                .isEqualTo(model.path("rows").asInt());
        assertThat(model.path("rounds").path(0).path("trigger").asText()).isEqualTo("FIRST");
        assertThat(model.path("rounds").path(0).path("reason").asText()).contains("won");
        assertThat(model.path("kinds").path("sort").path("usesModel").asBoolean())
                .isTrue();
    }

    @Test
    void clustersAreEmptyBeforeThereAreAny() throws JsonProcessingException {
        assertThat(parsed(new ProfileAnswers(sources(), Viewer.OF_ALL).clusters())
                        .path("clusters"))
                .isEmpty();
    }

    @Test
    void clustersSayWhatTheirTasksPressOn() throws JsonProcessingException {
        SortedMap<String, InterferenceVector> loads = new TreeMap<>();
        for (int i = 0; i < 4; i++) {
            loads.put("cpu-" + i, new InterferenceVector(Map.of(Signal.CPU, 0.9 + 0.01 * i, Signal.BLK, 0.0)));
            loads.put("disk-" + i, new InterferenceVector(Map.of(Signal.CPU, 0.0, Signal.BLK, 0.4 + 0.01 * i)));
        }
        characterisation = Characteriser.of(loads, 0);

        JsonNode answer = parsed(new ProfileAnswers(sources(), Viewer.OF_ALL).clusters());

        assertThat(answer.path("clusters")).hasSize(2);
        assertThat(answer.path("points")).hasSize(8);
        JsonNode ofCpu = answer.path("clusters")
                .path(answer.path("points").path(0).path("cluster").asInt());
        assertThat(ofCpu.path("signals").path("cpu").path("class").asText()).isEqualTo("high");
        assertThat(ofCpu.path("signals").path("blk").path("class").asText()).isEqualTo("absent");
    }

    @Test
    void strangerSeesWhatAContainerUsesButNotWhoseItIs() throws JsonProcessingException {
        ContainerReport told = running(MINE, Vectors.cpu(0.25));
        ingest.accept(
                A,
                heartbeat(
                        1,
                        new ContainerReport(
                                MINE, told.observed(), false, told.readings(), Optional.of(new LaunchSignature(7)))),
                T0);

        JsonNode container = onlyOne(parsed(containers(STRANGER)).path("containers"));

        assertThat(container.toString()).doesNotContain("1700000000000").doesNotContain("terasort");
        assertThat(container.has("launch")).isFalse();
        assertThat(container.path("visible").asBoolean()).isFalse();
        assertThat(container.path("signals").path("cpu").path("level").asDouble())
                .isEqualTo(0.25);
    }

    @Test
    void strangerSeesADecisionButNotAboutWhom() throws JsonProcessingException {
        placement.committed(MINE, A, placement.ranking().rank(MAP, T0, List::of), T0);

        JsonNode decision = onlyOne(parsed(decisions(ALL, STRANGER)).path("decisions"));

        assertThat(decision.toString()).doesNotContain("1700000000000").doesNotContain("terasort");
        assertThat(decision.path("reason").asText()).isEqualTo("PARENT_NO_PROFILE");
    }

    /** Ids of applications are numbers that follow each other: whoever tried them would see who runs, where and when. */
    @Test
    void strangerWhoNamesAnApplicationSeesTheSameAsIfThereWereNone() throws JsonProcessingException {
        ingest.accept(A, heartbeat(1, running(MINE, Vectors.cpu(0.25)), running(OTHERS, Vectors.cpu(0.5))), T0);
        attribution.look(ingest.newest(A).orElseThrow(), T0);
        attribution.look(ingest.newest(A).orElseThrow(), T0.plusSeconds(10));
        placement.committed(MINE, A, placement.ranking().rank(MAP, T0, List::of), T0);
        ingest.accept(B, heartbeat(1, ended(THIRD, Vectors.cpu(0.25))), T0);
        finished.completed(
                new CompletedContainer(THIRD, ContainerAnswers.applicationOf(THIRD), B, Tasks.SORT, false, false),
                ingest.newest(B),
                T0);
        String none = "application_1700000000000_0009";

        for (String container : List.of(MINE, OTHERS, THIRD)) {
            String application = ContainerAnswers.applicationOf(container);
            assertThat(ofApplication(application, STRANGER)).isEqualTo(ofApplication(none, STRANGER));
            assertThat(ofApplication(application, Viewer.OF_ALL)).isNotEqualTo(ofApplication(none, Viewer.OF_ALL));
        }
    }

    private List<JsonNode> ofApplication(String id, Viewer viewer) throws JsonProcessingException {
        Optional<String> application = Optional.of(id);
        return List.of(
                parsed(new ContainerAnswers(sources(), viewer)
                        .containers(ALL, new ContainerAnswers.Filter(Optional.empty(), application, Optional.empty()))),
                parsed(new DecisionAnswers(sources(), viewer).decisions(ALL, application, Optional.empty())),
                parsed(new PairAnswers(sources(), viewer)
                        .pairs(ALL, new PairAnswers.Filter(Optional.empty(), application, Optional.empty()))));
    }

    @Test
    void strangerSeesKindsOfTaskWithoutTheirNames() throws JsonProcessingException {
        profiles.record(Tasks.sample(Vectors.cpu(0.25), Duration.ofSeconds(10)));

        JsonNode answer = parsed(new ProfileAnswers(sources(), STRANGER).profiles(ALL, ""));

        assertThat(answer.toString()).doesNotContain("terasort");
        assertThat(answer.path("profiles").path(0).path("key").asText()).matches("kind-[0-9a-f]{16}");
    }

    /** Else anybody could try names, and see by the answer whether somebody runs such a job. */
    @Test
    void whatStandsForANameCannotBeWorkedOutFromIt() throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest("etl".getBytes(StandardCharsets.UTF_8));

        assertThat(STRANGER.key("etl")).isEqualTo(STRANGER.key("etl")).isNotEqualTo(STRANGER.key("etl2"));
        assertThat(STRANGER.key("etl")).doesNotContain(HexFormat.of().formatHex(hash, 0, 6));
    }

    /** Else whoever runs kinds of chosen names finds those of others between them, one letter after the other. */
    @Test
    void orderInWhichAStrangerSeesKindsSaysNothingOfTheirNames() throws JsonProcessingException {
        Random random = new Random(1);
        List<InterferenceVector> loads = CoRuns.kinds(random, 20);
        SortedMap<String, InterferenceVector> byName = new TreeMap<>();
        for (int i = 0; i < loads.size(); i++) {
            String name = "job-%02d".formatted(i);
            byName.put(name, loads.get(i));
            profiles.restore(List.of(TaskProfile.empty(new TaskKey(TaskKey.Level.NAME, name))
                    .with(Tasks.sample(loads.get(i), Duration.ofSeconds(10)))));
        }
        characterisation = Characteriser.of(byName, 0);
        List<Example> examples = CoRuns.examples(random, loads, 400);
        for (int i = 0; i < examples.size(); i++) {
            module.observe(new Observation(
                    T0,
                    "job-%02d".formatted(i % 20),
                    examples.get(i).situation(),
                    new Label(examples.get(i).slowdown(), Label.Source.RUN_TIME, 1)));
        }
        module.train(TrainingRound.Trigger.FIRST, T0);

        assertThat(kindsAsShownTo(Viewer.OF_ALL)).hasSize(3).allMatch(List.copyOf(byName.keySet())::equals);
        List<String> pseudonyms =
                byName.keySet().stream().map(STRANGER::key).sorted().toList();
        assertThat(kindsAsShownTo(STRANGER)).hasSize(3).allMatch(pseudonyms::equals);
    }

    /** Returns the keys of all lists of kinds, as they come. */
    private List<List<String>> kindsAsShownTo(Viewer viewer) throws JsonProcessingException {
        ProfileAnswers answers = new ProfileAnswers(sources(), viewer);
        return List.of(
                parsed(answers.profiles(ALL, "")).path("profiles").findValuesAsText("key"),
                parsed(answers.clusters()).path("points").findValuesAsText("key"),
                parsed(new ModelAnswers(sources(), viewer).model()).path("kinds").properties().stream()
                        .map(Map.Entry::getKey)
                        .toList());
    }

    @Test
    void strangerSeesNoLaunchOfAKind() throws JsonProcessingException {
        TaskProfile profile = Tasks.profile(Vectors.cpu(0.25), Duration.ofSeconds(10));
        profiles.restore(List.of(new TaskProfile(
                profile.key(),
                profile.samples(),
                profile.signals(),
                profile.runTimes(),
                new Mixture(Map.of(new LaunchSignature(0xabcL), 3L), Map.of(), Optional.empty()),
                Footprint.NONE,
                profile.updated())));

        assertThat(parsed(new ProfileAnswers(sources(), Viewer.OF_ALL).profiles(ALL, ""))
                        .toString())
                .contains("0000000000000abc");
        assertThat(parsed(new ProfileAnswers(sources(), STRANGER).profiles(ALL, ""))
                        .toString())
                .doesNotContain("0000000000000abc");
    }

    @Test
    void queuesAreShownToWhoMaySeeThem() throws JsonProcessingException {
        Map<String, String> file = Map.of(
                "yarn.interference.place.mode",
                "shadow",
                "yarn.interference.place.queue-modes",
                "root.mine=shadow,root.secret=off",
                "yarn.interference.capacity.queue-growth",
                "root.secret=off,root.mine=on",
                "yarn.interference.relocate.queues",
                "root.secret=on,root.mine=off");
        placement.refresh(PlaceSettings.from(file::getOrDefault));
        profiles.record(Tasks.sample(Vectors.cpu(0.5), Duration.ofSeconds(10)));
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        ingest.accept(B, heartbeat(1), T0);
        for (String queue : List.of("root.mine", "root.other")) {
            Request request = new Request(MAP.attempt(), "priority 20", Tasks.SORT, false, queue, Wishes.NONE);
            placement.committed(
                    "c", A, placement.ranking().rank(request, T0, () -> List.of(candidate(A), candidate(B))), T0);
        }
        control = new NoControl() {
            @Override
            public List<Setting> settings() {
                return Stream.of(PlaceSettings.KEYS, GovernorSettings.KEYS, RelocationSettings.KEYS)
                        .flatMap(List::stream)
                        .map(key -> new Setting(key, file.getOrDefault(key.name(), ""), true, false))
                        .toList();
            }
        };

        JsonNode report = parsed(shadowReport(STRANGER));
        JsonNode health = parsed(new HealthAnswers(sources(), STRANGER).health());
        JsonNode config = parsed(new HealthAnswers(sources(), STRANGER).config());

        assertThat(report.path("queues").properties())
                .extracting(Map.Entry::getKey)
                .containsExactly("root.mine");
        assertThat(report.at("/all/placements").asLong()).isEqualTo(2);
        assertThat(health.path("queueModes").properties())
                .extracting(Map.Entry::getKey)
                .containsExactly("root.mine");
        assertThat(config.toString())
                .contains("root.mine=shadow", "root.mine=on", "root.mine=off")
                .doesNotContain("root.secret");
        assertThat(parsed(new HealthAnswers(sources(), Viewer.OF_ALL).config()).toString())
                .contains("root.mine=shadow,root.secret=off");
        assertThat(parsed(shadowReport(Viewer.OF_ALL)).path("queues").size()).isEqualTo(2);
    }

    @Test
    void wrongSettingIsQuotedToWhoMayViewEverything() throws JsonProcessingException {
        control = new NoControl() {
            @Override
            public Optional<String> problem() {
                return Optional.of("queue-modes is 'root.secret=shadw'");
            }

            @Override
            public Optional<String> problemToAnybody() {
                return Optional.of("queue-modes is wrong");
            }
        };

        JsonNode health = parsed(new HealthAnswers(sources(), STRANGER).health());

        assertThat(health.path("status").asText()).isEqualTo("DEGRADED");
        assertThat(onlyOne(health.path("problems")).asText()).isEqualTo("queue-modes is wrong");
        assertThat(health.toString()).doesNotContain("root.secret");
        assertThat(onlyOne(parsed(new HealthAnswers(sources(), Viewer.OF_ALL).health())
                                .path("problems"))
                        .asText())
                .isEqualTo("queue-modes is 'root.secret=shadw'");
    }

    @Test
    void strangerIsNotToldWhetherAContainerIsThere() {
        ingest.accept(A, heartbeat(1, running(MINE, Vectors.cpu(0.25))), T0);
        ContainerAnswers answers = new ContainerAnswers(sources(), STRANGER);

        for (String container : List.of(MINE, "container_1700000000000_0009_01_000001", "nonsense")) {
            assertThatThrownBy(() -> answers.explain(container))
                    .isInstanceOfSatisfying(RequestException.class, refused -> assertThat(refused.status())
                            .isEqualTo(Response.Status.FORBIDDEN.getStatusCode()));
        }
    }

    /** With {@code FakePredictor} the slowdown is 1 and half of what its neighbours use of the CPU. */
    @Test
    void explanationNamesWhoHurtsAndForHowLong() throws JsonProcessingException {
        ingest.accept(A, heartbeat(1, running(MINE, Vectors.cpu(0.25)), running(OTHERS, Vectors.cpu(0.5))), T0);
        attribution.look(ingest.newest(A).orElseThrow(), T0);
        attribution.look(ingest.newest(A).orElseThrow(), T0.plusSeconds(10));

        JsonNode answer = parsed(new ContainerAnswers(sources(), Viewer.OF_ALL).explain(MINE));

        double slowdown = answer.path("slowdown").asDouble();
        assertThat(slowdown).isGreaterThan(1);
        JsonNode pair = onlyOne(answer.path("pairs"));
        assertThat(pair.path("victim").path("container").asText()).isEqualTo(MINE);
        assertThat(pair.path("culprit").path("container").asText()).isEqualTo(OTHERS);
        assertThat(pair.path("signal").asText()).isEqualTo("cpu");
        assertThat(pair.path("slowdown").asDouble()).isEqualTo(slowdown - 1, within(1e-3));
        assertThat(pair.path("seconds").asDouble()).isEqualTo(10 * (slowdown - 1) / slowdown, within(1e-3));
        assertThat(pair.path("confidence").path("checked").asBoolean()).isFalse();
    }

    @Test
    void whoTakesWhoseCpuIsToldBesideWhatIsPredicted() throws JsonProcessingException {
        ContainerReport mine = running(MINE, Vectors.cpu(0.25))
                .with(List.of(new Preemptor(Optional.of(OTHERS), 12.5), new Preemptor(Optional.empty(), 0.5)));
        ingest.accept(A, heartbeat(1, mine, running(OTHERS, Vectors.cpu(0.5))), T0);
        attribution.look(ingest.newest(A).orElseThrow(), T0);
        attribution.look(ingest.newest(A).orElseThrow(), T0.plusSeconds(10));

        JsonNode told = parsed(new ContainerAnswers(sources(), Viewer.OF_ALL).explain(MINE))
                .path("container")
                .path("preemptedBy");
        JsonNode pairs = parsed(new PairAnswers(sources(), Viewer.OF_ALL).pairs(ALL, PairAnswers.Filter.NONE))
                .path("pairs");

        assertThat(told).hasSize(2);
        assertThat(told.path(0).path("container").asText()).isEqualTo(OTHERS);
        assertThat(told.path(0).path("perSecond").asDouble()).isEqualTo(12.5);
        assertThat(told.path(1).path("outside").asBoolean()).isTrue();
        assertThat(pairs).hasSize(2).allSatisfy(pair -> assertThat(pair.has("preemptionsPerSecond"))
                .isEqualTo(pair.path("victim").path("container").asText().equals(MINE)));
        assertThat(parsed(containers(STRANGER)).findValuesAsText("perSecond")).containsExactly("12.5", "0.5");
        assertThat(parsed(containers(STRANGER)).toString()).doesNotContain(OTHERS);
    }

    @Test
    void whatIsOfNoContainerIsACulpritWithoutAName() throws JsonProcessingException {
        ContainerReport mine = running(MINE, Vectors.cpu(0.25)).with(List.of(new Preemptor(Optional.empty(), 0.5)));
        for (int sequence = 1; sequence <= 10; sequence++) {
            ingest.accept(A, heartbeat(sequence, 0.75, mine), T0);
        }
        attribution.look(ingest.newest(A).orElseThrow(), T0);

        JsonNode pair = onlyOne(parsed(new PairAnswers(sources(), STRANGER).pairs(ALL, PairAnswers.Filter.NONE))
                .path("pairs"));

        assertThat(pair.path("culprit").toString()).isEqualTo("{\"visible\":true,\"outside\":true}");
        assertThat(pair.path("preemptionsPerSecond").asDouble()).isEqualTo(0.5);
        assertThat(parsed(new NodeAnswers(sources()).node(A))
                        .path("outside")
                        .path("cpu")
                        .asDouble())
                .isEqualTo(0.5);
    }

    /** Who waits while others than containers use the CPUs is not held back by its own limit. */
    @Test
    void waitBesideWhatIsOfNoContainerIsNotTheContainersOwnLimit() throws JsonProcessingException {
        InterferenceVector waiting = new InterferenceVector(Map.of(Signal.CPU, 0.25, Signal.CPUWAIT, 0.5));
        ingest.accept(A, heartbeat(1, 0.99, running(MINE, waiting)), T0);

        JsonNode wait = parsed(new ContainerAnswers(sources(), Viewer.OF_ALL).explain(MINE))
                .path("wait");

        assertThat(wait.path("nodeCpu").asDouble()).isEqualTo(0.99, within(1e-6));
        assertThat(wait.path("throttled").asBoolean()).isFalse();
    }

    @Test
    void aPairSaysHowTheOneThatCameLaterGotThere() throws JsonProcessingException {
        ingest.accept(A, heartbeat(1, running(MINE, Vectors.cpu(0.25)), running(OTHERS, Vectors.cpu(0.5))), T0);
        attribution.look(ingest.newest(A).orElseThrow(), T0);
        attribution.look(ingest.newest(A).orElseThrow(), T0.plusSeconds(10));
        JsonNode unknown = parsed(new PairAnswers(sources(), Viewer.OF_ALL).pairs(ALL, PairAnswers.Filter.NONE));
        placement.committed(MINE, A, placement.ranking().rank(MAP, T0, List::of), T0);
        Offered offered = new Offered(
                A,
                Mode.ON,
                List.of(
                        new Offered.Contending(1.5, 60, new Offer.Bid(-0.25, Double.POSITIVE_INFINITY, -0.5)),
                        new Offered.Contending(1.25, 30, new Offer.Bid(0.5, 0.75, 0.25))),
                new Offer.Decision(OptionalInt.of(1), Offer.Reason.BETTER));
        placement.committed(
                OTHERS, A, placement.ranking().rank(MAP, T0, List::of).with(Optional.of(offered)), T0.plusSeconds(1));

        JsonNode answer = parsed(new PairAnswers(sources(), STRANGER).pairs(ALL, PairAnswers.Filter.NONE));

        assertThat(unknown.path("pairs")).isNotEmpty().noneMatch(pair -> pair.has("met"));
        assertThat(answer.path("pairs")).hasSize(2).allSatisfy(pair -> {
            JsonNode met = pair.path("met");
            assertThat(met.path("at").asText()).isEqualTo(T0.plusSeconds(1).toString());
            assertThat(met.path("offer").path("winner").asInt()).isEqualTo(1);
            assertThat(met.path("offer").path("contenders")).hasSize(2);
        });
        assertThat(answer.path("pairs"))
                .extracting(pair -> pair.path("met").path("by").asText())
                .containsExactlyInAnyOrder("culprit", "victim");
        assertThat(answer.toString()).doesNotContain(MINE, OTHERS, "terasort");
    }

    /** Of a queue that is off no decision is kept: such a container came before the other one, or after it. */
    @Test
    void aPairWithOneWhoseQueueIsOffDoesNotSayWhoCameLater() throws JsonProcessingException {
        placement.refresh(
                PlaceSettings.from(Map.of("yarn.interference.place.queue-modes", "root.off=off")::getOrDefault));
        ingest.accept(A, heartbeat(1, running(MINE, Vectors.cpu(0.25)), running(OTHERS, Vectors.cpu(0.5))), T0);
        attribution.look(ingest.newest(A).orElseThrow(), T0);
        attribution.look(ingest.newest(A).orElseThrow(), T0.plusSeconds(10));
        Request off = new Request(MAP.attempt(), "priority 20", Tasks.SORT, false, "root.off", Wishes.NONE);
        placement.committed(OTHERS, A, placement.ranking().rank(MAP, T0, List::of), T0);
        placement.committed(MINE, A, placement.ranking().rank(off, T0, List::of), T0.plusSeconds(1));

        JsonNode answer = parsed(new PairAnswers(sources(), Viewer.OF_ALL).pairs(ALL, PairAnswers.Filter.NONE));

        assertThat(placement.decisions().of(OTHERS)).isPresent();
        assertThat(answer.path("pairs")).hasSize(2).noneMatch(pair -> pair.has("met"));
    }

    @Test
    void pagesOfPairsAreTheWholeListInItsOrder() throws JsonProcessingException {
        List<ContainerReport> containers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            containers.add(
                    running("container_1700000000000_0001_01_%06d".formatted(i), Vectors.cpu(0.1 + 0.05 * (i % 4))));
        }
        ingest.accept(A, heartbeat(1, containers.toArray(ContainerReport[]::new)), T0);
        attribution.look(ingest.newest(A).orElseThrow(), T0);
        attribution.look(ingest.newest(A).orElseThrow(), T0.plusSeconds(10));
        PairAnswers answers = new PairAnswers(sources(), Viewer.OF_ALL);

        JsonNode whole = parsed(answers.pairs(ALL, PairAnswers.Filter.NONE)).path("pairs");
        List<JsonNode> paged = new ArrayList<>();
        for (int offset = 0; offset < 31; offset += 4) {
            parsed(answers.pairs(new Page(offset, 4), PairAnswers.Filter.NONE))
                    .path("pairs")
                    .forEach(paged::add);
        }

        assertThat(whole).hasSize(30);
        assertThat(paged).containsExactlyElementsOf(whole);
        assertThat(paged)
                .extracting(pair -> pair.path("seconds").asDouble())
                .isSortedAccordingTo(Comparator.reverseOrder());
    }

    /** The engineer asks in the evening. */
    @Test
    void whoWasHurtIsExplainedLongAfterItIsGone() throws JsonProcessingException {
        ingest.accept(A, heartbeat(1, running(MINE, Vectors.cpu(0.25)), running(OTHERS, Vectors.cpu(0.5))), T0);
        attribution.look(ingest.newest(A).orElseThrow(), T0);
        attribution.look(ingest.newest(A).orElseThrow(), T0.plusSeconds(10));
        ingest.accept(A, heartbeat(2), T0.plusSeconds(11));

        JsonNode answer = parsed(new ContainerAnswers(sources(), Viewer.OF_ALL).explain(MINE));

        assertThat(answer.path("container").path("state").asText()).isEqualTo("COMPLETED");
        assertThat(answer.path("container").path("node").asText()).isEqualTo(A);
        JsonNode pair = onlyOne(answer.path("pairs"));
        assertThat(pair.path("seconds").asDouble()).isPositive();
        assertThat(pair.path("state").asText()).isEqualTo("COMPLETED");
    }

    /** Its reports have stopped: what they said last is told with its age, and nothing is advised by it. */
    @Test
    void containerOfANodeThatNoLongerReportsIsToldWithTheAgeOfThat() throws JsonProcessingException {
        InterferenceVector waiting = new InterferenceVector(Map.of(Signal.CPU, 0.1, Signal.CPUWAIT, 0.4));
        ingest.accept(A, heartbeat(1, running(MINE, waiting)), T0);

        JsonNode answer =
                parsed(new ContainerAnswers(sourcesAfter(Duration.ofMinutes(5)), Viewer.OF_ALL).explain(MINE));

        assertThat(answer.at("/container/ageMs").asLong()).isEqualTo(300_000);
        assertThat(answer.has("wait")).isFalse();
        assertThat(answer.path("advice").toString()).doesNotContain("its own CPU limit");
    }

    @Test
    void containerThatWaitsBesideIdleCpusIsThrottledByItself() throws JsonProcessingException {
        InterferenceVector waiting = new InterferenceVector(Map.of(Signal.CPU, 0.1, Signal.CPUWAIT, 0.4));
        ingest.accept(A, heartbeat(1, running(MINE, waiting), running(OTHERS, Vectors.cpu(0.25))), T0);
        ingest.accept(B, heartbeat(1, running(THIRD, waiting), running("c4", Vectors.cpu(0.85))), T0);
        ContainerAnswers answers = new ContainerAnswers(sources(), Viewer.OF_ALL);

        JsonNode idle = parsed(answers.explain(MINE));
        JsonNode busy = parsed(answers.explain(THIRD));

        assertThat(idle.path("wait").path("throttled").asBoolean()).isTrue();
        assertThat(idle.path("advice").toString()).contains("its own CPU limit");
        assertThat(busy.path("wait").path("throttled").asBoolean()).isFalse();
        assertThat(busy.path("advice").toString()).doesNotContain("limit slows");
    }

    @Test
    void explanationOfWhatNobodyKnowsIsNotFound() {
        ContainerAnswers answers = new ContainerAnswers(sources(), Viewer.OF_ALL);

        assertThatThrownBy(() -> answers.explain(MINE))
                .isInstanceOfSatisfying(RequestException.class, refused -> assertThat(refused.status())
                        .isEqualTo(Response.Status.NOT_FOUND.getStatusCode()));
    }

    @Test
    void decisionSaysWhatTheParentWouldHaveChosenAndWhatThatCostsInSeconds() throws JsonProcessingException {
        profiles.record(Tasks.sample(Vectors.cpu(0.5), Duration.ofSeconds(10)));
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        ingest.accept(B, heartbeat(1), T0);
        placement.committed(MINE, B, placement.ranking().rank(MAP, T0, () -> List.of(candidate(A), candidate(B))), T0);

        JsonNode decision = parsed(new ContainerAnswers(sources(), Viewer.OF_ALL).explain(MINE))
                .path("decision");

        assertThat(decision.path("parentsChoice").asText()).isEqualTo(A);
        assertThat(decision.path("chosen").asText()).isEqualTo(B);
        assertThat(decision.path("signals").toString()).isEqualTo("[\"cpu\"]");
        JsonNode parents = decision.path("nodes").path(1);
        assertThat(parents.path("node").asText()).isEqualTo(A);
        assertThat(parents.path("seconds").path("total").asDouble())
                .as("two fifths of a run of ten seconds")
                .isEqualTo(4);
        assertThat(parents.path("seconds").path("own").asDouble()).isEqualTo(2);
    }

    @Test
    void signalsAreToldOnceEachWithTheRatesLast() throws JsonProcessingException {
        JsonNode signals = parsed(SignalAnswers.signals()).path("signals");

        assertThat(signals.findValuesAsText("name"))
                .containsExactlyInAnyOrder(
                        Stream.of(Signal.values()).map(Signal::wireName).toArray(String[]::new))
                .startsWith("cpu", "cpuwait", "blk", "blkwait", "mem")
                .endsWith("futex", "readb", "writeb", "switches", "preempted", "instr", "progress");
        assertThat(signals).allSatisfy(signal -> {
            assertThat(signal.path("meaning").asText()).isNotBlank();
            assertThat(signal.path("unit").asText()).isNotBlank();
            assertThat(signal.path("rate").asBoolean())
                    .isEqualTo(signal.path("unit").asText().endsWith("a second"));
            assertThat(signal.path("predictor").asBoolean())
                    .isEqualTo(Signal.ofWireName(signal.path("name").asText())
                            .orElseThrow()
                            .isPredictor());
        });
    }

    @Test
    void heatmapGroupsNodesThatFollowEachOther() throws JsonProcessingException {
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        ingest.accept(B, heartbeat(1, running("c2", Vectors.cpu(0.25))), T0);
        NodeAnswers answers = new NodeAnswers(sources());

        JsonNode one = onlyOne(parsed(answers.heatmap(1, "")).path("rows"));
        JsonNode two = parsed(answers.heatmap(2, "")).path("rows");

        assertThat(one.path("first").asText()).isEqualTo(A);
        assertThat(one.path("last").asText()).isEqualTo(B);
        assertThat(one.path("nodes").asInt()).isEqualTo(2);
        assertThat(one.path("mean").path("cpu").asDouble()).isEqualTo(0.375);
        assertThat(one.path("max").path("cpu").asDouble()).isEqualTo(0.5);
        assertThat(two).hasSize(2);
    }

    private ObjectNode nodesAfter(Duration sinceStart) {
        return new NodeAnswers(sourcesAfter(sinceStart)).nodes(ALL, Optional.empty(), "");
    }

    private ObjectNode containers(Viewer viewer) {
        return new ContainerAnswers(sources(), viewer).containers(ALL, ContainerAnswers.Filter.NONE);
    }

    private ObjectNode decisions(Page page, Viewer viewer) {
        return new DecisionAnswers(sources(), viewer).decisions(page, Optional.empty(), Optional.empty());
    }

    private ObjectNode shadowReport(Viewer viewer) {
        return new DecisionAnswers(sources(), viewer).shadowReport(Optional.empty(), Optional.empty());
    }

    private Sources sources() {
        return sourcesAfter(Duration.ZERO);
    }

    /** The ResourceManager knows the task of every container but the stranger's. */
    private Sources sourcesAfter(Duration sinceStart) {
        return new Sources(
                ingest,
                new Sources.Cluster(
                        () -> new TreeSet<>(Set.of(A, B)),
                        List::of,
                        container -> container.equals("stranger") ? Optional.empty() : Optional.of(SORTING),
                        new FakeScheduling()),
                new Sources.Learnt(
                        profiles,
                        finished,
                        attribution,
                        new Traffic(id -> Optional.empty()),
                        module::report,
                        () -> characterisation,
                        () -> store),
                placement,
                control,
                () -> capacity,
                () -> relocation,
                InstantSource.fixed(T0.plus(sinceStart)));
    }

    @Test
    void sizesOfNodesAreToldWithTheirReasonsAndTotals() throws JsonProcessingException {
        SizeDecision grows = new SizeDecision(
                A,
                SizeDecision.Action.GROW,
                SizeDecision.Reason.GAIN,
                new Size(5120, 5),
                new SizeDecision.Figures(OptionalDouble.of(0.5), OptionalDouble.of(Double.POSITIVE_INFINITY), 100, 900),
                List.of());
        Size small = new Size(4096, 4);
        capacity = new CapacityReport(
                Mode.SHADOW,
                Mode.SHADOW,
                Map.of("gpu", Mode.OFF),
                List.of(
                        new CapacityReport.Node(
                                A,
                                small,
                                small,
                                small,
                                Optional.of(grows),
                                Optional.of(CapacityReport.StandsBack.SHADOW)),
                        new CapacityReport.Node(
                                B,
                                small,
                                small,
                                Size.ZERO,
                                Optional.empty(),
                                Optional.of(CapacityReport.StandsBack.NOT_RUNNING))),
                1,
                2,
                3,
                0,
                12.5,
                Map.of(SizeDecision.Reason.GAIN, 3L));

        JsonNode answer = parsed(new CapacityAnswers(sources()).capacity(ALL, ""));

        assertThat(answer.path("mode").asText()).isEqualTo("shadow");
        assertThat(answer.at("/labelModes/gpu").asText()).isEqualTo("off");
        assertThat(answer.at("/all/configured/memoryMb").asLong()).isEqualTo(8192);
        assertThat(answer.at("/all/wanted/memoryMb").asLong()).isEqualTo(9216);
        assertThat(answer.at("/all/grown").asLong()).isZero();
        assertThat(answer.path("notApplied").asLong()).isEqualTo(1);
        assertThat(answer.path("evictions").asLong()).isEqualTo(2);
        assertThat(answer.path("killed").asLong()).isEqualTo(3);
        assertThat(answer.at("/nodes/0/reason").asText()).isEqualTo("GAIN");
        assertThat(answer.at("/nodes/0/gainAtLeast").asDouble()).isEqualTo(0.5);
        assertThat(answer.path("nodes").path(0).has("gainAtMost")).isFalse();
        assertThat(answer.path("nodes").path(1).has("wanted")).isFalse();
        assertThat(answer.at("/reasons/GAIN").asLong()).isEqualTo(3);
        assertThat(parsed(new CapacityAnswers(sources()).capacity(ALL, "no such"))
                        .path("total")
                        .asInt())
                .isZero();
    }

    /** As a client sees it: through text. */
    private static JsonNode parsed(ObjectNode answer) throws JsonProcessingException {
        return new ObjectMapper().readTree(answer.toString());
    }

    private static JsonNode onlyOne(JsonNode array) {
        List<JsonNode> elements = new ArrayList<>();
        array.forEach(elements::add);
        assertThat(elements).hasSize(1);
        return elements.get(0);
    }
}
