package org.interference.yarn.capacity.yarn;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.interference.yarn.capacity.Size;

/**
 * Who gave one node its size. Immutable.
 *
 * @param configured what anybody but us gave it lately
 * @param asked what we have asked YARN for, the newest first, eight at the most: all but the last may be on their way
 * @param grownSince since when it may hold containers that it would not as it is configured; empty if never
 */
record KnownSize(Size configured, List<Size> asked, Optional<Instant> grownSince) {
    /** As many decisions take longer than YARN is ever late. */
    private static final int MOST_ASKED = 8;

    KnownSize {
        asked = List.copyOf(asked);
    }

    /** Returns what is known of a node that nobody has looked at before. */
    static KnownSize of(Size now) {
        return new KnownSize(now, List.of(), Optional.empty());
    }

    /**
     * Returns what is known of a node that nobody has looked at before, and that an earlier ResourceManager kept a configured size of: another one is what it was given
     * then, unless its NodeManager has begun anew since and registered with another configuration. Empty until it is known whether it has. Where it is not known when the
     * NodeManager began, only a larger one is. When it first grew nobody kept: each of its containers may have come after that, and those are there by growth that do not
     * fit what is configured beside those that came before them.
     *
     * @param nodeSince when its NodeManager began, by the newest report
     * @param mostTimes what is configured any node is ever given
     */
    static Optional<KnownSize> of(Size now, Optional<KeptSize> kept, OptionalLong nodeSince, double mostTimes) {
        OptionalLong then = kept.map(KeptSize::nodeSince).orElse(OptionalLong.empty());
        Optional<Size> before = kept.map(KeptSize::configured)
                .filter(configured -> then.isPresent() ? !now.equals(configured) : !now.fitsIn(configured))
                .filter(configured -> now.fitsIn(configured.times(mostTimes)));
        if (before.isEmpty()) {
            return Optional.of(of(now));
        }
        if (then.isPresent() && nodeSince.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                then.isPresent() && !then.equals(nodeSince)
                        ? of(now)
                        : new KnownSize(before.get(), List.of(now), Optional.of(Instant.EPOCH)));
    }

    /** Returns this once YARN is seen to take the node for {@code now}: a size that we have not asked for is somebody else's, and is the configured one from then on. */
    KnownSize seen(Size now) {
        int place = asked.lastIndexOf(now);
        if (place == 0) {
            return new KnownSize(configured, now.equals(configured) ? List.of() : List.of(now), grownSince);
        }
        if (place > 0) {
            // YARN does one after the other: what we asked for before that has been. Whether it is there for the first
            // time or again shows later.
            boolean again = now.equals(asked.get(0));
            return new KnownSize(configured, asked.subList(0, again ? place : place + 1), grownSince);
        }
        return now.equals(configured) ? this : of(now);
    }

    /** Returns this after somebody else has given the node {@code size}: what we have asked for may come after it. */
    KnownSize given(Size size) {
        return size.equals(configured) ? this : new KnownSize(size, asked, Optional.empty());
    }

    /** Returns this after we have asked for {@code size}. */
    KnownSize asks(Size size, Instant at) {
        if (!asked.isEmpty() && size.equals(asked.get(0))) {
            return this;
        }
        boolean grows = !size.fitsIn(configured);
        return new KnownSize(
                configured,
                Stream.concat(Stream.of(size), asked.stream()).limit(MOST_ASKED).toList(),
                grows ? grownSince.or(() -> Optional.of(at)) : grownSince);
    }

    /** Returns whether YARN, which takes the node for {@code now}, has not done yet what we asked for last. */
    boolean isLate(Size now) {
        return !asked.isEmpty() && !now.equals(asked.get(0));
    }
}
