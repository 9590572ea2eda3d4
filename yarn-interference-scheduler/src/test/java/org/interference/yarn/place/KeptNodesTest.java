package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.heartbeat;
import static org.interference.yarn.fixture.Reports.running;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.Coverage;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.place.Matching.Choice;
import org.interference.yarn.place.Matching.Reason;
import org.interference.yarn.profile.ProfileRepository;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What those hear who are offered a node that is kept for a run by itself. */
class KeptNodesTest {
    private static final String NODE = "node-a:8041";
    private static final Duration MAX_WAIT = Duration.ofMinutes(5);
    private static final Request MAP = new Request("attempt_1", "priority 20", Tasks.SORT, false);

    private final Ingest ingest =
            new Ingest(new IngestSettings(5, 4096, Duration.ofMinutes(10)), Duration.ofSeconds(1), sample -> {});
    private final ProfileRepository profiles = Tasks.repository(Vectors.cpu(0.5), Duration.ofSeconds(10));
    private final Placement placement = placement(Mode.ON, 0.05);

    @BeforeEach
    void somebodyRunsThere() {
        ingest.accept(NODE, heartbeat(1, running("c1", Vectors.cpu(0.75))), T0);
    }

    @Test
    void nodeIsKeptUntilItIsEmptyAndThenWhileTheTaskRuns() {
        assertThat(offered(placement, T0).reason()).isEqualTo(Reason.KEPT);
        assertThat(offered(placement, T0).declines()).isTrue();

        Instant empty = T0.plusSeconds(1);
        ingest.accept(NODE, heartbeat(2), empty);
        assertThat(offered(placement, empty).reason()).isEqualTo(Reason.TAKEN_ALONE);
        assertThat(offered(placement, empty).declines()).isFalse();

        placement.proposed("proposal-1", NODE, MAP, empty);
        placement.completed("c1", NODE, empty);
        assertThat(offered(placement, empty).reason()).isEqualTo(Reason.KEPT);
        placement.confirmed("proposal-1", "c2", NODE);

        placement.completed("c2", NODE, empty.plusSeconds(1));
        assertThat(offered(placement, empty.plusSeconds(1)).reason()).isEqualTo(Reason.TAKEN_BEST);
    }

    @Test
    void whoChoosesAmongAllThatWaitLeavesTheNodeUntilItIsEmpty() {
        Matching.Contender sort = placement.freeNodes().contender(MAP, T0).orElseThrow();

        Choice busy = placement.freeNodes().choose(List.of(sort), who -> Optional.of(MAP), NODE, true, T0);
        assertThat(busy.leaves()).isTrue();

        ingest.accept(NODE, heartbeat(2), T0.plusSeconds(1));
        Choice empty =
                placement.freeNodes().choose(List.of(sort), who -> Optional.of(MAP), NODE, true, T0.plusSeconds(1));
        assertThat(empty.leaves()).isFalse();
        assertThat(empty.taken()).hasValue(0);
    }

    /** As while somebody was killed there for whom it is. */
    @Test
    void nodeThatMayNotBeLeftIsNot() {
        Matching.Contender sort = placement.freeNodes().contender(MAP, T0).orElseThrow();

        Choice choice = placement.freeNodes().choose(List.of(sort), who -> Optional.of(MAP), NODE, false, T0);

        assertThat(choice.leaves()).isFalse();
    }

    /** Nobody waits for longer than for any other reason. */
    @Test
    void whoIsOverdueGetsTheNodeThoughItIsKept() {
        offered(placement, T0);
        Instant late = T0.plus(MAX_WAIT);
        ingest.accept(NODE, heartbeat(2, running("c1", Duration.ofMinutes(6), Vectors.cpu(0.75))), late);

        assertThat(offered(placement, late).declines()).isFalse();
    }

    @Test
    void nothingIsKeptWhereNothingMayBe() {
        assertThat(offered(placement(Mode.ON, 0), T0).reason()).isEqualTo(Reason.TAKEN_BEST);
        assertThat(offered(placement(Mode.SHADOW, 0.05), T0).reason()).isEqualTo(Reason.TAKEN_BEST);
    }

    private static Choice offered(Placement placement, Instant now) {
        return placement
                .freeNodes()
                .offered(MAP, NODE, now, new DecidedVisit(), List::of)
                .orElseThrow();
    }

    private Placement placement(Mode mode, double soloShare) {
        MatchSettings match = new MatchSettings(1, MAX_WAIT, 0, Duration.ZERO, soloShare);
        Placement made = new Placement(
                ingest,
                profiles,
                new FakePredictor(),
                new PlaceSettings(mode, Duration.ofSeconds(1), Duration.ofSeconds(2), 100, 1000, 3, match));
        made.freeNodes().covered(new Coverage(8, 0, 0, Duration.ZERO));
        return made;
    }
}
