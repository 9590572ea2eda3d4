package org.interference.yarn.ingest;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.fault.Part;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.Decoded;
import org.interference.yarn.wire.HeartbeatCodec;

/**
 * Holds the newest sample of every node and counts what it refuses. Thread-safe; reading takes no lock.
 *
 * <p>Reports of one sender are ordered by its sequence number; a new incarnation of the sender starts over. They age by the
 * clock of whoever calls.
 */
public final class Ingest {
    private final IngestSettings settings;
    private final SampleRules rules;
    private final BiConsumer<NodeSample, NodeReport> onSample;
    private final Faults faults;
    private final ConcurrentMap<String, NodeSample> newest = new ConcurrentHashMap<>();
    private final NodeHistory history;
    /** The nodes that were counted as stale and have not been fresh since. */
    private final Set<String> stale = ConcurrentHashMap.newKeySet();

    private final Map<IngestOutcome, LongAdder> outcomes = new EnumMap<>(IngestOutcome.class);

    /**
     * @param heartbeatInterval how often a NodeManager reports
     * @param scheduler which container is where
     * @param onSample called with every accepted sample, on the thread that brought it
     */
    public Ingest(
            IngestSettings settings, Duration heartbeatInterval, Whereabouts scheduler, Consumer<NodeSample> onSample) {
        this(settings, heartbeatInterval, scheduler, (sample, report) -> onSample.accept(sample), Faults.unlogged());
    }

    /**
     * @param onSample called with every accepted sample and the report that it was made of, on the thread that brought it: what the report says of
     *     connections, no sample keeps
     * @param faults told of every error
     */
    public Ingest(
            IngestSettings settings,
            Duration heartbeatInterval,
            Whereabouts scheduler,
            BiConsumer<NodeSample, NodeReport> onSample,
            Faults faults) {
        this.faults = faults;
        this.settings = settings;
        this.rules = new SampleRules(
                settings.sampleMaxAge(heartbeatInterval), scheduler, settings.outside(), new ReferenceNode());
        this.onSample = onSample;
        this.history = new NodeHistory(settings.historyMinutes(), settings.historyMetrics());
        Arrays.stream(IngestOutcome.values()).forEach(outcome -> outcomes.put(outcome, new LongAdder()));
    }

    /** For nodes that say where containers are, as in a simulation. */
    public Ingest(IngestSettings settings, Duration heartbeatInterval, Consumer<NodeSample> onSample) {
        this(settings, heartbeatInterval, Whereabouts.AS_REPORTED, onSample);
    }

    /** Returns whether a payload of this size is read at all. */
    public boolean reads(int payloadBytes) {
        return payloadBytes <= settings.maxPayloadBytes();
    }

    /** Takes one heartbeat's payload from {@code node}; never throws, and says what became of it. */
    @SuppressWarnings("CatchThrowable") // An Error on a thread of the ResourceManager would end the ResourceManager.
    public IngestOutcome accept(String node, byte[] payload, Instant receivedAt) {
        IngestOutcome outcome;
        try {
            outcome = take(node, payload, receivedAt);
        } catch (Throwable e) {
            return failed(e);
        }
        count(outcome);
        return outcome;
    }

    /** Takes note of an error on a payload's way. */
    public IngestOutcome failed(Throwable error) {
        count(IngestOutcome.FAILED);
        faults.note(Part.INGEST, error);
        return IngestOutcome.FAILED;
    }

    /** Counts a payload that never reached {@link #accept}. */
    public void count(IngestOutcome outcome) {
        outcomes.get(outcome).increment();
    }

    /** Returns the newest sample of {@code node}, unless it is too old to decide on. */
    public Optional<NodeSample> fresh(String node, Instant now) {
        return newest(node).filter(sample -> sample.isFresh(now));
    }

    /** Returns the newest sample of {@code node}, however old. */
    public Optional<NodeSample> newest(String node) {
        return Optional.ofNullable(newest.get(node));
    }

    /** Returns the newest sample of every node, however old. */
    public List<NodeSample> all() {
        return List.copyOf(newest.values());
    }

    /** Returns what nodes have said of themselves. */
    public NodeHistory history() {
        return history;
    }

