package org.interference.yarn.signal;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Everything known of one container since its first sample. Immutable.
 *
 * @param container the container id as YARN writes it
 * @param observed from the first sample to the newest one
 * @param ended whether the container is gone and this is its last report
 * @param launch empty where the node cannot tell what was launched, or is of a release that does not say
 * @param control what the node's controller makes of it; empty where there is none
 * @param preemptors who took its CPU in the newest window, the most frequent first; empty where nobody did or nobody counts
 * @param flows what it exchanged in the newest window, in bytes a second, by connection, those with the most first; empty where there is none or nobody counts
 */
public record ContainerReport(
        String container,
        Duration observed,
        boolean ended,
        Map<Signal, Reading> readings,
        Optional<LaunchSignature> launch,
        Optional<ControlStatus> control,
        List<Preemptor> preemptors,
        List<Flow> flows) {
    public ContainerReport {
        Objects.requireNonNull(container, "container is null");
        Objects.requireNonNull(observed, "observed is null");
        Objects.requireNonNull(launch, "launch is null");
        Objects.requireNonNull(control, "control is null");
        readings = readings instanceof PackedReadings ? readings : copyOf(readings);
        preemptors = preemptors instanceof PackedPreemptors ? preemptors : List.copyOf(preemptors);
        flows = List.copyOf(flows);
    }

    private static Map<Signal, Reading> copyOf(Map<Signal, Reading> readings) {
        EnumMap<Signal, Reading> copy = new EnumMap<>(Signal.class);
        copy.putAll(readings);
        return Collections.unmodifiableMap(copy);
    }

    /** Returns whether any signal was measured that slowdowns are predicted from. */
    public boolean isMeasured() {
        return readings instanceof PackedReadings packed
                ? packed.isMeasured()
                : Signal.predictors().stream().anyMatch(signal -> readings.get(signal) instanceof Reading.Measured);
    }

    /** Returns whether no level is higher than any container's can be ({@link Signal#highest}). */
    public boolean isPlausible() {
        return readings instanceof PackedReadings packed
                ? packed.isPlausible()
                : readings.entrySet().stream().allMatch(reading -> isPlausible(reading.getKey(), reading.getValue()));
    }

    private static boolean isPlausible(Signal signal, Reading reading) {
        return !(reading instanceof Reading.Measured measured)
                || Math.max(measured.level(), measured.mean()) <= signal.highest();
    }

    /** Returns the level of {@code signal} over the newest sampling window; not a number if it is not measured. */
    public double level(Signal signal) {
        if (readings instanceof PackedReadings packed) {
            return packed.level(signal);
        }
        return readings.get(signal) instanceof Reading.Measured measured ? measured.level() : Double.NaN;
    }

    /** Adds the signals that were measured to {@code signals}; returns whether one of them was not among them. */
    public boolean addMeasuredTo(Set<Signal> signals) {
        if (readings instanceof PackedReadings packed) {
            return signals.addAll(packed.measuredSignals());
        }
        int before = signals.size();
        readings.forEach((signal, reading) -> {
            if (reading instanceof Reading.Measured) {
                signals.add(signal);
            }
        });
        return signals.size() > before;
    }

    /** A report of a container whose CPU nobody takes, and that talks to nobody. */
    public ContainerReport(
            String container,
            Duration observed,
            boolean ended,
            Map<Signal, Reading> readings,
            Optional<LaunchSignature> launch,
            Optional<ControlStatus> control) {
        this(container, observed, ended, readings, launch, control, List.of(), List.of());
    }

    /** A report of a node that controls nothing. */
    public ContainerReport(
            String container,
            Duration observed,
            boolean ended,
            Map<Signal, Reading> readings,
            Optional<LaunchSignature> launch) {
        this(container, observed, ended, readings, launch, Optional.empty());
    }

    /** Returns this report with what the node's controller makes of the container. */
    public ContainerReport with(ControlStatus status) {
        return new ContainerReport(
                container, observed, ended, readings, launch, Optional.of(status), preemptors, flows);
    }

    /** Returns this report with who takes the container's CPU. */
    public ContainerReport with(List<Preemptor> takers) {
        return new ContainerReport(container, observed, ended, readings, launch, control, takers, flows);
    }

    /** Returns this report with what the container exchanges, in bytes a second, instead of what it says of that. */
    public ContainerReport withFlows(List<Flow> exchanged) {
        return new ContainerReport(container, observed, ended, readings, launch, control, preemptors, exchanged);
    }

    /** A report that does not say what was launched. */
    public ContainerReport(String container, Duration observed, boolean ended, Map<Signal, Reading> readings) {
        this(container, observed, ended, readings, Optional.empty());
    }

    /** Returns the levels over the newest sampling window, of those signals alone that slowdowns are predicted from. */
    public InterferenceVector newest() {
        return readings instanceof PackedReadings packed
                ? packed.newest()
                : vector(Reading.Measured::level).predictors();
    }

    /** Returns the levels over the whole time observed. */
    public InterferenceVector mean() {
        return vector(Reading.Measured::mean);
    }

    private InterferenceVector vector(ToDoubleFunction<Reading.Measured> level) {
        EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
        readings.forEach((signal, reading) -> {
            if (reading instanceof Reading.Measured measured) {
                levels.put(signal, level.applyAsDouble(measured));
            }
        });
        return new InterferenceVector(levels);
    }
}
