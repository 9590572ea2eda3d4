package org.interference.yarn.nm.collect;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;

/**
 * One container since its first sample. Immutable.
 *
 * @param endedTicks for how many ticks the NodeManager has no longer listed it; 0 while it runs
 */
record ContainerHistory(
        String id, long firstNanos, long newestNanos, int endedTicks, Map<Signal, SignalHistory> signals) {
    ContainerHistory {
        signals = Collections.unmodifiableMap(signals);
    }

    static ContainerHistory first(String id, long nanos, Map<Signal, Count> counts) {
        EnumMap<Signal, SignalHistory> signals = new EnumMap<>(Signal.class);
        counts.forEach((signal, count) -> signals.put(signal, SignalHistory.first(signal, count)));
        return new ContainerHistory(id, nanos, nanos, 0, signals);
    }

    /** A sample in which nothing is counted any more, as of one whose processes have just ended, is none. */
    ContainerHistory with(long nanos, Map<Signal, Count> counts) {
        if (counts.values().stream().allMatch(count -> count instanceof Count.NotCounted) && isMeasured()) {
            return withoutSample();
        }
        EnumMap<Signal, SignalHistory> next = new EnumMap<>(Signal.class);
        next.putAll(signals);
        counts.forEach((signal, count) -> {
            SignalHistory known = signals.get(signal);
            next.put(signal, known == null ? SignalHistory.first(signal, count) : known.with(count));
        });
        return new ContainerHistory(id, firstNanos, nanos, 0, next);
    }

    private boolean isMeasured() {
        return signals.values().stream().anyMatch(history -> history.reading() instanceof Reading.Measured);
    }

    ContainerHistory withoutSample() {
        return new ContainerHistory(id, firstNanos, newestNanos, 0, signals);
    }

    ContainerHistory ended() {
        return new ContainerHistory(id, firstNanos, newestNanos, endedTicks + 1, signals);
    }

    ContainerReport report() {
        EnumMap<Signal, Reading> readings = new EnumMap<>(Signal.class);
        signals.forEach((signal, history) -> readings.put(signal, history.reading()));
        return new ContainerReport(id, Duration.ofNanos(newestNanos - firstNanos), endedTicks > 0, readings);
    }
}
