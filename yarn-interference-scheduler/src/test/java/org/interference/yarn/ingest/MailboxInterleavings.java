package org.interference.yarn.ingest;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.interference.yarn.fixture.Reports;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** A node's heartbeats come while the one before is being decoded. */
final class MailboxInterleavings {
    private static final String NODE = "node-a:8041";
    private static final byte[] FIRST = Reports.heartbeat(1);
    private static final byte[] SECOND = Reports.heartbeat(2);

    private MailboxInterleavings() {}

    /** Results: the number of the newest report that was taken; how many were taken; how many gave way to the next. */
    @JCStressTest
    @Outcome(id = "2, 1, 1", expect = Expect.ACCEPTABLE, desc = "the first gave way")
    @Outcome(id = "2, 2, 0", expect = Expect.ACCEPTABLE, desc = "both were decoded")
    @State
    public static class PostedWhileDecoded {
        private final Ingest ingest =
                new Ingest(new IngestSettings(5, 4096, Duration.ofMinutes(10)), Duration.ofSeconds(1), sample -> {});
        private final Queue<Runnable> decoding = new ConcurrentLinkedQueue<>();
        private final Mailbox mailbox = new Mailbox(ingest, decoding::add);

        @Actor
        public void post() {
            mailbox.post(NODE, FIRST, Reports.T0);
            mailbox.post(NODE, SECOND, Reports.T0);
        }

        @Actor
        public void decode() {
            drain();
        }

        @Arbiter
        public void after(JJJ_Result result) {
            drain();
            result.r1 = ingest.newest(NODE).orElseThrow().report().sequence();
            result.r2 = ingest.outcomes().get(IngestOutcome.ACCEPTED);
            result.r3 = ingest.outcomes().get(IngestOutcome.COALESCED);
        }

        private void drain() {
            for (Runnable next = decoding.poll(); next != null; next = decoding.poll()) {
                next.run();
            }
        }
    }
}
