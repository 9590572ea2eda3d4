package org.interference.yarn.learn;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.interference.yarn.signal.Signal;

/**
 * What one life of the learning stage has seen, for the next to go on from. Immutable. Live errors are not in it: they are of one life.
 *
 * @param alone run times of each kind of task with nobody beside it, as {@code undisturbed} those used longest ago first
 * @param undisturbed how fast each kind gets on, by what that is measured by
 */
public record Experience(
        Samples samples, Map<String, RunTimesAlone> alone, Map<Signal, Map<String, RateRuns>> undisturbed) {
    public static final Experience NONE =
            new Experience(new Samples(List.of(), List.of(), List.of(), 0, 0, 0, 0), Map.of(), Map.of());

    public Experience {
        Objects.requireNonNull(samples, "samples is null");
        alone = Collections.unmodifiableMap(new LinkedHashMap<>(alone));
        EnumMap<Signal, Map<String, RateRuns>> rates = new EnumMap<>(Signal.class);
        undisturbed.forEach((rate, kinds) -> {
            if (!kinds.isEmpty()) {
                rates.put(rate, Collections.unmodifiableMap(new LinkedHashMap<>(kinds)));
            }
        });
        undisturbed = Collections.unmodifiableMap(rates);
    }

    /**
     * The observations that models are trained on and compared by.
     *
     * @param recent the newest, oldest first, as {@code heldOut}
     * @param reservoir of those before
     * @param total how many observations there ever were, of which {@code left} are no longer among the recent ones
     * @param drifts how often the world had changed by then, the last time when there were {@code totalAtDrift}
     */
    public record Samples(
            List<Kept> recent,
            List<Kept> reservoir,
            List<Kept> heldOut,
            long total,
            long left,
            int drifts,
            long totalAtDrift) {
        public Samples {
            recent = List.copyOf(recent);
            reservoir = List.copyOf(reservoir);
            heldOut = List.copyOf(heldOut);
            int kept = recent.size() + reservoir.size() + heldOut.size();
            if (left < reservoir.size() || total < kept || total < totalAtDrift || drifts < 0 || totalAtDrift < 0) {
                throw new IllegalArgumentException(
                        "counts contradict: %d observations are kept of %d, %d of %d that left, after %d drifts at %d"
                                .formatted(kept, total, reservoir.size(), left, drifts, totalAtDrift));
            }
        }

        /** Returns how many observations are kept. */
        public int size() {
            return recent.size() + reservoir.size() + heldOut.size();
        }
    }

    /**
     * An observation that is kept.
     *
     * @param drifts after how many it was observed
     */
    public record Kept(Observation observation, int drifts) {
        public Kept {
            Objects.requireNonNull(observation, "observation is null");
        }
    }
}