    /** Returns the node in whose shares profiles are. */
    public ReferenceNode reference() {
        return rules.reference();
    }

    /** Forgets a node that left the cluster. */
    public void forget(String node) {
        newest.remove(node);
        stale.remove(node);
        history.forget(node);
    }

    /**
     * Counts the nodes whose newest sample became too old since the last time, and forgets those that are no longer in the
     * cluster: a heartbeat that was on its way when its node left may have come after {@link #forget}.
     */
    public void sweep(Set<String> clusterNodes, Instant now) {
        for (NodeSample sample : newest.values()) {
            String node = sample.node();
            if (!clusterNodes.contains(node)) {
                forget(node);
            } else if (sample.isFresh(now)) {
                stale.remove(node);
            } else if (stale.add(node)) {
                count(IngestOutcome.STALE);
            }
        }
    }

    /** Returns how well the nodes of the cluster are measured. */
    public Coverage coverage(Collection<String> clusterNodes, Instant now) {
        int fresh = 0;
        int old = 0;
        Duration oldest = Duration.ZERO;
        for (String node : clusterNodes) {
            NodeSample sample = newest.get(node);
            if (sample == null) {
                continue;
            }
            if (sample.isFresh(now)) {
                fresh++;
            } else {
                old++;
            }
            Duration age = Duration.between(sample.receivedAt(), now);
            oldest = age.compareTo(oldest) > 0 ? age : oldest;
        }
        return new Coverage(fresh, old, clusterNodes.size() - fresh - old, oldest);
    }

    /** Returns of how many fresh nodes of the cluster each signal is measured, in at least one container. */
    public Map<Signal, Integer> measured(Collection<String> clusterNodes, Instant now) {
        EnumMap<Signal, Integer> nodes = new EnumMap<>(Signal.class);
        for (Signal signal : Signal.values()) {
            nodes.put(signal, 0);
        }
        for (String node : clusterNodes) {
            NodeSample sample = newest.get(node);
            if (sample != null && sample.isFresh(now)) {
                sample.measured().forEach(signal -> nodes.merge(signal, 1, Integer::sum));
            }
        }
        return Collections.unmodifiableMap(nodes);
    }

    /** Returns how often each outcome happened. */
    public Map<IngestOutcome, Long> outcomes() {
        EnumMap<IngestOutcome, Long> counts = new EnumMap<>(IngestOutcome.class);
        outcomes.forEach((outcome, count) -> counts.put(outcome, count.sum()));
        return Collections.unmodifiableMap(counts);
    }

    private IngestOutcome take(String node, byte[] payload, Instant receivedAt) {
        Decoded decoded = HeartbeatCodec.decode(payload, settings.maxPayloadBytes());
        if (decoded instanceof Decoded.Rejected rejected) {
            return switch (rejected.rejection()) {
                case MALFORMED -> IngestOutcome.MALFORMED;
                case OVERSIZED -> IngestOutcome.OVERSIZED;
                case UNKNOWN_VERSION -> IngestOutcome.UNKNOWN_VERSION;
            };
        }
        NodeReport whole = ((Decoded.Accepted) decoded).report();
        NodeReport report = whole.withoutFlows();
        NodeSample[] made = new NodeSample[1];
        NodeSample sample = newest.compute(node, (same, held) -> {
            made[0] = isOld(held, report)
                    ? null
                    : new NodeSample(node, report, receivedAt, Optional.ofNullable(held), rules);
            return made[0] == null ? held : made[0];
        });
        if (made[0] == null) {
            boolean twice = sample.report().sequence() == report.sequence();
            return twice ? IngestOutcome.REPEATED : IngestOutcome.LATE;
        }
        history.add(node, report.figures(), receivedAt);
        onSample.accept(sample, whole);
        if (sample.refused() > 0) {
            return IngestOutcome.NOT_BELIEVED;
        }
        boolean skewed = sample.clockSkew().abs().compareTo(settings.clockSkewWarning()) > 0;
        return skewed ? IngestOutcome.CLOCK_SKEWED : IngestOutcome.ACCEPTED;
    }

    private static boolean isOld(NodeSample held, NodeReport report) {
        return held != null
                && held.report().incarnation() == report.incarnation()
                && held.report().sequence() >= report.sequence();
    }
}
