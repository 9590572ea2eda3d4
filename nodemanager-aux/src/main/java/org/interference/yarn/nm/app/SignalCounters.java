package org.interference.yarn.nm.app;

import java.util.Optional;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;

/** One signal of a container in {@link NodeCountersMXBean}. */
public final class SignalCounters {
    private final Signal signal;
    private final Reading reading;

    SignalCounters(Signal signal, Reading reading) {
        this.signal = signal;
        this.reading = reading;
    }

    public String getSignal() {
        return signal.wireName();
    }

    /** Who measured. */
    public String getSource() {
        return reading.source();
    }

    /** The level over the newest window; null if it is not measured. */
    public Double getLevel() {
        return measured().map(Reading.Measured::level).orElse(null);
    }

    /** The level over the whole time observed; null if it is not measured. */
    public Double getMean() {
        return measured().map(Reading.Measured::mean).orElse(null);
    }

    /** Why it is not measured; null if it is. */
    public String getReason() {
        return reading instanceof Reading.Unavailable unavailable ? unavailable.reason() : null;
    }

    private Optional<Reading.Measured> measured() {
        return reading instanceof Reading.Measured measured ? Optional.of(measured) : Optional.empty();
    }
}
