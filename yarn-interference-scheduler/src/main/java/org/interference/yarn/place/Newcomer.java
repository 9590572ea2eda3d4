package org.interference.yarn.place;

import java.util.Optional;

/**
 * Who is to be placed. Immutable.
 *
 * @param kind empty without a profile: then only tags order the nodes
 * @param weight how many times its slowdown counts
 * @param applicant empty while nobody's tags wish for anything
 */
record Newcomer(Optional<TaskKind> kind, double weight, Optional<Applicant> applicant) {
    /** One that is like any other. */
    static Newcomer of(TaskKind kind) {
        return new Newcomer(Optional.of(kind), 1, Optional.empty());
    }
}
