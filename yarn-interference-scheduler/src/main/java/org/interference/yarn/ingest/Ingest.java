package org.interference.yarn.ingest;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.wire.Decoded;
import org.interference.yarn.wire.HeartbeatCodec;

/**
 * Holds the newest sample of every node and counts what it refuses. Thread-safe; reading takes no lock.
 *
 * <p>Reports of one sender are ordered by its sequence number; a new incarnation of the sender starts over.
 */
public final class Ingest {
    private final IngestSettings settings;
    private final Duration sampleMaxAge;
    private final Consumer<NodeSample> onSample;
    private final ConcurrentMap<String, NodeSample> newest = new ConcurrentHashMap<>();
    private final Map<IngestOutcome, LongAdder> outcomes = new EnumMap<>(IngestOutcome.class);

    /**
     * @param heartbeatInterval how often a NodeManager reports
     * @param onSample called with every accepted sample, on the thread that brought it
     */
    public Ingest(IngestSettings settings, Duration heartbeatInterval, Consumer<NodeSample> onSample) {
        this.settings = settings;
        this.sampleMaxAge = settings.sampleMaxAge(heartbeatInterval);
        this.onSample = onSample;
        Arrays.stream(IngestOutcome.values()).forEach(outcome -> outcomes.put(outcome, new LongAdder()));
    }

    /** Takes one heartbeat's payload from {@code node}; never throws, and says what became of it. */
    public IngestOutcome accept(String node, byte[] payload, Instant receivedAt) {
        IngestOutcome outcome;
        try {
            outcome = take(node, payload, receivedAt);
        } catch (RuntimeException e) {
            outcome = IngestOutcome.FAILED;
        }
        count(outcome);
        return outcome;
    }

    /** Counts a payload that never reached {@link #accept}. */
    public void count(IngestOutcome outcome) {
        outcomes.get(outcome).increment();
    }

    /** Returns the newest sample of {@code node}, unless it is too old to decide on. */
    public Optional<NodeSample> fresh(String node, Instant now) {
        return newest(node).filter(sample -> sample.isFresh(now, sampleMaxAge));
    }

    /** Returns the newest sample of {@code node}, however old. */
    public Optional<NodeSample> newest(String node) {
        return Optional.ofNullable(newest.get(node));
    }

    /** Returns the newest sample of every node, however old. */
    public List<NodeSample> all() {
        return List.copyOf(newest.values());
    }

    /** Forgets a node that left the cluster. */
    public void forget(String node) {
        newest.remove(node);
    }

    /** Returns how often each outcome happened. */
    public Map<IngestOutcome, Long> outcomes() {
        EnumMap<IngestOutcome, Long> counts = new EnumMap<>(IngestOutcome.class);
        outcomes.forEach((outcome, count) -> counts.put(outcome, count.sum()));
        return Collections.unmodifiableMap(counts);
    }

    @SuppressWarnings("ReferenceEquality") // Which of the two was kept, not whether they are alike.
    private IngestOutcome take(String node, byte[] payload, Instant receivedAt) {
        Decoded decoded = HeartbeatCodec.decode(payload, settings.maxPayloadBytes());
        if (decoded instanceof Decoded.Rejected rejected) {
            return switch (rejected.rejection()) {
                case MALFORMED -> IngestOutcome.MALFORMED;
                case OVERSIZED -> IngestOutcome.OVERSIZED;
                case UNKNOWN_VERSION -> IngestOutcome.UNKNOWN_VERSION;
            };
        }
        NodeReport report = ((Decoded.Accepted) decoded).report();
        Duration skew = Duration.between(receivedAt, report.measuredAt()).abs();
        if (skew.compareTo(settings.maxClockSkew()) > 0) {
            return IngestOutcome.CLOCK_SKEWED;
        }
        NodeSample sample = NodeSample.of(node, report, receivedAt);
        NodeSample kept = newest.merge(node, sample, Ingest::later);
        if (kept != sample) {
            boolean same = kept.report().sequence() == report.sequence();
            return same ? IngestOutcome.REPEATED : IngestOutcome.LATE;
        }
        onSample.accept(sample);
        return IngestOutcome.ACCEPTED;
    }

    private static NodeSample later(NodeSample held, NodeSample next) {
        boolean sameSender = held.report().incarnation() == next.report().incarnation();
        return sameSender && next.report().sequence() <= held.report().sequence() ? held : next;
    }
}
