package org.interference.yarn.ingest;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Signal;

/**
 * One node's newest report, as the ResourceManager holds it. Immutable.
 *
 * <p>A report can be new without saying anything new of a container: its counters cannot be read at the moment, or they
 * are frozen. Such a container keeps its last levels until they are too old; then it counts as frozen.
 */
public final class NodeSample {
    /** One collector measures all containers of a node: after so many that add no signal, the others are taken to add none either. */
    private static final int ENOUGH_ALIKE = 8;

    private final String node;
    private final NodeReport report;
    private final Instant receivedAt;
    /**
     * The newest report that measured each container of {@link #report}, by its place there: null for one that ended or was
     * never measured.
     */
    private final ContainerReport[] measured;
    /** When the ResourceManager first received what that report says. */
    private final Instant[] since;

    private final Fingerprints fingerprints;
    private final Instant oldest;
    private final int measuredCount;
    private final int frozen;

    /** Made when first asked for: most samples are replaced before any request is ranked by them. */
    private volatile Map<String, InterferenceVector> running;

    private NodeSample(
            String node, NodeReport report, Instant receivedAt, Optional<NodeSample> previous, Duration maxAge) {
        this.node = node;
        this.report = report;
        this.receivedAt = receivedAt;
        this.oldest = receivedAt.minus(maxAge);
        int size = report.containers().size();
        this.measured = new ContainerReport[size];
        this.since = new Instant[size];
        this.fingerprints = new Fingerprints(report.containers());
        Places before = previous.map(Places::new).orElse(null);
        int known = 0;
        int old = 0;
        for (int i = 0; i < size; i++) {
            ContainerReport container = report.containers().get(i);
            if (container.ended()) {
                continue;
            }
            boolean isMeasured = container.isMeasured();
            measured[i] = isMeasured ? container : null;
            since[i] = isMeasured ? receivedAt : null;
            int place = before == null ? -1 : before.find(container, fingerprints, i);
            if (place >= 0) {
                measured[i] = isMeasured ? container : previous.get().measured[place];
                since[i] = previous.get().since[place];
            }
            if (measured[i] != null) {
                known++;
                old += since[i].isBefore(oldest) ? 1 : 0;
            }
        }
        this.measuredCount = known;
        this.frozen = old;
    }

    /**
     * What is compared of 400,000 containers a second on a cluster of 10,000 nodes: in arrays, because the last sample of a node
     * has long left the processor's caches when the next one comes.
     */
    private static final class Fingerprints {
        private final int[] ids;
        private final long[] observedMillis;

        Fingerprints(List<ContainerReport> containers) {
            ids = new int[containers.size()];
            observedMillis = new long[containers.size()];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = containers.get(i).container().hashCode();
                observedMillis[i] = containers.get(i).observed().toMillis();
            }
        }
    }

    /** Finds containers in the last sample; asked in the order of the next one, which mostly is the same. Not thread-safe. */
    private static final class Places {
        private final NodeSample last;
        private int next;
        /** Made when two reports differ in order. */
        private Map<String, Integer> byId;

        Places(NodeSample last) {
            this.last = last;
        }

        /**
         * Returns where the last sample has what {@code container} still says, or says no more: its newest measurement. -1 if
         * it has been measured since then, or never was.
         */
        int find(ContainerReport container, Fingerprints fingerprints, int at) {
            if (next < last.measured.length
                    && container.isMeasured()
                    && last.fingerprints.ids[next] == fingerprints.ids[at]
                    && last.fingerprints.observedMillis[next] != fingerprints.observedMillis[at]) {
                // Whichever of the containers with this hash it was, nothing of it is needed.
                next++;
                return -1;
            }
            if (next >= last.measured.length || !last.id(next).equals(container.container())) {
                next = byId().getOrDefault(container.container(), -1);
            }
            int place = next++;
            ContainerReport known = place < 0 ? null : last.measured[place];
            boolean hasMoved =
                    known != null && container.isMeasured() && !known.observed().equals(container.observed());
            return known == null || hasMoved ? -1 : place;
        }

        private Map<String, Integer> byId() {
            if (byId == null) {
                byId = new HashMap<>();
                for (int i = 0; i < last.measured.length; i++) {
                    byId.put(last.id(i), i);
                }
            }
            return byId;
        }
    }

    private String id(int place) {
        return report.containers().get(place).container();
    }

    /**
     * Returns the sample that {@code report} makes of its node.
     *
     * @param previous the sample that it replaces
     * @param maxAge of a container's measurement
     */
    public static NodeSample of(
            String node, NodeReport report, Instant receivedAt, Optional<NodeSample> previous, Duration maxAge) {
        return new NodeSample(node, report, receivedAt, previous, maxAge);
    }

    /** Host and port, as YARN writes a node id. */
    public String node() {
        return node;
    }

    public NodeReport report() {
        return report;
    }

    /** By the ResourceManager's clock: ages the sample, so that the node's clock cannot. */
    public Instant receivedAt() {
        return receivedAt;
    }

    /** The newest levels of each container that has not ended and was measured lately, by container id. */
    public Map<String, InterferenceVector> running() {
        Map<String, InterferenceVector> known = running;
        if (known == null) {
            // Two threads may both make it; they make the same.
            known = measuredLately();
            running = known;
        }
        return known;
    }

    private Map<String, InterferenceVector> measuredLately() {
        Map<String, InterferenceVector> lately = new LinkedHashMap<>();
        for (int i = 0; i < measured.length; i++) {
            if (measured[i] != null && !since[i].isBefore(oldest)) {
                lately.put(measured[i].container(), measured[i].newest());
            }
        }
        return Collections.unmodifiableMap(lately);
    }

    /** Returns the signals that were measured lately of at least one container that runs. Cheaper than {@link #running}. */
    Set<Signal> measured() {
        EnumSet<Signal> signals = EnumSet.noneOf(Signal.class);
        int alike = 0;
        for (int i = 0; i < measured.length && alike < ENOUGH_ALIKE; i++) {
            if (measured[i] != null && !since[i].isBefore(oldest)) {
                int before = signals.size();
                measured[i].addMeasuredTo(signals);
                alike = signals.size() == before ? alike + 1 : 0;
            }
        }
        return signals;
    }

    /** Returns how many containers run whose measurement has not moved for too long. */
    public int frozen() {
        return frozen;
    }

    /** Returns how far the node's clock was ahead of the ResourceManager's when the report came; negative if behind. */
    public Duration clockSkew() {
        return Duration.between(receivedAt, report.measuredAt());
    }

    /** Returns whether the report is young enough to decide on, and not frozen as a whole. */
    boolean isFresh(Instant now, Duration maxAge) {
        boolean frozenAsAWhole = frozen > 0 && frozen == measuredCount;
        return !receivedAt.isBefore(now.minus(maxAge)) && !frozenAsAWhole;
    }

    /** Returns what this node's containers press together. */
    public InterferenceVector load() {
        return InterferenceVector.sum(running().values());
    }
}
