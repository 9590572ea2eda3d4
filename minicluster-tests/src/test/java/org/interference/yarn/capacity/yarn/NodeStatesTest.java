package org.interference.yarn.capacity.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.interference.yarn.capacity.NodeState;
import org.interference.yarn.capacity.RunningContainer;
import org.interference.yarn.capacity.Size;
import org.interference.yarn.capacity.WaitingKind;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.it.CertainPredictor;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Request;
import org.interference.yarn.place.yarn.WantedKind;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.HeartbeatCodec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the governor is told is what YARN and the node's report say, and nothing else. */
class NodeStatesTest {
    private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
    private static final NodeId NODE = NodeId.newInstance("a", 1);
    private static final Size CONFIGURED = new Size(8192, 8);
    private static final double NODE_MB = 16_384;
    private static final TaskIdentity SORT =
            TaskIdentity.of("MAPREDUCE", "TeraSort", "map", "default", Optional.empty());
    private static final Request REQUEST = new Request("appattempt_1_0001_000001", "1", SORT, false);

    private final ProfileRepository profiles = new ProfileRepository(1);
    private final Ingest ingest =
            new Ingest(IngestSettings.from((name, fallback) -> fallback), Duration.ofSeconds(1), sample -> {});
    private final Placement placement = new Placement(
            ingest,
            profiles,
            new CertainPredictor(),
            PlaceSettings.from((name, fallback) -> name.equals("yarn.interference.place.mode") ? "on" : fallback));
    private final List<RMContainer> containers = new ArrayList<>();
    private final SchedulerNode node = mock(SchedulerNode.class);
    /** The tenth and later are of an application that is gone. */
    private final GrownNodes between = new GrownNodes(container ->
            Optional.of(REQUEST).filter(request -> container.getContainerId().getContainerId() < 10));

    /** Ours is ahead of YARN's clock by so much. */
    private Duration yarnIsBehind = Duration.ZERO;

    private final NodeStates states = new NodeStates(
            ingest,
            placement,
            profiles,
            container -> Optional.of(REQUEST),
            created -> Instant.ofEpochMilli(created).plus(yarnIsBehind),
            between);

    @BeforeEach
    void node() {
        when(node.getNodeID()).thenReturn(NODE);
        when(node.getPartition()).thenReturn("");
        when(node.getCopiedListOfRunningContainers()).thenReturn(containers);
        when(node.getNumContainers()).thenAnswer(asked -> containers.size());
        profiles.merge(List.of(new TaskProfile(
                SORT.keys().get(0),
                10,
                Map.of(Signal.CPU, Averages.constant(10, 0.1), Signal.MEM, Averages.constant(10, 0.25)),
                Averages.constant(10, 60),
                T0)));
    }

    @Test
    void memoryIsThatOfTheMachineAndNotOfWhatIsConfigured() {
        String id = runs(1, T0, 4096);
        report(
                Map.of(
                        NodeMetric.MEMORYBYTES,
                        NODE_MB * (1 << 20),
                        NodeMetric.MEMORY,
                        0.75,
                        NodeMetric.PSICPU,
                        0.5,
                        NodeMetric.PSIIOF,
                        0.25,
                        NodeMetric.SPACE,
                        0.125),
                id);

        NodeState state = state(KnownSize.of(CONFIGURED), List.of(), T0.plusSeconds(3));

        RunningContainer container = state.running().get(0);
        assertThat(container.usedMb().orElseThrow()).isCloseTo(0.5 * NODE_MB, within(1.0));
        assertThat(container.memory().orElseThrow().meanMb()).isCloseTo(0.25 * NODE_MB, within(1.0));
        assertThat(state.pressure().availableMb().orElseThrow()).isCloseTo(0.25 * NODE_MB, within(1.0));
        assertThat(state.pressure().cpu()).hasValue(0.5);
        assertThat(state.pressure().io()).hasValue(0.25);
        assertThat(state.pressure().diskUsed()).hasValue(0.125);
        assertThat(state.pressure().memory()).isEmpty();
        assertThat(state.reportAge()).contains(Duration.ofSeconds(3));
        assertThat(state.used()).isEqualTo(new Size(4096, 1));
    }

