package org.interference.yarn.nm.collect;

import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.interference.yarn.signal.NodeReport;

/**
 * One sample of a node: what is reported of it, and what a level cannot say. Immutable.
 *
 * @param cpuSeconds by container, seconds on a CPU in all measured windows since its first sample; a level is a fraction of as many CPUs
 *     as the source counts, which need not be those of the node
 */
public record Sampled(NodeReport report, Map<String, Double> cpuSeconds) {
    public Sampled {
        Objects.requireNonNull(report, "report is null");
        cpuSeconds = Map.copyOf(cpuSeconds);
    }

    /** Returns the seconds on a CPU of {@code container}; empty where they are not counted. */
    public OptionalDouble cpuSeconds(String container) {
        Double seconds = cpuSeconds.get(container);
        return seconds == null ? OptionalDouble.empty() : OptionalDouble.of(seconds);
    }
}
