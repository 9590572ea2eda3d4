package org.interference.yarn.place;

import java.util.List;
import java.util.Optional;
import org.interference.yarn.profile.TaskProfile;

/**
 * The order of nodes that one request got, and why. Immutable.
 *
 * @param mode in which it was made; only {@link Mode#ON} changes what the parent does
 * @param verdicts of the fitting nodes, in the order to try them; empty unless the reason is {@link Reason#RANKED} or {@link
 *     Reason#RANKED_BY_TAGS}
 * @param parentsChoice the first fitting node that the parent offered; empty if the nodes were not looked at
 * @param offered what was decided, or would have been, when the node was offered to who waited; empty if nobody was asked
 */
public record Ranking(
        Request request,
        Mode mode,
        Reason reason,
        Optional<TaskProfile> profile,
        List<Verdict> verdicts,
        Optional<String> parentsChoice,
        Optional<Offered> offered) {
    /** Whose order it is, and why. The name is also the counter and the REST value. */
    public enum Reason {
        /** By predicted interference. */
        RANKED,
        /** By what tags cost there: nothing else is known. */
        RANKED_BY_TAGS,
        /** By what the tasks that waited for the node would gain there. */
        MATCHED,
        /** The parent's: an application master is never moved or held back. */
        PARENT_AM_CONTAINER,
        /** The parent's: there is no profile of this kind of task. */
        PARENT_NO_PROFILE,
        /** The parent's: what it gains is known of no fitting node. */
        PARENT_NOTHING_KNOWN,
        /** The parent's: it offered a single node. */
        PARENT_SINGLE_NODE,
        /** The parent's: the request is not ranked (placement constraints, a reserved container, a queue that is off). */
        PARENT_NOT_RANKED,
        /** The parent's: the plugin had taken its share of the scheduler's time. */
        PARENT_NO_TIME,
        /** The parent's: ranking took too long; that was counted. */
        PARENT_TOO_SLOW,
        /** The parent's: ranking failed; the error was counted. */
        PARENT_AFTER_ERROR
    }

    public Ranking {
        verdicts = List.copyOf(verdicts);
    }

    /** One of nodes that the parent offered in any order. */
    public Ranking(Request request, Mode mode, Reason reason, Optional<TaskProfile> profile, List<Verdict> verdicts) {
        this(request, mode, reason, profile, verdicts, Optional.empty(), Optional.empty());
    }

    /** The same with what was decided when the node was offered. */
    public Ranking with(Optional<Offered> decided) {
        return decided.isEmpty() ? this : new Ranking(request, mode, reason, profile, verdicts, parentsChoice, decided);
    }

    static Ranking parent(Request request, Mode mode, Reason reason, Optional<TaskProfile> profile) {
        return new Ranking(request, mode, reason, profile, List.of());
    }

    /** Returns whether the parent's order is replaced by this one. */
    public boolean reorders() {
        return mode == Mode.ON && (reason == Reason.RANKED || reason == Reason.RANKED_BY_TAGS);
    }
}