    @Test
    void nodeThatDoesNotTellItsMemoryTellsNoneOfAnybody() {
        String id = runs(1, T0, 4096);
        report(Map.of(NodeMetric.MEMORY, 0.75), id);

        NodeState state = state(KnownSize.of(CONFIGURED), List.of(waiting("")), T0);

        assertThat(state.running().get(0).usedMb()).isEmpty();
        assertThat(state.running().get(0).memory()).isEmpty();
        assertThat(state.waiting().get(0).memory()).isEmpty();
        assertThat(state.pressure().availableMb()).isEmpty();
    }

    /** That tasks of its queue use little on the mean says nothing of its own. */
    @Test
    void kindThatWasNeverSeenIsExpectedToUseWhatItRequests() {
        report(Map.of(NodeMetric.MEMORYBYTES, NODE_MB * (1 << 20)));
        TaskIdentity unseen = TaskIdentity.of("SPARK", "Join", "executor-1", "default", Optional.empty());
        TaskKey queue = unseen.keys().stream()
                .filter(key -> key.level() == TaskKey.Level.QUEUE)
                .findAny()
                .orElseThrow();
        profiles.merge(List.of(new TaskProfile(
                queue, 1000, Map.of(Signal.MEM, Averages.constant(1000, 0.01)), Averages.constant(1000, 60), T0)));
        assertThat(profiles.find(unseen)).isPresent();
        Request request = new Request("appattempt_1_0002_000001", "2", unseen, false);
        runs(1, T0, 4096);
        NodeStates ofOthers = new NodeStates(
                ingest, placement, profiles, container -> Optional.of(request), Instant::ofEpochMilli, between);

        NodeState state = ofOthers.of(
                node,
                KnownSize.of(CONFIGURED),
                CONFIGURED,
                true,
                List.of(new WantedKind(request, Resource.newInstance(2048, 2), "", Optional.empty())),
                T0);

        assertThat(state.running().get(0).memory()).isEmpty();
        assertThat(state.waiting().get(0).memory()).isEmpty();
        between.limit(NODE, 8192);
        assertThat(between.hasRoom(node, Optional.of(request), new Size(4096, 1), true))
                .isTrue();
        assertThat(between.hasRoom(node, Optional.of(request), new Size(4097, 1), true))
                .isFalse();
    }

    @Test
    void nodeWithoutAReportHasNoAgeAndNobodyGains() {
        NodeState state = state(KnownSize.of(CONFIGURED), List.of(waiting("")), T0);

        assertThat(state.reportAge()).isEmpty();
        assertThat(state.waiting().get(0).gain().isKnown()).isFalse();
    }

    @Test
    void whoWaitsForAnotherPartitionDoesNotWaitHere() {
        report(Map.of(NodeMetric.MEMORYBYTES, NODE_MB * (1 << 20)));

        List<WaitingKind> here = state(KnownSize.of(CONFIGURED), List.of(waiting("gpu"), waiting("")), T0)
                .waiting();

        assertThat(here).hasSize(1);
        assertThat(here.get(0).gain().gain()).isEqualTo(1);
        assertThat(here.get(0).request()).isEqualTo(new Size(2048, 2));
    }

    @Test
    void whoIsLargerThanTheNodeIsConfiguredDoesNotWaitHere() {
        report(Map.of(NodeMetric.MEMORYBYTES, NODE_MB * (1 << 20)));
        KnownSize small = KnownSize.of(new Size(2047, 8)).asks(new Size(4094, 16), T0);
        KnownSize ofFewCores = KnownSize.of(new Size(2048, 1)).asks(new Size(4096, 2), T0);

        assertThat(state(small, List.of(waiting("")), T0).waiting()).isEmpty();
        assertThat(state(ofFewCores, List.of(waiting("")), T0).waiting()).isEmpty();
        assertThat(states.of(node, ofFewCores, ofFewCores.configured(), false, List.of(waiting("")), T0)
                        .waiting())
                .as("where nobody counts cores")
                .hasSize(1);
    }

