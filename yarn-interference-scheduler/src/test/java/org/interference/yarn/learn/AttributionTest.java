package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.heartbeat;
import static org.interference.yarn.fixture.Reports.node;
import static org.interference.yarn.fixture.Reports.running;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.ingest.Whereabouts;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttributionTest {
    private static final String NODE = "node-a:8041";
    private static final InterferenceVector DISK = new InterferenceVector(Map.of(Signal.BLK, 0.6, Signal.CPU, 0.01));
    private static final InterferenceVector QUIET = new InterferenceVector(Map.of(Signal.BLK, 0.0, Signal.CPU, 0.01));

    private final Ingest ingest =
            new Ingest(new IngestSettings(5, 4096, Duration.ofMinutes(10)), Duration.ofSeconds(1), sample -> {});
    private final Attribution attribution =
            new Attribution(new PriorPredictor(), new ProfileRepository(1), container -> Optional.empty());
    private long sequence;

    @Test
    void culpritIsWhoPressesOnWhatTheVictimUses() {
        attribution.look(sample(running("v", DISK), running("c", DISK), running("q", QUIET)), T0);

        Attribution.Victim victim = attribution.victim("v").orElseThrow();
        assertThat(victim.culprits()).extracting(Attribution.Harm::culprit).containsExactly("c");
        assertThat(victim.culprits().get(0).signal()).contains(Signal.BLK);
    }

    @Test
    void whatIsOfNoContainerIsACulprit() {
        InterferenceVector half = new InterferenceVector(Map.of(Signal.CPU, 0.5));
        for (int i = 0; i < 5; i++) {
            ingest.accept(NODE, heartbeat(++sequence, 0.9, running("v", half)), T0.plusSeconds(sequence));
        }

        attribution.look(ingest.newest(NODE).orElseThrow(), T0.plusSeconds(sequence));

        Attribution.Victim victim = attribution.victim("v").orElseThrow();
        assertThat(victim.culprits()).hasSize(1).allMatch(Attribution.Harm::isFromOutside);
        assertThat(victim.culprits().get(0).signal()).contains(Signal.CPU);
        assertThat(attribution.victims()).as("it is nobody's victim").hasSize(1);
    }

    @Test
    void whoHasNobodyBesideItIsNoVictim() {
        attribution.look(sample(running("v", DISK)), T0);

        assertThat(attribution.victims()).isEmpty();
    }

    /** What was lost stays when the culprit goes. */
    @Test
    void secondsAddUpWhileTheCulpritIsThere() {
        NodeSample both = sample(running("v", DISK), running("c", DISK));
        attribution.look(both, T0);
        attribution.look(both, T0.plusSeconds(10));
        attribution.look(sample(running("v", DISK)), T0.plusSeconds(20));

        Attribution.Victim victim = attribution.victim("v").orElseThrow();
        assertThat(victim.slowdown()).isEqualTo(1);
        Attribution.Harm harm = victim.culprits().get(0);
        assertThat(harm.slowdown()).isZero();
        assertThat(harm.seconds()).isPositive().isLessThan(10);
    }

    /** The machine that looks was asleep for a day, or its clock was set. */
    @Test
    void looksThatAreFarApartDoNotCountTheTimeBetween() {
        NodeSample both = sample(running("v", DISK), running("c", DISK));
        attribution.look(both, T0);
        attribution.look(both, T0.plus(Duration.ofHours(20)));

        assertThat(attribution.victim("v").orElseThrow().culprits().get(0).seconds())
                .isLessThan(300);
    }

    @Test
    void whoWasNotSeenForADayIsForgotten() {
        attribution.look(sample(running("v", DISK), running("c", DISK)), T0);

        attribution.sweep(T0.plus(Duration.ofHours(23)));
        assertThat(attribution.victims()).isNotEmpty();
        attribution.sweep(T0.plus(Duration.ofHours(25)));
        assertThat(attribution.victims()).isEmpty();
    }

    @Test
    void turnEndsWhenItTookLongEnoughAndGoesOnThereWhateverThrew() {
        List<NodeSample> nodes = new ArrayList<>();
        for (String node : List.of("a:1", "b:1", "c:1")) {
            ingest.accept(node, heartbeat(1, running("v-" + node, DISK), running("c-" + node, DISK)), T0);
            nodes.add(ingest.newest(node).orElseThrow());
        }
        Attribution failing = new Attribution(new PriorPredictor(), new ProfileRepository(1), container -> {
            if (container.endsWith("a:1")) {
                throw new IllegalStateException(container);
            }
            return Optional.empty();
        });

        assertThatThrownBy(() -> failing.lookAtSome(nodes, 100, T0, () -> true)).hasMessageEndingWith("a:1");
        failing.lookAtSome(nodes, 100, T0, () -> true);
        assertThat(failing.victim("v-b:1")).isPresent();
        assertThat(failing.victim("v-c:1")).as("there was time for one").isEmpty();
        failing.lookAtSome(nodes, 100, T0, () -> true);
        assertThat(failing.victim("v-c:1")).isPresent();
    }

    @Test
    void lookAtANodeEndsWhenItTookLongEnoughAndTheNextGoesOnThere() {
        NodeSample node = sample(running("a", DISK), running("b", DISK), running("c", DISK));

        attribution.lookAtSome(List.of(node), 100, T0, () -> true);
        assertThat(attribution.victims())
                .extracting(Attribution.Victim::container)
                .containsExactly("a");

        AtomicInteger asked = new AtomicInteger();
        attribution.lookAtSome(List.of(node), 100, T0.plusSeconds(10), () -> asked.incrementAndGet() >= 2);
        assertThat(attribution.victims())
                .extracting(Attribution.Victim::container)
                .containsExactly("a", "b", "c");
        assertThat(attribution.victim("a").orElseThrow().at()).isEqualTo(T0);
    }

    /** Whoever asks for one container waits for no more. */
    @Test
    void nodeOfManyContainersHasItsLooksInParts() {
        int containers = 600;
        List<ContainerReport> many = new ArrayList<>();
        for (int i = 0; i < containers; i++) {
            many.add(running("c" + i, DISK));
        }
        NodeSample node = NodeSample.of(
                NODE,
                node(1, many.toArray(ContainerReport[]::new)),
                T0,
                Optional.empty(),
                Duration.ofSeconds(5),
                Whereabouts.AS_REPORTED);

        attribution.look(node, T0);
        assertThat(attribution.victims()).hasSizeBetween(100, 200);
        for (int look = 1; look < 5; look++) {
            attribution.look(node, T0.plusSeconds(10L * look));
        }
        assertThat(attribution.victims()).hasSize(containers);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void sharesNeverExceedTheWholeHarm(long seed) {
        Random random = new Random(seed);
        List<ContainerReport> containers = new ArrayList<>();
        for (int i = 0; i < 2 + random.nextInt(20); i++) {
            containers.add(running("c" + i, Vectors.random(random)));
        }
        attribution.look(sample(containers.toArray(ContainerReport[]::new)), T0);

        for (Attribution.Victim victim : attribution.victims()) {
            double sum = victim.culprits().stream()
                    .mapToDouble(Attribution.Harm::slowdown)
                    .sum();
            assertThat(sum).isLessThanOrEqualTo(victim.slowdown() - 1 + 1e-9);
            assertThat(victim.culprits())
                    .extracting(Attribution.Harm::culprit)
                    .doesNotContain(victim.container())
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void loneCulpritHasTheWholeHarm() {
        attribution.look(sample(running("v", DISK), running("c", DISK)), T0);

        Attribution.Victim victim = attribution.victim("v").orElseThrow();
        assertThat(victim.culprits().get(0).slowdown()).isEqualTo(victim.slowdown() - 1, within(1e-9));
    }

    private NodeSample sample(ContainerReport... containers) {
        ingest.accept(NODE, heartbeat(++sequence, containers), T0.plusSeconds(sequence));
        return ingest.newest(NODE).orElseThrow();
    }
}
