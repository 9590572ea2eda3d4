package org.interference.yarn.plan;

import java.util.List;

/**
 * One factor of a machine's cost, for people. Immutable.
 *
 * @param of what it is about: a resource, or the tier that is slowed down
 * @param factor at least 1
 * @param tiers the tiers that have to do with it
 */
public record Term(String of, double factor, List<String> tiers) {
    public Term {
        tiers = List.copyOf(tiers);
    }
}
