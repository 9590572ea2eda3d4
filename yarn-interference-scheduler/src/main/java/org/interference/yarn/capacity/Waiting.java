package org.interference.yarn.capacity;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Those that wait for a node, taken together. Immutable. */
final class Waiting {
    private final List<WaitingKind> kinds;
    private final List<WaitingKind> known;

    private Waiting(List<WaitingKind> kinds) {
        this.kinds = kinds;
        this.known = kinds.stream().filter(kind -> kind.gain().isKnown()).toList();
    }

    static Waiting of(List<WaitingKind> kinds) {
        return new Waiting(kinds);
    }

    boolean isAnybody() {
        return !kinds.isEmpty();
    }

    boolean isAnyKnown() {
        return !known.isEmpty();
    }

    /** Returns the highest lower bound of what one of them would add; negative infinity if nothing is known. */
    double atLeast() {
        return known.stream().mapToDouble(kind -> kind.gain().atLeast()).max().orElse(Double.NEGATIVE_INFINITY);
    }

    /** Returns the highest upper bound of the same; negative infinity if nothing is known. */
    double atMost() {
        return known.stream().mapToDouble(kind -> kind.gain().atMost()).max().orElse(Double.NEGATIVE_INFINITY);
    }

    /** Returns what one of them asks for, whose gain is surest; of nothing if nobody's is known. */
    Size unit() {
        Optional<WaitingKind> surest = known.stream()
                .max(Comparator.comparingDouble(kind -> kind.gain().atLeast()));
        return surest.map(WaitingKind::request).orElse(Size.ZERO);
    }

    /** Returns the most memory that one of them will use, whichever it is; there must be somebody. */
    Peak peak() {
        return Peak.ofAny(kinds);
    }
}
