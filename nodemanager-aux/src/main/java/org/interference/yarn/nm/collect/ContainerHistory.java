package org.interference.yarn.nm.collect;

import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.Preemptor;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;

/**
 * One container since its first sample. Immutable.
 *
 * @param watched the container with the last process that was known of it
 * @param endedNanos when the NodeManager was found not to list it any more; means nothing while it runs
 * @param taken how often who took its CPU, as of the newest sample, by the taker's id; empty if that did not tell it
 * @param preemptors the same in the newest window
 * @param flows what it exchanges, by connection
 * @param endedTicks in how many reports it has ended; 0 while it runs
 */
record ContainerHistory(
        WatchedContainer watched,
        Optional<LaunchSignature> launch,
        long firstNanos,
        long newestNanos,
        long endedNanos,
        int endedTicks,
        Map<Signal, SignalHistory> signals,
        Optional<Map<String, Double>> taken,
        List<Preemptor> preemptors,
        ContainerFlows flows) {
    private static final double NANOS_PER_SECOND = 1e9;

    ContainerHistory {
        signals = Collections.unmodifiableMap(signals);
        taken = taken.map(Map::copyOf);
        preemptors = List.copyOf(preemptors);
    }

    static ContainerHistory first(
            WatchedContainer watched, Optional<LaunchSignature> launch, long nanos, Map<Signal, Count> counts) {
        EnumMap<Signal, SignalHistory> signals = new EnumMap<>(Signal.class);
        counts.forEach((signal, count) -> signals.put(signal, SignalHistory.first(signal, count)));
        return new ContainerHistory(
                watched, launch, nanos, nanos, nanos, 0, signals, Optional.empty(), List.of(), ContainerFlows.NONE);
    }

    String id() {
        return watched.id();
    }

    boolean ended() {
        return endedTicks > 0;
    }

    /** A sample in which nothing is counted any more, as of one whose processes have just ended, is none. */
    ContainerHistory with(long nanos, Map<Signal, Count> counts) {
        if (counts.values().stream().allMatch(count -> count instanceof Count.NotCounted) && isMeasured()) {
            return this;
        }
        EnumMap<Signal, SignalHistory> next = new EnumMap<>(Signal.class);
        next.putAll(signals);
        counts.forEach((signal, count) -> {
            SignalHistory known = signals.get(signal);
            next.put(signal, known == null ? SignalHistory.first(signal, count) : known.with(count));
        });
        return new ContainerHistory(
                watched, launch, firstNanos, nanos, endedNanos, endedTicks, next, taken, preemptors, flows);
    }

    /**
     * Adds who took its CPU until the newest sample. The first one that tells it after one that did not says nothing of the time between: it is counted since the
     * container was first watched, perhaps by an earlier NodeManager.
     *
     * @param seconds since the sample before that
     * @param now how often since it is counted, by the taker's id; the empty id is no container's. Empty if the newest sample does not tell it
     */
    ContainerHistory takenBy(Optional<Map<String, Double>> now, double seconds) {
        if (seconds <= 0) {
            return this;
        }
        List<Preemptor> most =
                now.isPresent() && taken.isPresent() ? preemptors(taken.get(), now.get(), seconds) : List.of();
        return new ContainerHistory(
                watched, launch, firstNanos, newestNanos, endedNanos, endedTicks, signals, now, most, flows);
    }

    private static List<Preemptor> preemptors(Map<String, Double> before, Map<String, Double> now, double seconds) {
        // Of one that was not among the first before, nobody knows how often it was until then.
        boolean allWereKnown = before.size() < CounterSource.MOST_PREEMPTORS;
        return now.entrySet().stream()
                .filter(taker -> allWereKnown || before.containsKey(taker.getKey()))
                .map(taker -> new Preemptor(
                        taker.getKey().isEmpty() ? Optional.empty() : Optional.of(taker.getKey()),
                        Math.max(0, taker.getValue() - before.getOrDefault(taker.getKey(), 0.0)) / seconds))
                .filter(taker -> taker.perSecond() > 0)
                .sorted(Comparator.comparingDouble(Preemptor::perSecond).reversed())
                .limit(Preemptor.MOST)
                .toList();
    }

    /**
     * Adds what it has exchanged until the newest sample.
     *
     * @param now by connection; empty where nobody counts it
     * @param seconds since the sample before that
     */
    ContainerHistory exchanging(Optional<List<Flow>> now, double seconds) {
        return new ContainerHistory(
                watched,
                launch,
                firstNanos,
                newestNanos,
                endedNanos,
                endedTicks,
                signals,
                taken,
                preemptors,
                flows.next(now, seconds));
    }

    private boolean isMeasured() {
        return signals.values().stream().anyMatch(history -> history.reading() instanceof Reading.Measured);
    }

    /** The container is listed, with a process of {@code now} and a launch that may be another one. */
    ContainerHistory listed(WatchedContainer now, Optional<LaunchSignature> newest) {
        return new ContainerHistory(
                now,
                newest.or(() -> launch),
                firstNanos,
                newestNanos,
                endedNanos,
                0,
                signals,
                taken,
                preemptors,
                flows);
    }

    /** Counts one more report in which the container has ended. */
    ContainerHistory endedAt(long nanos) {
        return new ContainerHistory(
                watched,
                launch,
                firstNanos,
                newestNanos,
                ended() ? endedNanos : nanos,
                endedTicks + 1,
                signals,
                taken,
                preemptors,
                flows);
    }

    /** Returns how long its threads were on a CPU in all measured windows, in seconds; empty where that is not measured. */
    OptionalDouble cpuSeconds() {
        SignalHistory cpu = signals.get(Signal.CPU);
        return cpu != null && cpu.reading() instanceof Reading.Measured
                ? OptionalDouble.of(cpu.weighted() / NANOS_PER_SECOND)
                : OptionalDouble.empty();
    }

    ContainerReport report() {
        EnumMap<Signal, Reading> readings = new EnumMap<>(Signal.class);
        signals.forEach((signal, history) -> readings.put(signal, history.reading()));
        return new ContainerReport(id(), Duration.ofNanos(newestNanos - firstNanos), ended(), readings, launch)
                .with(preemptors)
                .withFlows(flows.rates());
    }
}
