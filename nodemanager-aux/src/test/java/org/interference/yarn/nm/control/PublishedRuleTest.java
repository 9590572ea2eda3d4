package org.interference.yarn.nm.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.interference.yarn.signal.ControlStatus;
import org.interference.yarn.signal.WorkClass;
import org.junit.jupiter.api.Test;

/** The controller under CSS's own rule: intervals of 5 s, cleaning every 30 s, lambda 30, mu 2. */
class PublishedRuleTest {
    private static final int SECONDS = 5;
    private static final int CLEANING_TICKS = 6;

    private final Controller controller = new Controller(
            ControlSettings.published(
                    Optional.empty(), OptionalDouble.empty(), Duration.ofMinutes(1), Duration.ofHours(1)),
            CoreSet.parse("0-15"));
    private final Map<String, Double> callsPerSecond = new LinkedHashMap<>();
    private final Map<String, Double> calls = new LinkedHashMap<>();
    private final Map<String, Double> seconds = new LinkedHashMap<>();
    private double speed = 1;
    private Instant now = Instant.EPOCH;

    @Test
    void aFirstLookGivesEveryContainerItsCores() {
        callsPerSecond.putAll(Map.of("computing", 0.0, "waiting", 100.0));
        tick();

        assertThat(cores("computing")).isEqualTo("0-15");
        assertThat(cores("waiting")).isEqualTo("0-1");
    }

    /** Two calls a second are 10, 20 and 30 after one, two and three intervals, and begin anew after six. */
    @Test
    void callsAccumulateUntilTheCleaningAndBeginAnewThen() {
        callsPerSecond.putAll(Map.of("a", 0.0, "b", 2.0));
        tick();
        List<WorkClass> classes = new ArrayList<>();
        for (int i = 0; i < 2 * CLEANING_TICKS; i++) {
            tick();
            classes.add(controller.statuses().get("b").workClass());
        }

        WorkClass computing = WorkClass.CPU_INTENSIVE;
        WorkClass waiting = WorkClass.IO_INTENSIVE;
        assertThat(classes)
                .containsExactly(
                        computing, computing, waiting, waiting, waiting, waiting, computing, computing, waiting,
                        waiting, waiting, waiting);
    }

    @Test
    void whatAnEndedOneHadIsNobodysUntilAnotherComes() {
        callsPerSecond.putAll(Map.of("a", 0.0, "b", 0.0));
        tick();
        tick();
        String before = cores("a");
        callsPerSecond.remove("b");
        tick();

        assertThat(cores("a")).isEqualTo(before).isIn("0-7", "8-15");

        callsPerSecond.put("c", 0.0);
        tick();
        assertThat(List.of(cores("a"), cores("c"))).containsExactly("0-7", "8-15");
    }

    @Test
    void aMasterIsAContainerLikeAnother() {
        callsPerSecond.put("container_1_0001_01_000001", 0.0);
        callsPerSecond.put("container_1_0001_01_000002", 0.0);
        tick();

        assertThat(cores("container_1_0001_01_000001")).isEqualTo("0-7");
        assertThat(controller.statuses().get("container_1_0001_01_000001").reason())
                .doesNotContain("not confined");
    }

    @Test
    void nothingIsTakenBackWhereTheNodeGetsSlower() {
        callsPerSecond.putAll(Map.of("a", 0.0, "b", 100.0));
        tick();
        speed = 0.1;
        for (int i = 0; i < 40; i++) {
            tick();
        }

        assertThat(controller.stepsBack()).isZero();
        assertThat(cores("b")).isEqualTo("0-1");
    }

    @Test
    void whoIsGivenUpIsLeftAlone() {
        callsPerSecond.putAll(Map.of("a", 0.0, "b", 0.0));
        tick();
        controller.giveUp("a", "Permission denied");

        assertThat(tick().changes()).noneMatch(change -> change.container().equals("a"));
        assertThat(cores("a")).isEmpty();
    }

    private ControlPlan tick() {
        now = now.plusSeconds(SECONDS);
        List<ContainerObservation> running = new ArrayList<>();
        calls.keySet().retainAll(callsPerSecond.keySet());
        seconds.keySet().retainAll(callsPerSecond.keySet());
        callsPerSecond.forEach((id, rate) -> {
            double total = calls.merge(id, rate * SECONDS, Double::sum);
            double time = seconds.merge(id, (double) SECONDS, Double::sum);
            Map<Quantity, Double> used = Map.of(Quantity.FUTEX_CALLS, total, Quantity.ON_CPU, speed * time);
            running.add(new ContainerObservation(id, id.endsWith("_000001"), Optional.empty(), new Usage(time, used)));
        });
        return controller.tick(now, running, Optional.empty());
    }

    private String cores(String container) {
        ControlStatus status = controller.statuses().get(container);
        return status.cores();
    }
}
