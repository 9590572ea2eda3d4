package org.interference.yarn.nm.app;

import java.util.ArrayList;
import java.util.List;
import org.interference.yarn.signal.ContainerReport;

/** One container in {@link NodeCountersMXBean}; a class with getters, because JMX does not read records. */
public final class ContainerCounters {
    private final ContainerReport report;

    ContainerCounters(ContainerReport report) {
        this.report = report;
    }

    public String getContainer() {
        return report.container();
    }

    /** Whether the container is gone and these are its last counters. */
    public boolean isEnded() {
        return report.ended();
    }

    /** How long it has been observed, in milliseconds. */
    public long getObservedMillis() {
        return report.observed().toMillis();
    }

    /** The launch signature in hexadecimal digits; null if it is not known. */
    public String getLaunch() {
        return report.launch().map(Object::toString).orElse(null);
    }

    public List<SignalCounters> getSignals() {
        List<SignalCounters> signals = new ArrayList<>();
        report.readings().forEach((signal, reading) -> signals.add(new SignalCounters(signal, reading)));
        return signals;
    }
}
