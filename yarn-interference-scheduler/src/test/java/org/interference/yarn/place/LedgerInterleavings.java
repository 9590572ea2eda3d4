package org.interference.yarn.place;

import java.time.Instant;
import java.util.Optional;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Scheduling threads, heartbeats and the sweep at one node of the {@link Ledger}. Results are how many containers still count. */
final class LedgerInterleavings {
    private static final String NODE = "node-a:8041";
    private static final Instant NOW = Instant.EPOCH;

    private LedgerInterleavings() {}

    private static void place(Ledger ledger, String container) {
        ledger.placed(NODE, container, Optional.empty(), () -> Occupant.ANONYMOUS, NOW);
    }

    private static int counting(Ledger ledger) {
        return ledger.on(NODE).placed().size();
    }

    /** A container may complete before anybody has heard that it was placed: it does not count. */
    @JCStressTest
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "it does not count, whichever came first")
    @State
    public static class PlacedAndCompleted {
        private final Ledger ledger = new Ledger();

        @Actor
        public void place() {
            LedgerInterleavings.place(ledger, "c");
        }

        @Actor
        public void complete() {
            ledger.completed(NODE, "c", NOW);
        }

        @Arbiter
        public void after(I_Result result) {
            result.r1 = counting(ledger);
        }
    }

    /** A proposal gets its container's name while that container completes: neither name counts any more. */
    @JCStressTest
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "neither name counts")
    @State
    public static class NamedAndCompleted {
        private final Ledger ledger = new Ledger();

        public NamedAndCompleted() {
            LedgerInterleavings.place(ledger, "proposal");
        }

        @Actor
        public void name() {
            ledger.named(NODE, "proposal", "c");
        }

        @Actor
        public void complete() {
            ledger.completed(NODE, "c", NOW);
        }

        @Arbiter
        public void after(I_Result result) {
            result.r1 = counting(ledger);
        }
    }

    /** Of two that are placed at once none is lost. */
    @JCStressTest
    @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both count")
    @State
    public static class PlacedTwice {
        private final Ledger ledger = new Ledger();

        @Actor
        public void placeOne() {
            place(ledger, "a");
        }

        @Actor
        public void placeAnother() {
            place(ledger, "b");
        }

        @Arbiter
        public void after(I_Result result) {
            result.r1 = counting(ledger);
        }
    }

    /** The sweep, which takes a node out where nothing is left, loses nothing that is placed meanwhile. */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "what was just placed counts, what had expired does not")
    @State
    public static class PlacedAndSwept {
        private final Ledger ledger = new Ledger();

        public PlacedAndSwept() {
            ledger.placed(
                    NODE,
                    "expired",
                    Optional.empty(),
                    () -> Occupant.ANONYMOUS,
                    NOW.minus(Ledger.EXPIRY).minusSeconds(1));
        }

        @Actor
        public void place() {
            LedgerInterleavings.place(ledger, "a");
        }

        @Actor
        public void sweep() {
            ledger.sweep(NOW, node -> Optional.empty());
        }

        @Arbiter
        public void after(I_Result result) {
            ledger.sweep(NOW, node -> Optional.empty());
            result.r1 = counting(ledger);
        }
    }

    /** A version that says what it has more than another has just that: loads are made from the difference alone. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "nothing was placed yet")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "one more, and known as such")
    @Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "two more are no difference of one")
    @State
    public static class OneMoreThanBefore {
        private final Ledger ledger = new Ledger();

        @Actor
        public void placeTwo() {
            place(ledger, "a");
            place(ledger, "b");
        }

        @Actor
        public void read(II_Result result) {
            Ledger.OnNode seen = ledger.on(NODE);
            result.r1 = seen.placed().size();
            result.r2 = seen.oneMoreThan(Ledger.OnNode.NOTHING).isPresent() ? 1 : 0;
        }
    }
}
