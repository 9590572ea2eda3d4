package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.heartbeat;
import static org.interference.yarn.fixture.Reports.running;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

/** A cost is worked out once for a kind and a node, and again when either becomes another. */
class NodeLoadsTest {
    private static final String A = "node-a:8041";

    private final Ingest ingest =
            new Ingest(new IngestSettings(5, 4096, Duration.ofMinutes(10)), Duration.ofSeconds(1), sample -> {});
    private final Ledger ledger = new Ledger();
    private final NodeLoads loads = new NodeLoads(ingest, ledger, Occupants.UNKNOWN);
    private final CountingPredictor predictor = new CountingPredictor();
    private final TaskKind kind = kind(0);

    private TaskKind kind(int slot) {
        return new TaskKind(slot, Tasks.profile(Vectors.cpu(0.5), Duration.ofSeconds(10)), predictor);
    }

    private double cost() {
        return 1 - loads.of(A, T0.plusSeconds(2)).orElseThrow().cost(kind).gain();
    }

    @Test
    void secondQuestionIsAnsweredFromMemory() {
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        double first = cost();
        int asked = predictor.asked.get();

        assertThat(cost()).isEqualTo(first).isPositive();
        assertThat(predictor.asked).hasValue(asked);
    }

    /** A decision there would take longer than it may, each time. */
    @Test
    void nodeOfMoreContainersThanADecisionBearsHasNoLoad() {
        Ingest large =
                new Ingest(new IngestSettings(5, 1 << 20, Duration.ofMinutes(10)), Duration.ofSeconds(1), sample -> {});
        NodeLoads those = new NodeLoads(large, ledger, Occupants.UNKNOWN);
        for (int containers = NodeLoads.MOST_CONTAINERS; containers <= NodeLoads.MOST_CONTAINERS + 1; containers++) {
            ContainerReport[] reports = IntStream.range(0, containers)
                    .mapToObj(i -> running("c" + i, Vectors.cpu(0.01)))
                    .toArray(ContainerReport[]::new);
            large.accept(A, heartbeat(containers, reports), T0);

            assertThat(those.of(A, T0).isPresent()).isEqualTo(containers <= NodeLoads.MOST_CONTAINERS);
        }
    }

    @Test
    void nodeThatBarelyMovedKeepsItsCosts() {
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        double first = cost();
        int asked = predictor.asked.get();

        ingest.accept(A, heartbeat(2, running("c1", Vectors.cpu(0.515))), T0.plusSeconds(1));

        assertThat(cost()).isEqualTo(first);
        assertThat(predictor.asked).hasValue(asked);
    }

    @Test
    void manySmallStepsAddUpToAMove() {
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        double first = cost();

        for (int i = 1; i <= 10; i++) {
            ingest.accept(A, heartbeat(1 + i, running("c1", Vectors.cpu(0.5 + 0.015 * i))), T0.plusSeconds(1));
            cost();
        }

        assertThat(cost()).isGreaterThan(first + 0.05);
    }

    @Test
    void otherLoadIsAnotherCost() {
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        double first = cost();

        ingest.accept(A, heartbeat(2, running("c1", Vectors.cpu(0.7))), T0.plusSeconds(1));

        assertThat(cost()).isGreaterThan(first);
    }

    @Test
    void whatIsOfNoContainerIsInTheCost() {
        for (int sequence = 1; sequence <= 10; sequence++) {
            ingest.accept(A, heartbeat(sequence, 0.5, running("c1", Vectors.cpu(0.5))), T0);
        }
        double beside = cost();

        for (int sequence = 11; sequence <= 20; sequence++) {
            ingest.accept(A, heartbeat(sequence, 0.9, running("c1", Vectors.cpu(0.5))), T0);
        }

        assertThat(cost()).isGreaterThan(beside + 0.05);
        assertThat(loads.of(A, T0).orElseThrow().containers())
                .as("whose loss counts")
                .hasSize(1);
    }

