package org.interference.yarn.sim.optimum;

import org.interference.yarn.sim.workload.SimTaskKind;

/**
 * A task of which everything is known. Immutable.
 *
 * @param number that no other task of the instance has
 * @param application the name of its job
 * @param kind what it presses on
 * @param submitted seconds since the beginning
 * @param work seconds that it takes alone, positive
 */
public record KnownTask(int number, String application, SimTaskKind kind, double submitted, double work) {
    /** Returns whether it makes no difference which of the two is started when. */
    boolean isLike(KnownTask other) {
        return application.equals(other.application)
                && kind.equals(other.kind)
                && submitted == other.submitted
                && work == other.work;
    }
}
