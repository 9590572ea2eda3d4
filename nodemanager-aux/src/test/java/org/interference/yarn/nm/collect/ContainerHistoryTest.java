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

    @Test
    void whoTakesTheCpuIsToldBySecondAndMostFrequentFirst() {
        ContainerHistory history = begun.takenBy(Map.of("a", 10.0, "", 4.0), 2);

        assertThat(history.report().preemptors())
                .containsExactly(new Preemptor(Optional.of("a"), 5), new Preemptor(Optional.empty(), 2));
        assertThat(history.takenBy(Map.of("a", 11.0, "", 14.0), 1).report().preemptors())
                .containsExactly(new Preemptor(Optional.empty(), 10), new Preemptor(Optional.of("a"), 1));
    }

    @Test
    void whoTookNothingInTheWindowIsNotTold() {
        ContainerHistory history = begun.takenBy(Map.of("a", 10.0), 1);

        assertThat(history.takenBy(Map.of("a", 10.0), 1).report().preemptors()).isEmpty();
        assertThat(history.takenBy(Map.of(), 1).report().preemptors()).isEmpty();
    }

    /** Another daemon counts from zero, and a taker that was forgotten as well. */
    @Test
    void countThatWentBackIsNone() {
        ContainerHistory history = begun.takenBy(Map.of("a", 10.0), 1);

        assertThat(history.takenBy(Map.of("a", 2.0), 1).report().preemptors()).isEmpty();
    }

    @Test
    void noMoreAreToldThanTravel() {
        Map<String, Double> many = new HashMap<>();
        for (int i = 1; i <= 6; i++) {
            many.put("c" + i, (double) i);
        }

        List<Preemptor> told = begun.takenBy(many, 1).report().preemptors();

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
        ContainerHistory history = begun.takenBy(eight, 1);
        Map<String, Double> next = new HashMap<>(eight);
        next.remove("c0");
        next.put("new", 101.0);

        ContainerHistory seen = history.takenBy(next, 1);

        assertThat(seen.report().preemptors()).isEmpty();
        next.put("new", 103.0);
        assertThat(seen.takenBy(next, 1).report().preemptors()).containsExactly(new Preemptor(Optional.of("new"), 2));
    }

    @Test
    void noTimeHasNoRate() {
        assertThat(begun.takenBy(Map.of("a", 10.0), 0).report().preemptors()).isEmpty();
    }
}
