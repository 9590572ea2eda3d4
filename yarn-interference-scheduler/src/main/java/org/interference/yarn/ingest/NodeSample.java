package org.interference.yarn.ingest;

import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.interference.yarn.signal.Capacities;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Scale;
import org.interference.yarn.signal.Signal;

/**
 * One node's newest report, as the ResourceManager holds it. Immutable.
 *
 * <p>A report can be new without saying anything new of a container: its counters cannot be read at the moment, or they
 * are frozen. Such a container keeps its last levels until they are too old; then it counts as frozen.
 *
 * <p>A node speaks for its own containers only, and for no more time than has passed: what it says of a container that the scheduler
 * has on another node is left out, and so is a container with a level that none can have, one that has run for longer than the scheduler has
 * had it, and one whose observed time grows more than {@value #FASTEST} times as fast as this side's clock, but for a minute that it may
 * come late. Of containers that the scheduler does not know {@value #MOST_UNKNOWN} count as load. A node that measures few of those that the
 * scheduler has there, for two minutes, is not taken for an idle one: it is not fresh.
 */
public final class NodeSample {
    /** One collector measures all containers of a node: after so many that add no signal, the others are taken to add none either. */
    private static final int ENOUGH_ALIKE = 8;

    /** Two clocks never differ in rate by so much. */
    private static final int FASTEST = 2;
    /** Reports wait in queues, and come together then. */
    private static final long LATE_MILLIS = 60_000;
    /** Times of centuries are none, and must not overflow when something is added. */
    private static final long LONGEST_MILLIS = Long.MAX_VALUE / 4;
    /**
     * So many containers that the scheduler does not know count as load: they ended a moment ago, or are not yet recovered. A decision takes
     * longer for each neighbour, and a node could name ten thousand.
     */
    private static final int MOST_UNKNOWN = 16;
    /** Where at most one in so many of a node's containers is measured, the report says nothing of its load. */
    private static final int FEW = 4;
    /** How long a node may measure so few: meanwhile a container gets its files and begins. */
    private static final Duration BEGUN = Duration.ofMinutes(2);

    private final String node;
    /** Without what is not believed. */
    private final NodeReport report;

    /** Of that, the containers that the scheduler has put here. */
    private final List<ContainerReport> own;

    private final Instant receivedAt;
    /** All containers that the node names; the arrays are in this order. */
    private final List<ContainerReport> named;

    private final int[] ids;
    private final long[] observedMillis;
    /** The longest observed time that is believed of each container. */
    private final long[] believableMillis;

    private final Whereabouts.Answer[] whereabouts;
    /** The newest report that measured each container: null for one that ended, was never measured or is not believed. */
    private final ContainerReport[] measured;
    /** What that one's observed time was, where there is one. */
    private final long[] measuredMillis;
    /** When the ResourceManager first received what that report says. */
    private final Instant[] since;

    private final Instant oldest;
    private final int measuredCount;
    /** Since when most of its containers are not measured; null while they are. */
    private final Instant blindSince;

    private final int frozen;
    /** Until when it is decided on, once for all who ask. */
    private final Instant freshUntil;

    private final int refused;
    private final Outside outside;
    private final Capacities capacities;
    private final Scale scale;

    /** Made when first asked for: most samples are replaced before any request is ranked by them. */
    private volatile Map<String, InterferenceVector> running;

