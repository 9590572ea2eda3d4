package org.interference.yarn.ingest;

import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;

/**
 * Payloads on their way from the thread that receives heartbeats to the one that decodes them. Thread-safe, never blocks.
 *
 * <p>One slot for each node: a payload that is still there when the next one comes gives way to it. Reports are cumulative,
 * so the newest says all that the others did, and the mailbox cannot grow beyond the cluster.
 */
public final class Mailbox {
    private final Ingest ingest;
    private final Executor decoding;
    /** What is left to do with the newest payload of each node. */
    private final ConcurrentMap<String, Runnable> waiting = new ConcurrentHashMap<>();

    /** @param decoding runs one task at a time, in order */
    public Mailbox(Ingest ingest, Executor decoding) {
        this.ingest = ingest;
        this.decoding = decoding;
    }

    /** Takes one heartbeat's payload from {@code node} and returns at once; the array must not change any more. */
    public void post(String node, byte[] payload, Instant receivedAt) {
        if (waiting.put(node, () -> ingest.accept(node, payload, receivedAt)) == null) {
            decoding.execute(() -> waiting.remove(node).run());
        } else {
            ingest.count(IngestOutcome.COALESCED);
        }
    }
}
