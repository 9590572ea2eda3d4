package org.interference.yarn.signal;

import java.util.Objects;

/** One signal of one container: a measurement, or the reason why there is none. */
public sealed interface Reading {
    /** Who measured: {@code proc}, {@code ebpf}, ... */
    String source();

    /**
     * A measurement.
     *
     * @param level over the newest sampling window, as the signal defines it, {@code >= 0}
     * @param mean the level over the whole time observed: what was used of what there was, {@code >= 0}
     * @param raw what {@code level} was before clipping, {@code >= 0}
     * @param apportioned whether a share of a node-wide figure was attributed to the container
     */
    record Measured(double level, double mean, double raw, boolean apportioned, String source) implements Reading {
        public Measured {
            requireLevel("level", level);
            requireLevel("mean", mean);
            requireLevel("raw", raw);
            Objects.requireNonNull(source, "source is null");
        }

        private static void requireLevel(String what, double value) {
            if (!Double.isFinite(value) || value < 0) {
                throw new IllegalArgumentException("%s must be finite and >= 0, got %s".formatted(what, value));
            }
        }
    }

    /** No measurement, and why. */
    record Unavailable(String reason, String source) implements Reading {
        public Unavailable {
            Objects.requireNonNull(reason, "reason is null");
            Objects.requireNonNull(source, "source is null");
        }
    }
}
