package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.signal.Preemptor;
import org.junit.jupiter.api.Test;

class ContainerHistoryTest {
    private final ContainerHistory begun =
            ContainerHistory.first(new WatchedContainer("victim", 1), Optional.empty(), 0, Map.of());
    /** As of a container that was watched from its first process on. */
    private final ContainerHistory untouched = begun.takenBy(Optional.of(Map.of()), 1);

    private static ContainerHistory taken(ContainerHistory history, Map<String, Double> now, double seconds) {
        return history.takenBy(Optional.of(now), seconds);
    }

    /** intpd goes on counting while another NodeManager begins. */
    @Test
    void whatWasTakenBeforeTheFirstSampleIsOfNoWindow() {
        ContainerHistory known = taken(begun, Map.of("a", 40_000.0), 1);

        assertThat(known.report().preemptors()).isEmpty();
        assertThat(taken(known, Map.of("a", 40_003.0), 1).report().preemptors())
                .containsExactly(new Preemptor(Optional.of("a"), 3));
    }

    @Test
    void whatWasTakenWhileNobodyToldItIsOfNoWindow() {
        ContainerHistory known = taken(untouched, Map.of("a", 5.0), 1);
        ContainerHistory after = known.takenBy(Optional.empty(), 1);

        assertThat(after.report().preemptors()).isEmpty();
        assertThat(taken(after, Map.of("a", 90.0), 1).report().preemptors()).isEmpty();
    }

    @Test
    void whoTakesTheCpuIsToldBySecondAndMostFrequentFirst() {
        ContainerHistory history = taken(untouched, Map.of("a", 10.0, "", 4.0), 2);

        assertThat(history.report().preemptors())
                .containsExactly(new Preemptor(Optional.of("a"), 5), new Preemptor(Optional.empty(), 2));
        assertThat(taken(history, Map.of("a", 11.0, "", 14.0), 1).report().preemptors())
                .containsExactly(new Preemptor(Optional.empty(), 10), new Preemptor(Optional.of("a"), 1));
    }

    @Test
    void whoTookNothingInTheWindowIsNotTold() {
        ContainerHistory history = taken(untouched, Map.of("a", 10.0), 1);

        assertThat(taken(history, Map.of("a", 10.0), 1).report().preemptors()).isEmpty();
        assertThat(taken(history, Map.of(), 1).report().preemptors()).isEmpty();
    }

    /** Another daemon counts from zero, and a taker that was forgotten as well. */
    @Test
    void countThatWentBackIsNone() {
        ContainerHistory history = taken(untouched, Map.of("a", 10.0), 1);

        assertThat(taken(history, Map.of("a", 2.0), 1).report().preemptors()).isEmpty();
    }

    @Test
    void noMoreAreToldThanTravel() {
        Map<String, Double> many = new HashMap<>();
        for (int i = 1; i <= 6; i++) {
            many.put("c" + i, (double) i);
        }

        List<Preemptor> told = taken(untouched, many, 1).report().preemptors();

        assertThat(told).hasSize(Preemptor.MOST);
        assertThat(told.get(0)).isEqualTo(new Preemptor(Optional.of("c6"), 6));
    }

    /** It may have been there before, and only now be one of the first. */
    @Test
    void whoWasNotAmongThoseToldBeforeIsToldFromTheNextWindowOn() {
        Map<String, Double> eight = new HashMap<>();
        for (int i = 0; i < CounterSource.MOST_PREEMPTORS; i++) {
            eight.put("c" + i, 100.0);
        }
        ContainerHistory history = taken(untouched, eight, 1);
        Map<String, Double> next = new HashMap<>(eight);
        next.remove("c0");
        next.put("new", 101.0);

        ContainerHistory seen = taken(history, next, 1);

        assertThat(seen.report().preemptors()).isEmpty();
        next.put("new", 103.0);
        assertThat(taken(seen, next, 1).report().preemptors()).containsExactly(new Preemptor(Optional.of("new"), 2));
    }

    @Test
    void noTimeHasNoRate() {
        assertThat(taken(untouched, Map.of("a", 10.0), 0).report().preemptors()).isEmpty();
    }
}
