package org.interference.yarn.wire.intpd;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.interference.yarn.signal.Signal;

/** What intpd answers, as far as it is of use here. Immutable. */
public sealed interface IntpdAnswer {
    /**
     * Who answers.
     *
     * @param startNanos when this daemon started, by the node's monotonic clock: another value is another daemon
     * @param signals of each that this reader knows, whether the daemon counts it
     */
    record Hello(String daemon, String release, long startNanos, Map<Signal, IntpdAbility> signals)
            implements IntpdAnswer {
        public Hello {
            signals = Map.copyOf(signals);
            Objects.requireNonNull(daemon, "daemon is null");
            Objects.requireNonNull(release, "release is null");
        }
    }

    /** Which containers are watched, and by id why others are not. */
    record Watched(List<String> watched, Map<String, Refused> refused) implements IntpdAnswer {
        public Watched {
            watched = List.copyOf(watched);
            refused = Map.copyOf(refused);
        }
    }

    /** The containers are no longer watched. */
    record Unwatched() implements IntpdAnswer {}

    /**
     * The counts of every watched container since the daemon began to watch it.
     *
     * @param startNanos as in {@link Hello}
     * @param containers by container id; signals that this reader does not know are left out
     * @param takers by container id, who took its CPU, the most often first; without containers of which nobody knows
     * @param peers by container id, with whom it exchanges bytes, those with the most first; without containers of which nobody knows
     */
    record Snapshot(
            long startNanos,
            Map<String, Map<Signal, IntpdCount>> containers,
            Map<String, List<IntpdTaker>> takers,
            Map<String, List<IntpdPeer>> peers)
            implements IntpdAnswer {
        public Snapshot {
            takers = Map.copyOf(takers);
            peers = Map.copyOf(peers);
            Map<String, Map<Signal, IntpdCount>> copy = new LinkedHashMap<>();
            containers.forEach((id, counts) -> copy.put(id, Map.copyOf(counts)));
            containers = Collections.unmodifiableMap(copy);
        }

        /** Of a daemon that knows neither who took whose CPU nor who talks to whom. */
        public Snapshot(long startNanos, Map<String, Map<Signal, IntpdCount>> containers) {
            this(startNanos, containers, Map.of(), Map.of());
        }
    }

    /**
     * A refusal, of a whole request or of one container.
     *
     * @param code for programs, such as {@code no_process}; may be one that this reader does not know
     * @param message for people; may name the container or the process
     */
    record Refused(String code, String message) implements IntpdAnswer {
        public Refused {
            Objects.requireNonNull(code, "code is null");
            Objects.requireNonNull(message, "message is null");
        }
    }
}
