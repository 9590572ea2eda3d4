package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;

import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
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

    @Test
    void decisionsOfManyNodesAreFewer() {
        Ranking wide = ranking(DecisionLog.MOST_VERDICTS / 4);
        for (int i = 0; i < 10; i++) {
            log.add(T0, "c" + i, "node", wide, 100_000);
        }

        assertThat(log.newest(100)).extracting(Decision::container).containsExactly("c9", "c8", "c7", "c6");
        log.add(T0, "c10", "node", ranking(2 * DecisionLog.MOST_VERDICTS), 100_000);
        assertThat(log.newest(100)).extracting(Decision::container).containsExactly("c10");
        log.add(T0, "c11", "node", ranking(1), 100_000);
        assertThat(log.newest(100)).extracting(Decision::container).containsExactly("c11");
    }

    /** A scheduling thread must not wait until somebody who asks has gone through a hundred thousand decisions. */
    @Test
    void whoReadsDoesNotWaitForWhoAdds() throws Exception {
        add(2, 10);
        FutureTask<Integer> reading = new FutureTask<>(() -> log.newest(10).size()
                + log.of("c1").stream().mapToInt(found -> 1).sum());

        // Whoever adds holds this lock.
        synchronized (log) {
            new Thread(reading).start();

            assertThat(reading.get(1, TimeUnit.MINUTES)).isEqualTo(3);
        }
    }

    private static Ranking ranking(int nodes) {
        Verdict verdict = new Verdict("node", Verdict.Reason.RANKED, 1, 0, 0, 0, 1, 0, Optional.empty());
        return new Ranking(
                new Request("attempt_1", "priority 20", Tasks.SORT, false),
                Mode.ON,
                Ranking.Reason.RANKED,
                Optional.empty(),
                Collections.nCopies(nodes, verdict));
    }
}
