package org.interference.yarn.place;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/** Who is on a node, as far as tags ask for it. Immutable. */
public final class NodeCompany {
    /** Nobody, or nobody that matters. */
    public static final NodeCompany NOBODY = new NodeCompany(List.of());

    private final List<Occupant> occupants;
    private final boolean anyExclusive;

    NodeCompany(Collection<Occupant> occupants) {
        this.occupants = List.copyOf(occupants);
        boolean exclusive = false;
        for (Occupant occupant : this.occupants) {
            exclusive |= occupant.wishes().exclusive();
        }
        this.anyExclusive = exclusive;
    }

    /** Returns whether both are the very same occupants. */
    boolean isLike(NodeCompany other) {
        return occupants.equals(other.occupants);
    }

    /** Returns how many wishes are broken by placing {@code newcomer} here. */
    int breaches(Wishes wishes, Supplier<Occupant> newcomer) {
        if (!anyExclusive && !wishes.isChoosy()) {
            return 0;
        }
        Occupant comes = newcomer.get();
        int breaches = 0;
        for (Occupant occupant : occupants) {
            breaches += comes.breachesBeside(occupant);
        }
        return breaches;
    }

    /** Returns with how many of the groups that the newcomer talks to nobody is here. */
    int silences(Wishes wishes) {
        int silences = 0;
        for (String group : wishes.talks()) {
            boolean silent = true;
            for (Occupant occupant : occupants) {
                silent &= !occupant.wishes().talks().contains(group);
            }
            silences += silent ? 1 : 0;
        }
        return silences;
    }
}
