package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;

import java.util.Optional;
import org.interference.yarn.fixture.Tasks;
import org.junit.jupiter.api.Test;

class DecisionLogTest {
    private static final Ranking OF_A_MASTER = Ranking.parent(
            new Request("attempt_1", "priority 0", Tasks.SORT, true),
            Mode.ON,
            Ranking.Reason.PARENT_AM_CONTAINER,
            Optional.empty());

    private final DecisionLog log = new DecisionLog();

    @Test
    void newestDecisionComesFirst() {
        add(3, 10);

        assertThat(log.newest(10)).extracting(Decision::container).containsExactly("c3", "c2", "c1");
    }

    @Test
    void onlyTheNewestAreKept() {
        add(100, 10);

        assertThat(log.newest(1000)).hasSize(10);
        assertThat(log.newest(1000).get(0).container()).isEqualTo("c100");
    }

    @Test
    void noMoreAreReturnedThanAskedFor() {
        add(5, 10);

        assertThat(log.newest(2)).extracting(Decision::container).containsExactly("c5", "c4");
    }

    @Test
    void sequenceGoesOnWhenOldDecisionsAreForgotten() {
        add(100, 10);

        assertThat(log.newest(1).get(0).sequence()).isEqualTo(100);
    }

    @Test
    void countsIncludeWhatIsForgottenAndReasonsThatNeverHappened() {
        add(100, 10);

        assertThat(log.counts())
                .containsOnlyKeys(Ranking.Reason.values())
                .containsEntry(Ranking.Reason.PARENT_AM_CONTAINER, 100L)
                .containsEntry(Ranking.Reason.RANKED, 0L);
    }

    private void add(int decisions, int kept) {
        for (int i = 1; i <= decisions; i++) {
            log.add(T0, "c" + i, "node-1:8041", OF_A_MASTER, kept);
        }
    }
}
