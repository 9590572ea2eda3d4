package org.interference.yarn.place;

import java.util.List;
import java.util.Optional;
import org.interference.yarn.signal.InterferenceVector;

/**
 * One node that the parent scheduler offers to a request. Immutable.
 *
 * @param fits whether the request fits into what is unallocated
 * @param load of each container on the node, measured or predicted; empty if there is no fresh sample
 */
public record Candidate(String node, boolean fits, Locality locality, Optional<List<InterferenceVector>> load) {
    public Candidate {
        load = load.map(List::copyOf);
    }
}
