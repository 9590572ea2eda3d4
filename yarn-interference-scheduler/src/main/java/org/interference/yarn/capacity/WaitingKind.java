package org.interference.yarn.capacity;

import java.util.Optional;
import org.interference.yarn.place.Offer;

/**
 * One kind of container that waits and may be placed on the node in question. Immutable.
 *
 * @param kind its name
 * @param request of one container
 * @param gain what one more of it would add to the node's work, as placement sees it; {@link Offer.Bid#UNKNOWN} if that is not known
 * @param memory what is known of the kind; empty if nothing is
 */
public record WaitingKind(String kind, Size request, Offer.Bid gain, Optional<KindMemory> memory) {}