    NodeSample(String node, NodeReport report, Instant receivedAt, Optional<NodeSample> previous, SampleRules rules) {
        this.node = node;
        this.receivedAt = receivedAt;
        this.oldest = receivedAt.minus(rules.maxAge());
        Whereabouts scheduler = rules.scheduler();
        this.named = report.containers();
        int size = named.size();
        this.ids = new int[size];
        this.observedMillis = new long[size];
        this.believableMillis = new long[size];
        this.whereabouts = new Whereabouts.Answer[size];
        this.measured = new ContainerReport[size];
        this.measuredMillis = new long[size];
        this.since = new Instant[size];
        Places before = previous.map(Places::new).orElse(null);
        BitSet believed = new BitSet(size);
        int known = 0;
        int ownKnown = 0;
        int unknown = 0;
        int old = 0;
        for (int i = 0; i < size; i++) {
            ContainerReport container = named.get(i);
            ids[i] = container.container().hashCode();
            observedMillis[i] = Math.min(container.observed().toMillis(), LONGEST_MILLIS);
            int place = before == null ? -1 : before.find(container.container(), ids[i]);
            NodeSample last = before == null ? null : before.last;
            boolean wasHere = place >= 0 && last.whereabouts[place] == Whereabouts.Answer.HERE;
            whereabouts[i] = wasHere ? Whereabouts.Answer.HERE : scheduler.of(container.container(), node);
            boolean here = whereabouts[i] == Whereabouts.Answer.HERE;
            // What it said before the scheduler knew it is nobody's word.
            OptionalLong longest =
                    here && !wasHere ? scheduler.longestRunMillis(container.container()) : OptionalLong.empty();
            boolean credible = isCredible(i, last, place, longest)
                    && whereabouts[i] != Whereabouts.Answer.ELSEWHERE
                    && container.isPlausible();
            believed.set(i, credible);
            if (container.ended() || whereabouts[i] == Whereabouts.Answer.ELSEWHERE) {
                continue;
            }
            if (!here) {
                unknown++;
                if (unknown > MOST_UNKNOWN) {
                    continue;
                }
            }
            measure(i, credible && container.isMeasured(), last, place);
            if (measured[i] != null) {
                known++;
                boolean isOld = since[i].isBefore(oldest);
                old += isOld ? 1 : 0;
                ownKnown += here && !isOld ? 1 : 0;
            }
        }
        this.measuredCount = known;
        this.frozen = old;
        this.blindSince = blindSince(ownKnown, scheduler.allocated(node), previous);
        this.freshUntil = freshUntil(rules.maxAge());
        this.refused = size - believed.cardinality();
        this.report = refused == 0 ? report : withContainers(report, only(believed));
        this.own = ownOf(believed);
        this.outside = outside(previous, rules.outside());
        // A window in which it could not read them does not make it another machine.
        this.capacities = Capacities.of(report.figures())
                .or(previous.map(last -> last.capacities).orElse(Capacities.UNKNOWN));
        this.scale = rules.reference().scale(capacities);
    }

    /** A node that says of its containers what cannot be believed says nothing of what is beside them. */
    private Outside outside(Optional<NodeSample> previous, OutsideUse use) {
        Outside before = previous.map(last -> last.outside).orElse(Outside.UNKNOWN);
        if (use == OutsideUse.IGNORED) {
            return Outside.UNKNOWN;
        }
        return refused > 0 ? before : before.with(report.figures(), named, receivedAt);
    }

    /** @param ownMeasured of how many of its own containers there are levels that are not too old */
    private Instant blindSince(int ownMeasured, OptionalInt allocated, Optional<NodeSample> previous) {
        if (allocated.isEmpty() || allocated.getAsInt() < 2 || FEW * ownMeasured > allocated.getAsInt()) {
            return null;
        }
        Instant before = previous.map(last -> last.blindSince).orElse(null);
        return before == null ? receivedAt : before;
    }

    /**
     * @param place of the container in {@code last}; -1 if it is not there
     * @param longest for which it can have run
     */
    private boolean isCredible(int i, NodeSample last, int place, OptionalLong longest) {
        long observed = observedMillis[i];
        long bound = longest.isPresent() ? longest.getAsLong() + LATE_MILLIS : LONGEST_MILLIS;
        if (last == null) {
            // It may have run for long before this ResourceManager came.
            believableMillis[i] = Math.min(bound, observed + LATE_MILLIS);
            return observed <= bound;
        }
        long passed = FASTEST
                * Math.max(0, Duration.between(last.receivedAt, receivedAt).toMillis());
        boolean goesOn = place >= 0 && observed >= last.observedMillis[place];
        long most = Math.min(bound, goesOn ? last.believableMillis[place] + passed : passed + LATE_MILLIS);
        boolean credible = observed <= most;
        believableMillis[i] = credible ? Math.min(most, observed + LATE_MILLIS) : most;
        return credible;
    }

    /** Takes the levels of this report, or those that its container had before if it says no others. */
    private void measure(int i, boolean isMeasured, NodeSample last, int place) {
        measured[i] = isMeasured ? named.get(i) : null;
        measuredMillis[i] = observedMillis[i];
        since[i] = isMeasured ? receivedAt : null;
        boolean held = place >= 0 && last.measured[place] != null;
        if (held && !(isMeasured && last.measuredMillis[place] != observedMillis[i])) {
            measured[i] = isMeasured ? named.get(i) : last.measured[place];
            measuredMillis[i] = last.measuredMillis[place];
            since[i] = last.since[place];
        }
    }

