package org.interference.yarn.place;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What was decided about a node for the visit of it that goes on: it is decided once, and whoever of those that were thought of is asked next
 * hears the same. Only for the thread that visits.
 */
public final class DecidedVisit {
    private String node = "";
    private List<Matching.Contender> thoughtOf = List.of();
    private OptionalInt winner = OptionalInt.empty();
    private Optional<Offered> offered = Optional.empty();

    /** Notes that another visit begins. */
    public void forget() {
        thoughtOf = List.of();
    }

    void note(String visited, List<Matching.Contender> all, Offered decided) {
        node = visited;
        thoughtOf = all;
        winner = decided.decision().winner();
        offered = Optional.of(decided);
    }

    boolean knows(String visited, Matching.Contender contender) {
        return node.equals(visited) && thoughtOf.contains(contender);
    }

    /** Returns what becomes of the offer to one who was thought of. */
    Matching.Reason reason(Matching.Contender contender) {
        if (winner.isEmpty()) {
            return Matching.Reason.LEFT;
        }
        return contender.equals(thoughtOf.get(winner.getAsInt()))
                ? Matching.Reason.TAKEN_BETTER
                : Matching.Reason.DECLINED_FOR_ANOTHER;
    }

    /** Returns who waited, and what each would have gained; empty if nothing was decided yet. */
    Optional<Offered> offered() {
        return offered;
    }
}