    @Test
    void onlyWhoCameAfterGrowthAndDoesNotFitIsThereByIt() {
        KnownSize grown = KnownSize.of(CONFIGURED).asks(new Size(12_288, 12), T0.plusSeconds(10));
        runs(1, T0, 4096);
        runs(2, T0.plusSeconds(5), 4096);
        runs(3, T0.plusSeconds(20), 4096);

        assertThat(state(grown, List.of(), T0).running())
                .extracting(RunningContainer::admittedByGrowth)
                .containsExactly(false, false, true);

        containers.remove(0);
        assertThat(state(grown, List.of(), T0).running())
                .as("what ended leaves room that is configured, for whoever comes")
                .extracting(RunningContainer::admittedByGrowth)
                .containsExactly(false, true);
        assertThat(between.byGrowth(NODE)).isEqualTo(new Size(4096, 1));

        runs(4, T0.plusSeconds(30), 4096);
        assertThat(state(grown, List.of(), T0).running())
                .extracting(RunningContainer::admittedByGrowth)
                .containsExactly(false, true, false);

        containers.remove(2);
        KnownSize back = new KnownSize(CONFIGURED, List.of(), grown.grownSince());
        assertThat(state(back, List.of(), T0).running())
                .as("the node is as it is configured, and holds them")
                .noneMatch(RunningContainer::admittedByGrowth);
        assertThat(between.byGrowth(NODE)).isEqualTo(Size.ZERO);
    }

    @Test
    void clockOfYarnThatIsSetMakesNobodyOlder() {
        KnownSize grown = KnownSize.of(CONFIGURED).asks(new Size(12_288, 12), T0.plusSeconds(10));
        Duration hour = Duration.ofHours(1);
        yarnIsBehind = hour;
        runs(1, T0.minus(hour), 8192);
        runs(2, T0.minus(hour).plusSeconds(20), 4096);

        assertThat(state(grown, List.of(), T0.plusSeconds(21)).running())
                .extracting(RunningContainer::admittedByGrowth)
                .containsExactly(false, true);

        // As on a machine that was suspended: both seem to be older.
        yarnIsBehind = Duration.ZERO;
        between.forget(NODE);
        states.again();
        assertThat(state(grown, List.of(), T0.plusSeconds(23)).running())
                .extracting(RunningContainer::admittedByGrowth)
                .containsExactly(false, true);
        assertThat(state(grown, List.of(), T0.plusSeconds(23)).running())
                .extracting(RunningContainer::started)
                .containsExactly(T0, T0.plusSeconds(20));
    }

    /** When the node grew an earlier ResourceManager knew, and nobody kept. */
    @Test
    void whoDoesNotFitANodeThatWasGrownBeforeAFailOverIsThereByGrowthButNoMaster() {
        KnownSize kept = KnownSize.of(
                        new Size(12_288, 12),
                        Optional.of(new KeptSize(CONFIGURED, OptionalLong.empty())),
                        OptionalLong.empty(),
                        4)
                .orElseThrow();
        runs(1, T0, 4096);
        runs(2, T0.plusSeconds(5), 4096);
        runs(3, T0.plusSeconds(20), 4096);

        assertThat(state(kept, List.of(), T0).running())
                .extracting(RunningContainer::admittedByGrowth)
                .containsExactly(false, false, true);
        assertThat(between.byGrowth(NODE)).isEqualTo(new Size(4096, 1));

        containers.remove(0);
        runs(4, T0.plusSeconds(30), 4096);
        when(containers.get(2).isAMContainer()).thenReturn(true);
        between.forget(NODE);
        assertThat(state(kept, List.of(), T0).running())
                .as("what is configured is the master's, who came last, and his who came first")
                .filteredOn(RunningContainer::admittedByGrowth)
                .extracting(RunningContainer::container)
                .containsExactly(containers.get(1).getContainerId().toString());
    }