    private List<ContainerReport> only(BitSet some) {
        return some.cardinality() == named.size()
                ? named
                : some.stream().mapToObj(named::get).toList();
    }

    private List<ContainerReport> ownOf(BitSet believed) {
        BitSet own = (BitSet) believed.clone();
        for (int i = 0; i < whereabouts.length; i++) {
            if (whereabouts[i] != Whereabouts.Answer.HERE) {
                own.clear(i);
            }
        }
        return only(own);
    }

    private static NodeReport withContainers(NodeReport report, List<ContainerReport> containers) {
        return new NodeReport(
                report.incarnation(), report.sequence(), report.measuredAt(), containers, report.figures());
    }

    /**
     * Finds containers in the last sample; asked in the order of the next one, which mostly is the same. Not thread-safe. 400,000
     * containers a second are looked for on a cluster of 10,000 nodes, and the last sample has long left the processor's caches.
     */
    private static final class Places {
        private final NodeSample last;
        private int next;
        /** Made when two reports differ in order. */
        private Map<String, Integer> byId;

        Places(NodeSample last) {
            this.last = last;
        }

        /** Returns where the last sample has {@code container}; -1 if it has not. */
        int find(String container, int hash) {
            boolean asExpected = next < last.ids.length
                    && last.ids[next] == hash
                    && last.id(next).equals(container);
            if (!asExpected) {
                next = byId().getOrDefault(container, -1);
            }
            return next++;
        }

        private Map<String, Integer> byId() {
            if (byId == null) {
                byId = new HashMap<>();
                for (int i = 0; i < last.ids.length; i++) {
                    byId.put(last.id(i), i);
                }
            }
            return byId;
        }
    }

    private String id(int place) {
        return named.get(place).container();
    }

    /**
     * Returns the sample that {@code report} makes of its node.
     *
     * @param previous the sample that it replaces
     * @param maxAge of a container's measurement, and of the sample
     * @param scheduler asked of each container until it has said once that it is here
     */
    public static NodeSample of(
            String node,
            NodeReport report,
            Instant receivedAt,
            Optional<NodeSample> previous,
            Duration maxAge,
            Whereabouts scheduler) {
        SampleRules rules = new SampleRules(maxAge, scheduler, OutsideUse.NEIGHBOUR, new ReferenceNode());
        return new NodeSample(node, report, receivedAt, previous, rules);
    }

    /** Host and port, as YARN writes a node id. */
    public String node() {
        return node;
    }

    /** Returns what the node reported, without the containers of which it is not believed. */
    public NodeReport report() {
        return report;
    }

    /** Returns of {@link #report} the containers that the scheduler has put here; of others only the node says that they are. */
    public List<ContainerReport> own() {
        return own;
    }

    /** Returns of how many containers the node is not believed. */
    public int refused() {
        return refused;
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

    /**
     * Returns what presses on the node and is of none of its containers, as one more neighbour of theirs; empty where nothing does that matters,
     * where it is not known, and where it is not to be used.
     */
    public InterferenceVector outside() {
        return outside.load();
    }

    /** Returns what levels on this node are in shares of the {@link ReferenceNode}: in those profiles are kept. */
    public Scale scale() {
        return scale;
    }

    /** Returns how many containers run whose measurement has not moved for too long. */
    public int frozen() {
        return frozen;
    }

    /** Returns how far the node's clock was ahead of the ResourceManager's when the report came; negative if behind. */
    public Duration clockSkew() {
        return Duration.between(receivedAt, report.measuredAt());
    }

    /** Returns whether the report is young enough to decide on, not frozen as a whole, and says something of the node's containers. */
    boolean isFresh(Instant now) {
        return !now.isAfter(freshUntil);
    }

    private Instant freshUntil(Duration maxAge) {
        boolean frozenAsAWhole = frozen > 0 && frozen == measuredCount;
        boolean blind =
                blindSince != null && Duration.between(blindSince, receivedAt).compareTo(BEGUN) > 0;
        return frozenAsAWhole || blind ? Instant.MIN : receivedAt.plus(maxAge);
    }

    /** Returns what this node's containers press together. */
    public InterferenceVector load() {
        return InterferenceVector.sum(running().values());
    }
}
