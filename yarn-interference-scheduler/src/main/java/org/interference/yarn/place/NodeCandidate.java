package org.interference.yarn.place;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One node that the parent scheduler offers to a request. Immutable.
 *
 * @param fits whether the request fits into what is unallocated
 * @param load of the node; empty if there is no fresh sample
 * @param company who is there; only asked for without a load
 * @param measuredAt when the sample that it is made of was received
 */
public record NodeCandidate(
        String node,
        boolean fits,
        Locality locality,
        Optional<NodeLoad> load,
        Supplier<NodeCompany> company,
        Optional<Instant> measuredAt) {
    /** One of whose sample nobody asks how old it is, and on which nobody is whom no sample shows. */
    NodeCandidate(String node, boolean fits, Locality locality, Optional<NodeLoad> load) {
        this(node, fits, locality, load, Optional.empty());
    }

    /** One on which nobody is whom no sample shows. */
    public NodeCandidate(
            String node, boolean fits, Locality locality, Optional<NodeLoad> load, Optional<Instant> measuredAt) {
        this(node, fits, locality, load, () -> NodeCompany.NOBODY, measuredAt);
    }
}
