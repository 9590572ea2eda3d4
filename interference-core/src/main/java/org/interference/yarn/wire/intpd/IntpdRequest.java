package org.interference.yarn.wire.intpd;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.interference.yarn.signal.Signal;

/** What can be asked of intpd. Immutable. */
public sealed interface IntpdRequest {
    /** The operation's name in the protocol. */
    String op();

    /** Which daemon is this? Answered by {@link IntpdAnswer.Hello}. */
    record Hello() implements IntpdRequest {
        @Override
        public String op() {
            return "hello";
        }
    }

    /**
     * Count these containers from now on. Answered by {@link IntpdAnswer.Watched}.
     *
     * @param roots the root process of each container, by container id; sent in the map's order
     */
    record Watch(Map<String, Root> roots) implements IntpdRequest {
        public Watch {
            roots = Collections.unmodifiableMap(new LinkedHashMap<>(roots));
        }

        @Override
        public String op() {
            return "watch";
        }
    }

    /**
     * The process that a container was launched as.
     *
     * @param startTicks when it started, in clock ticks since boot: the pid may be another process's by the time it is read; empty
     *     where that is not known
     */
    record Root(long pid, OptionalLong startTicks) {
        public Root {
            Objects.requireNonNull(startTicks, "startTicks is null");
        }
    }

    /** Forget these containers. Answered by {@link IntpdAnswer.Unwatched}. */
    record Unwatch(List<String> containers) implements IntpdRequest {
        public Unwatch {
            containers = List.copyOf(containers);
        }

        @Override
        public String op() {
            return "unwatch";
        }
    }

    /**
     * What has been counted of every watched container? Answered by {@link IntpdAnswer.Snapshot}.
     *
     * @param said what the same daemon said of signals in {@link IntpdAnswer.Hello}: what it has not changed of that it need not say
     *     again; empty to be told everything
     */
    record Snapshot(Map<Signal, IntpdAbility> said) implements IntpdRequest {
        public Snapshot {
            said = Map.copyOf(said);
        }

        public Snapshot() {
            this(Map.of());
        }

        @Override
        public String op() {
            return "snapshot";
        }
    }
}