    @Test
    void expectationIsInTheCostUntilItIsGivenUp() {
        ingest.accept(A, heartbeat(1), T0.plusSeconds(2));
        double alone = cost();

        ledger.placed(A, "c2", Optional.of(kind), () -> Occupant.ANONYMOUS, T0);

        assertThat(cost()).isGreaterThan(alone);
        ingest.accept(A, heartbeat(2), T0.plus(Ledger.EXPIRY));
        assertThat(loads.of(A, T0.plus(Ledger.EXPIRY)).orElseThrow().containers())
                .hasSize(1);
        assertThat(loads.of(A, T0.plus(Ledger.EXPIRY).plusNanos(1))
                        .orElseThrow()
                        .containers())
                .isEmpty();
    }

    @Test
    void whatYarnCallsAContainerDoesNotChangeACost() {
        ingest.accept(A, heartbeat(1), T0.plusSeconds(2));
        ledger.placed(A, "proposal-1", Optional.of(kind), () -> Occupant.ANONYMOUS, T0);
        double first = cost();
        int asked = predictor.asked.get();

        ledger.named(A, "proposal-1", "c1");

        assertThat(cost()).isEqualTo(first).isPositive();
        assertThat(predictor.asked).hasValue(asked);
    }

    /** A placement makes an occupant whenever it is asked who that is. */
    @Test
    void reportThatDoesNotShowAPlacementYetChangesNoCost() {
        NodeLoads those = new NodeLoads(ingest, ledger, new WhoMatter());
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        ledger.placed(
                A, "c2", Optional.of(kind), () -> new Occupant("attempt_1", "root.q", Wishes.NONE, () -> null), T0);
        double first = those.of(A, T0).orElseThrow().cost(kind).gain();
        int asked = predictor.asked.get();

        ingest.accept(A, heartbeat(2, running("c1", Vectors.cpu(0.5))), T0.plusSeconds(1));

        assertThat(those.of(A, T0.plusSeconds(1)).orElseThrow().cost(kind).gain())
                .isEqualTo(first);
        assertThat(predictor.asked).hasValue(asked);
    }

    /** Of two bystanders nothing is asked again, but how they do beside the other newcomer. */
    @Test
    void bystandersAreAskedOnceHowTheyDoWithoutANewcomer() {
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5)), running("c2", Vectors.cpu(0.25))), T0);
        NodeLoad load = loads.of(A, T0).orElseThrow();
        SlowdownPredictor neighbours = predictor.of("");
        load.cost(new TaskKind(0, Tasks.profile(Vectors.cpu(0.5), Duration.ofSeconds(10)), predictor, neighbours));
        int asked = predictor.asked.get();

        load.cost(new TaskKind(1, Tasks.profile(Vectors.cpu(0.1), Duration.ofSeconds(10)), predictor, neighbours));

        assertThat(predictor.asked.get() - asked).isEqualTo(1 + 2);
    }

    @Test
    void everyKindHasItsOwnCostAlsoInOneSlot() {
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        NodeLoad load = loads.of(A, T0).orElseThrow();
        TaskKind lighter =
                new TaskKind(kind.slot(), Tasks.profile(Vectors.cpu(0.1), Duration.ofSeconds(10)), predictor);

        double heavy = load.cost(kind).lost();

        assertThat(load.cost(lighter).lost()).isLessThan(heavy);
        assertThat(load.cost(kind).lost()).isEqualTo(heavy);
        assertThat(load.cost(kind(300)).lost()).isEqualTo(heavy);
    }

    @Test
    void twoThatShareACpuAskForTwo() {
        InterferenceVector squeezed = new InterferenceVector(Map.of(Signal.CPU, 0.25, Signal.CPUWAIT, 0.5));
        ingest.accept(A, heartbeat(1, running("c1", squeezed)), T0);

        assertThat(loads.of(A, T0).orElseThrow().containers().get(0).level(Signal.CPU))
                .hasValue(0.5);
    }

    /** Everybody counts once. */
    private static final class WhoMatter implements Occupants {
        private final Occupant anybody = new Occupant("attempt_2", "root.q", Wishes.NONE, () -> null);

        @Override
        public boolean matter() {
            return true;
        }

        @Override
        public Occupant of(String container) {
            return anybody;
        }

        @Override
        public double weight(String queue, Wishes wishes) {
            return 1;
        }
    }

    private static final class CountingPredictor implements SlowdownPredictor {
        private final SlowdownPredictor predictor = new FakePredictor();
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public String name() {
            return "counting";
        }

        @Override
        public Prediction predict(Situation situation) {
            asked.incrementAndGet();
            return predictor.predict(situation);
        }
    }
}
