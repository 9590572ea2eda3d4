package org.interference.yarn.place;

import java.util.Optional;

/**
 * One node that the parent scheduler offers to a request. Immutable.
 *
 * @param fits whether the request fits into what is unallocated
 * @param load of the node; empty if there is no fresh sample
 */
public record Candidate(String node, boolean fits, Locality locality, Optional<NodeLoad> load) {}
