package org.interference.yarn.place;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.fixture.Tasks;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIJ_Result;

/** Scheduling threads that note decisions in the {@link DecisionLog}, which keeps two here. */
final class DecisionLogInterleavings {
    private static final int KEPT = 2;
    private static final Ranking RANKING = Ranking.parent(
            new Request("attempt_1", "priority 1", Tasks.SORT, false),
            Mode.ON,
            Ranking.Reason.PARENT_NO_PROFILE,
            Optional.empty());

    private DecisionLogInterleavings() {}

    private static void note(DecisionLog log, String container) {
        log.add(Instant.EPOCH, container, "node-a:8041", RANKING, KEPT);
    }

    /** Results: how many are kept, whether in the order of their numbers, and how many were counted. */
    @JCStressTest
    @Outcome(id = "2, 1, 3", expect = Expect.ACCEPTABLE, desc = "the newest are kept, in order, and all are counted")
    @State
    public static class TwoThreads {
        private final DecisionLog log = new DecisionLog();

        @Actor
        public void noteTwo() {
            note(log, "a");
            note(log, "b");
        }

        @Actor
        public void noteOne() {
            note(log, "c");
        }

        @Arbiter
        public void after(IIJ_Result result) {
            List<Decision> newest = log.newest(10);
            result.r1 = newest.size();
            result.r2 = newest.get(0).sequence() == newest.get(1).sequence() + 1 ? 1 : 0;
            result.r3 = log.counts().get(Ranking.Reason.PARENT_NO_PROFILE);
        }
    }
}
