package org.interference.yarn.relocate;

import java.util.List;
import java.util.Optional;

/**
 * What a published policy would do. Immutable.
 *
 * @param policy its published name
 * @param move empty if it moves nobody
 * @param checks its conditions as they were found, of the container that it would move, or else of the first that it looked at; empty if nothing that it needs is
 *     measured, and of a policy without conditions
 */
public record HerdChoice(String policy, Optional<Move> move, List<Check> checks) {
    public HerdChoice {
        checks = List.copyOf(checks);
    }

    /** A container that is to be moved from one host to another. */
    public record Move(String container, String from, String to) {}

    /**
     * A condition.
     *
     * @param value what it was found to be
     * @param threshold what that must reach, or, of missing samples, not exceed; of a host, 1 if it is another one
     */
    public record Check(OltpPolicy.Gate gate, double value, double threshold, boolean passed) {}
}