    @Test
    void whoComesBetweenTwoDecisionsIsAskedForTheMemoryOfHisKind() {
        report(Map.of(NodeMetric.MEMORYBYTES, NODE_MB * (1 << 20)));
        KnownSize size = KnownSize.of(CONFIGURED).asks(new Size(16_384, 16), T0);
        runs(1, T0.minusSeconds(5), 4096);
        state(size, List.of(), T0);
        Size request = new Size(6144, 1);
        Optional<Request> unknown = Optional.empty();

        assertThat(between.hasRoom(node, Optional.of(REQUEST), request, true))
                .as("nothing has been decided yet")
                .isFalse();

        // Of the kind that is known each uses 4096, of one that is not all that it requests.
        between.limit(NODE, 9000);
        assertThat(between.hasRoom(node, Optional.of(REQUEST), request, true)).isTrue();
        assertThat(between.hasRoom(node, unknown, request, true)).isFalse();
        assertThat(between.owes(NODE)).isFalse();

        runs(2, T0.plusSeconds(1), 6144);
        assertThat(between.hasRoom(node, Optional.of(REQUEST), request, true))
                .as("somebody has come since")
                .isFalse();
        assertThat(between.hasRoom(node, Optional.of(REQUEST), request, false)).isFalse();
        assertThat(between.owes(NODE)).isTrue();
        assertThat(between.owes(NODE)).as("since it was asked").isFalse();

        containers.remove(0);
        assertThat(between.hasRoom(node, Optional.of(REQUEST), request, true))
                .as("somebody has left since")
                .isTrue();
    }

    @Test
    void whoCameWithoutBeingAskedIsNotTakenForWhoLeft() {
        report(Map.of(NodeMetric.MEMORYBYTES, NODE_MB * (1 << 20)));
        Size request = new Size(6144, 1);
        runs(1, T0.minusSeconds(5), 4096);
        state(KnownSize.of(CONFIGURED), List.of(), T0);
        between.limit(NODE, 9000);
        assertThat(between.hasRoom(node, Optional.of(REQUEST), request, true)).isTrue();

        between.comes(NODE);
        containers.remove(0);
        runs(10, T0.plusSeconds(1), 8000);

        assertThat(between.hasRoom(node, Optional.of(REQUEST), request, true)).isFalse();
    }

    @Test
    void nobodyIsThereByGrowthOfANodeThatAnAdministratorMadeSmaller() {
        runs(1, T0, 4096);
        runs(2, T0.plusSeconds(5), 4096);

        assertThat(state(KnownSize.of(new Size(4096, 4)), List.of(), T0).running())
                .noneMatch(RunningContainer::admittedByGrowth);
    }

    @Test
    void coresThatTheSchedulerDoesNotCountAreNone() {
        runs(1, T0, 4096);

        NodeState state = states.of(node, KnownSize.of(CONFIGURED), CONFIGURED, false, List.of(waiting("")), T0);

        assertThat(state.used()).isEqualTo(new Size(4096, 0));
        assertThat(state.waiting().get(0).request()).isEqualTo(new Size(2048, 0));
    }

    private NodeState state(KnownSize size, List<WantedKind> waiting, Instant now) {
        return states.of(node, size, size.configured(), true, waiting, now);
    }

    private WantedKind waiting(String partition) {
        return new WantedKind(
                REQUEST,
                Resource.newInstance(2048, 2),
                partition,
                placement.freeNodes().contender(REQUEST, T0));
    }

    private String runs(int number, Instant since, int megabytes) {
        ContainerId id = ContainerId.newContainerId(
                ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), number);
        RMContainer container = mock(RMContainer.class);
        when(container.getContainerId()).thenReturn(id);
        when(container.getAllocatedResource()).thenReturn(Resource.newInstance(megabytes, 1));
        when(container.getCreationTime()).thenReturn(since.toEpochMilli());
        containers.add(container);
        return id.toString();
    }

    /** The node says so of itself, and that each of {@code ids} uses half of its memory. */
    private void report(Map<NodeMetric, Double> figures, String... ids) {
        List<ContainerReport> reports = new ArrayList<>();
        for (String id : ids) {
            reports.add(new ContainerReport(
                    id,
                    Duration.ofSeconds(1),
                    false,
                    Map.of(
                            Signal.CPU, new Reading.Measured(0.1, 0.1, 0.1, false, "injected"),
                            Signal.MEM, new Reading.Measured(0.5, 0.5, 0.5, false, "injected"))));
        }
        ingest.accept(
                NODE.toString(),
                HeartbeatCodec.encode(new NodeReport(1, 1, T0, reports, new NodeFigures(figures))),
                T0);
    }
}
