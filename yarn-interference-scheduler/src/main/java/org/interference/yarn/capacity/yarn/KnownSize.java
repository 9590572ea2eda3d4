package org.interference.yarn.capacity.yarn;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.interference.yarn.capacity.Size;

/**
 * Who gave one node its size. Immutable.
 *
 * @param configured what anybody but us gave it lately
 * @param asked what we have asked YARN for, the newest first, two at the most: the newest may be on its way
 * @param grownSince since when it may hold containers that it would not as it is configured; empty if never
 */
record KnownSize(Size configured, List<Size> asked, Optional<Instant> grownSince) {
    KnownSize {
        asked = List.copyOf(asked);
    }

    /** Returns what is known of a node that nobody has looked at before. */
    static KnownSize of(Size now) {
        return new KnownSize(now, List.of(), Optional.empty());
    }

    /**
     * Returns what is known of a node that nobody has looked at before, and that an earlier ResourceManager kept a configured size of: what it has above that is what it
     * was given then, unless its NodeManager has begun anew since and registered with a larger configuration. Empty until it is known whether it has.
     *
     * @param nodeSince when its NodeManager began, by the newest report
     * @param mostTimes what is configured any node is ever given
     */
    static Optional<KnownSize> of(Size now, Optional<KeptSize> kept, OptionalLong nodeSince, double mostTimes) {
        Optional<Size> smaller = kept.map(KeptSize::configured)
                .filter(configured -> !now.fitsIn(configured) && now.fitsIn(configured.times(mostTimes)));
        if (smaller.isEmpty()) {
            return Optional.of(of(now));
        }
        OptionalLong then = kept.get().nodeSince();
        if (then.isPresent() && nodeSince.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                then.isPresent() && !then.equals(nodeSince)
                        ? of(now)
                        : new KnownSize(smaller.get(), List.of(now), Optional.empty()));
    }

    /** Returns this once YARN is seen to take the node for {@code now}: a size that we have not asked for is somebody else's, and is the configured one from then on. */
    KnownSize seen(Size now) {
        if (!asked.isEmpty() && now.equals(asked.get(0))) {
            return new KnownSize(configured, now.equals(configured) ? List.of() : List.of(now), grownSince);
        }
        return now.equals(configured) || asked.contains(now) ? this : of(now);
    }

    /** Returns this after we have asked for {@code size}. */
    KnownSize asks(Size size, Instant at) {
        if (!asked.isEmpty() && size.equals(asked.get(0))) {
            return this;
        }
        boolean grows = !size.fitsIn(configured);
        return new KnownSize(
                configured,
                asked.isEmpty() ? List.of(size) : List.of(size, asked.get(0)),
                grows ? grownSince.or(() -> Optional.of(at)) : grownSince);
    }

    /** Returns whether YARN, which takes the node for {@code now}, has not done yet what we asked for last. */
    boolean isLate(Size now) {
        return !asked.isEmpty() && !now.equals(asked.get(0));
    }
}
