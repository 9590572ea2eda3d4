package org.interference.yarn.nm.collect;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.signal.Endpoint;
import org.interference.yarn.signal.Flow;

/**
 * What one container exchanges, by connection. Immutable.
 *
 * @param counted bytes so far, as of the newest sample; empty where nobody counts them
 * @param rates bytes a second in the newest window, those with the most first; empty where that is not known
 */
record ContainerFlows(Optional<List<Flow>> counted, List<Flow> rates) {
    static final ContainerFlows NONE = new ContainerFlows(Optional.empty(), List.of());

    ContainerFlows {
        counted = counted.map(List::copyOf);
        rates = List.copyOf(rates);
    }

    private record Ends(Endpoint local, Endpoint remote) {
        static Ends of(Flow flow) {
            return new Ends(flow.local(), flow.remote());
        }
    }

    /**
     * Adds a sample.
     *
     * @param now what was counted so far; empty where nobody counts it
     * @param seconds since the sample before; where there are none, nothing changes
     */
    ContainerFlows next(Optional<List<Flow>> now, double seconds) {
        if (now.isEmpty()) {
            return NONE;
        }
        if (counted.isEmpty()) {
            return new ContainerFlows(now, List.of());
        }
        if (seconds <= 0) {
            return this;
        }
        Map<Ends, Flow> before = new HashMap<>();
        counted.get().forEach(flow -> before.put(Ends.of(flow), flow));
        // Of one that was not among the first before, nobody knows what it had exchanged until then.
        boolean allWereKnown = counted.get().size() < CounterSource.MOST_FLOWS;
        List<Flow> rates = now.get().stream()
                .filter(flow -> allWereKnown || before.containsKey(Ends.of(flow)))
                .map(flow -> rate(flow, Optional.ofNullable(before.get(Ends.of(flow))), seconds))
                .filter(flow -> flow.sent() + flow.received() > 0)
                .sorted(Comparator.comparingLong((Flow flow) -> flow.sent() + flow.received())
                        .reversed())
                .limit(Flow.MOST)
                .toList();
        return new ContainerFlows(now, rates);
    }

    /** A count that went back began anew. */
    private static Flow rate(Flow now, Optional<Flow> before, double seconds) {
        Optional<Flow> base = before.filter(flow -> flow.sent() <= now.sent() && flow.received() <= now.received());
        long sent = now.sent() - base.map(Flow::sent).orElse(0L);
        long received = now.received() - base.map(Flow::received).orElse(0L);
        return new Flow(now.local(), now.remote(), Math.round(sent / seconds), Math.round(received / seconds));
    }
}
