package org.interference.yarn.place;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.place.Matching.Contender;
import org.interference.yarn.place.Matching.Reason;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.signal.InterferenceVector;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.D_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/** Scheduling threads and the sweep at what {@link Matching} remembers of requests, nodes and kinds. */
final class MatchingInterleavings {
    private static final MatchSettings SETTINGS = new MatchSettings(1, Duration.ofSeconds(2), 0);
    private static final String NODE = "node-a:8041";
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final NodeLoad IDLE = new NodeLoad(List.of());
    private static final NodeLoad BUSY = new NodeLoad(List.of(Vectors.cpu(0.9)));
    private static final Contender HEAVY = contender("heavy", Vectors.cpu(0.9));
    private static final Contender LIGHT = contender("light", Vectors.cpu(0.1));
    private static final Request ASK = new Request("attempt_1", "priority 1", identity("heavy"), false);

    private MatchingInterleavings() {}

    private static TaskIdentity identity(String name) {
        return TaskIdentity.of("TEST", name, "map", "default", Optional.of(name));
    }

    private static Contender contender(String name, InterferenceVector load) {
        TaskIdentity task = identity(name);
        TaskProfile profile =
                TaskProfile.empty(task.keys().get(0)).with(new TaskSample(task, load, Duration.ofSeconds(10), NOW));
        return new Contender(new TaskKind(name.equals("heavy") ? 1 : 2, profile, new FakePredictor()), 1);
    }

    private static Reason offer(Matching matching, String node, NodeLoad load, Instant now) {
        return matching.offered(
                        ASK,
                        HEAVY,
                        new Matching.FreeNode(node, load, true),
                        new DecidedVisit(),
                        List.of(HEAVY, LIGHT),
                        SETTINGS,
                        now)
                .reason();
    }

    /** The usual gain is a mean over every offer; of two at once neither is lost. */
    @JCStressTest
    @Outcome(id = "-0.288", expect = Expect.ACCEPTABLE, desc = "from 0, a fifth of the way to 1, twice, and once back")
    @State
    public static class OfferedTwice {
        private final UsualGains<String> usual = new UsualGains<>();

        public OfferedTwice() {
            usual.offered("kind", 0.0, NOW);
        }

        @Actor
        public void offer() {
            usual.offered("kind", 1.0, NOW);
        }

        @Actor
        public void offerToo() {
            usual.offered("kind", 1.0, NOW);
        }

        @Arbiter
        public void after(D_Result result) {
            result.r1 = Math.round(usual.offered("kind", 0, NOW) * 1e6) / 1e6;
        }
    }

    /** A request that is declined while the sweep runs is not forgotten: it waits no longer than its slack. */
    @JCStressTest
    @Outcome(id = "TAKEN_OVERDUE", expect = Expect.ACCEPTABLE, desc = "it has waited for as long as it may")
    @State
    public static class DeclinedWhileSwept {
        private final Matching matching = new Matching();

        public DeclinedWhileSwept() {
            offer(matching, "idle:8041", IDLE, NOW);
        }

        @Actor
        public void decline() {
            offer(matching, NODE, BUSY, NOW);
        }

        @Actor
        public void sweep() {
            matching.sweep(NOW);
        }

        @Arbiter
        public void after(L_Result result) {
            result.r1 = offer(matching, "node-b:8041", BUSY, NOW.plusSeconds(2));
        }
    }

    /** A container is placed while the same request is declined another: it waits anew, or from that decline on. */
    @JCStressTest
    @Outcome(id = "DECLINED_FOR_ANOTHER", expect = Expect.ACCEPTABLE, desc = "it waits anew")
    @Outcome(id = "TAKEN_OVERDUE", expect = Expect.ACCEPTABLE, desc = "it was declined after the placement")
    @State
    public static class DeclinedWhilePlaced {
        private final Matching matching = new Matching();

        public DeclinedWhilePlaced() {
            offer(matching, "idle:8041", IDLE, NOW);
        }

        @Actor
        public void decline() {
            offer(matching, NODE, BUSY, NOW);
        }

        @Actor
        public void place() {
            matching.waits().placed(ASK, "node-b:8041");
        }

        @Arbiter
        public void after(L_Result result) {
            result.r1 = offer(matching, "node-c:8041", BUSY, NOW.plusSeconds(2));
        }
    }
}
