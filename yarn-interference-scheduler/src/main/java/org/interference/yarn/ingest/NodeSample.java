package org.interference.yarn.ingest;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
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
 * had it, and one whose observed time grows more than twice as fast as this side's clock, but for a minute that it may
 * come late. Of containers that the scheduler does not know sixteen count as load. A node that measures few of those that the
 * scheduler has there, for two minutes, is not taken for an idle one: it is not fresh.
 */
public final class NodeSample {
    /** One collector measures all containers of a node: after so many that add no signal, the others are taken to add none either. */
    private static final int ENOUGH_ALIKE = 8;

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
    private final NamedContainers containers;
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
        NamedContainers before = previous.map(last -> last.containers).orElse(null);
        this.containers = new NamedContainers(node, report.containers(), receivedAt, before, scheduler);
        this.measuredCount = containers.measured();
        this.frozen = containers.measuredBefore(oldest);
        this.blindSince = blindSince(containers.ownMeasuredSince(oldest), scheduler.allocated(node), previous);
        this.freshUntil = freshUntil(rules.maxAge());
        this.refused = containers.refused();
        this.report = refused == 0 ? report : withContainers(report, containers.believed());
        this.own = containers.own();
        this.outside = outside(report, previous, rules.outside());
        // A window in which it could not read them does not make it another machine.
        this.capacities = Capacities.of(report.figures())
                .or(previous.map(last -> last.capacities).orElse(Capacities.UNKNOWN));
        this.scale = rules.reference().scale(capacities);
    }

    /** A node that says of its containers what cannot be believed says nothing of what is beside them. */
    private Outside outside(NodeReport whole, Optional<NodeSample> previous, OutsideUse use) {
        Outside before = previous.map(last -> last.outside).orElse(Outside.UNKNOWN);
        if (use == OutsideUse.IGNORED) {
            return Outside.UNKNOWN;
        }
        return refused > 0 ? before : before.with(whole.figures(), whole.containers(), receivedAt);
    }

    /** @param ownMeasured of how many of its own containers there are levels that are not too old */
    private Instant blindSince(int ownMeasured, OptionalInt allocated, Optional<NodeSample> previous) {
        if (allocated.isEmpty() || allocated.getAsInt() < 2 || FEW * ownMeasured > allocated.getAsInt()) {
            return null;
        }
        Instant before = previous.map(last -> last.blindSince).orElse(null);
        return before == null ? receivedAt : before;
    }

    private static NodeReport withContainers(NodeReport report, List<ContainerReport> containers) {
        return new NodeReport(
                report.incarnation(), report.sequence(), report.measuredAt(), containers, report.figures());
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

    /** Returns how many of the containers that run there are not among {@link #running}: of those nobody knows what they press on. */
    public int unmeasured() {
        Map<String, InterferenceVector> known = running();
        int unmeasured = 0;
        for (ContainerReport container : own) {
            unmeasured += !container.ended() && !known.containsKey(container.container()) ? 1 : 0;
        }
        return unmeasured;
    }

    private Map<String, InterferenceVector> measuredLately() {
        Map<String, InterferenceVector> lately = new LinkedHashMap<>();
        containers.visitMeasuredSince(oldest, container -> {
            lately.put(container.container(), container.newest());
            return true;
        });
        return Collections.unmodifiableMap(lately);
    }

    /** Returns the signals that were measured lately of at least one container that runs. Cheaper than {@link #running}. */
    Set<Signal> measured() {
        EnumSet<Signal> signals = EnumSet.noneOf(Signal.class);
        int[] alike = {0};
        containers.visitMeasuredSince(oldest, container -> {
            alike[0] = container.addMeasuredTo(signals) ? 0 : alike[0] + 1;
            return alike[0] < ENOUGH_ALIKE;
        });
        return signals;
    }

    /**
     * Returns what presses on the node and is of none of its containers, as one more neighbour of theirs; empty where nothing does that matters,
     * where it is not known, and where it is not to be used.
     */
    public InterferenceVector outside() {
        return outside.load();
    }

    /** Returns what the node has of what levels are shares of. */
    public Capacities capacities() {
        return capacities;
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
