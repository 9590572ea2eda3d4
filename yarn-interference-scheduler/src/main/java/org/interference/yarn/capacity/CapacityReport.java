package org.interference.yarn.capacity;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.interference.yarn.place.Mode;

/**
 * What the capacity stage makes of all nodes. Immutable.
 *
 * @param configuredMode as it is set, of nodes whose label has no mode of its own
 * @param mode of these, in force: off also while placement is off in every queue or has failed too often
 * @param labelModes of labels that have one of their own, in force, by name
 * @param nodes in the order of their names; empty while all modes are off, and until it is read from the profile store which nodes were given other sizes before
 * @param notApplied nodes that YARN still takes for another size than it was asked for at the decision before: mostly none
 * @param evictions how many containers had to go
 * @param killed how many were killed for memory, as far as is known, on nodes that had been larger than configured
 * @param lostShare share of all containers' run time that was lost by growing, from 0 to 1
 * @param gainSeconds of work of tasks alone that one more container on each node that was to be larger would surely have added: with {@link Mode#ON} it was there
 *     for somebody
 * @param reasons how often each was given
 */
public record CapacityReport(
        Mode configuredMode,
        Mode mode,
        Map<String, Mode> labelModes,
        List<Node> nodes,
        long notApplied,
        long evictions,
        long killed,
        double lostShare,
        double gainSeconds,
        Map<SizeDecision.Reason, Long> reasons) {
    /** Of a cluster whose nodes' sizes nobody looks at. */
    public static final CapacityReport OFF =
            new CapacityReport(Mode.OFF, Mode.OFF, Map.of(), List.of(), 0, 0, 0, 0, 0, Map.of());

    public CapacityReport {
        labelModes = Map.copyOf(labelModes);
        nodes = List.copyOf(nodes);
        reasons = Map.copyOf(reasons);
    }

    /** Why a decision about a node is not followed, but for going back to what is configured. */
    public enum StandsBack {
        /** Nothing is decided about nodes with its label. */
        OFF,
        /** It is only to be told. */
        SHADOW,
        /**
         * Its configured size is not in the profile store yet: after a fail-over nobody would know it. Or it is larger than what stands there, and has not reported yet, so
         * that nobody knows whether an earlier ResourceManager has given it that or its NodeManager was configured anew.
         */
        NOT_KEPT,
        /** YARN keeps what is free there for somebody, or it is no longer to take containers. */
        RESERVED,
        /** An administrator has given it a time after which YARN kills what does not fit: no size of ours may cause that. */
        OVERCOMMIT_TIMEOUT,
        /** It is about to leave the cluster, or is not healthy: YARN has set its size. */
        NOT_RUNNING
    }

    /**
     * One node.
     *
     * @param configured what the administrator gave it
     * @param usable what YARN takes it for
     * @param used what YARN counts its containers as
     * @param decision the newest; empty before the first, and where there is none to make
     * @param standsBack why the decision is not followed; empty if it is
     */
    public record Node(
            String node,
            Size configured,
            Size usable,
            Size used,
            Optional<SizeDecision> decision,
            Optional<StandsBack> standsBack) {
        /** Returns the size that it should have: what it has, if nobody can say. */
        public Size wanted() {
            return decision.map(SizeDecision::size).orElse(usable);
        }
    }

    /** Returns what all nodes have together of one size. */
    public Size total(Function<Node, Size> of) {
        return nodes.stream().map(of).reduce(Size.ZERO, Size::plus);
    }

    /** Returns about how many nodes decisions are not followed for this reason. */
    public long standingBack(StandsBack reason) {
        return nodes.stream()
                .filter(node -> node.standsBack().equals(Optional.of(reason)))
                .count();
    }

    /** Returns how many nodes are larger than they are configured. */
    public long grown() {
        return nodes.stream()
                .filter(node -> !node.usable().fitsIn(node.configured()))
                .count();
    }
}
