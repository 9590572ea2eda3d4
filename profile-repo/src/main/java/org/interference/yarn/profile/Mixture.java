package org.interference.yarn.profile;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.Signal;

/**
 * Whether tasks of different kinds are filed under one key, and how to tell them apart: by what was launched, or else by
 * one signal of which there are two clearly separate clusters. Immutable.
 *
 * @param launches how many samples came of each launch signature; of more than {@value #MOST_LAUNCHES}, the first
 * @param modes of each signal that a task brings along; what it suffers (waits) says nothing of its kind
 * @param boundary once found, it stays: the parts are filed by it
 */
public record Mixture(Map<LaunchSignature, Long> launches, Map<Signal, Modes> modes, Optional<Boundary> boundary) {
    /** Nothing was seen. */
    public static final Mixture NONE = new Mixture(Map.of(), Map.of(), Optional.empty());

    public static final int MOST_LAUNCHES = 8;
    private static final List<Signal> DEMANDS =
            List.of(Signal.NETP, Signal.NETS, Signal.BLK, Signal.MBW, Signal.LLCMR, Signal.LLOCC, Signal.CPU);

    /** The level of one signal that divides two kinds of task. */
    public record Boundary(Signal signal, double level) {
        public Boundary {
            if (!(level >= 0 && level <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException("a boundary must be finite and >= 0, got " + level);
            }
        }
    }

    public Mixture {
        launches = Collections.unmodifiableMap(new LinkedHashMap<>(launches));
        EnumMap<Signal, Modes> copy = new EnumMap<>(Signal.class);
        copy.putAll(modes);
        modes = Collections.unmodifiableMap(copy);
    }

    Mixture with(Optional<LaunchSignature> launch, InterferenceVector levels) {
        EnumMap<Signal, Modes> nextModes = new EnumMap<>(Signal.class);
        nextModes.putAll(modes);
        for (Signal signal : DEMANDS) {
            OptionalDouble level = levels.level(signal);
            if (level.isPresent()) {
                nextModes.merge(
                        signal, Modes.NONE.with(level.getAsDouble()), (held, same) -> held.with(level.getAsDouble()));
            }
        }
        return new Mixture(withLaunch(launch), nextModes, boundary.or(() -> boundary(nextModes)));
    }

    private Map<LaunchSignature, Long> withLaunch(Optional<LaunchSignature> launch) {
        if (launch.isEmpty() || (launches.size() >= MOST_LAUNCHES && !launches.containsKey(launch.get()))) {
            return launches;
        }
        Map<LaunchSignature, Long> next = new LinkedHashMap<>(launches);
        next.merge(launch.get(), 1L, Long::sum);
        return next;
    }

    private static Optional<Boundary> boundary(Map<Signal, Modes> modes) {
        for (Map.Entry<Signal, Modes> signal : modes.entrySet()) {
            OptionalDouble level = signal.getValue().boundary();
            if (level.isPresent()) {
                return Optional.of(new Boundary(signal.getKey(), level.getAsDouble()));
            }
        }
        return Optional.empty();
    }

    /** Returns whether tasks of more than one kind are filed here. */
    public boolean isPolluted() {
        return launches.size() > 1 || boundary.isPresent();
    }

    /**
     * Returns what the key of a task's part ends with.
     *
     * @param launch of the task
     * @param levels of the task
     * @return empty if the key is not polluted, or if what divides it is not known of the task
     */
    Optional<String> part(Optional<LaunchSignature> launch, InterferenceVector levels) {
        if (launches.size() > 1) {
            return launch.filter(launches::containsKey).map(Mixture::part);
        }
        if (boundary.isEmpty()) {
            return Optional.empty();
        }
        Signal signal = boundary.get().signal();
        OptionalDouble level = levels.level(signal);
        return level.isEmpty()
                ? Optional.empty()
                : Optional.of("~" + signal.wireName()
                        + (level.getAsDouble() < boundary.get().level() ? "-" : "+"));
    }

    static String part(LaunchSignature launch) {
        return "@" + launch;
    }
}
