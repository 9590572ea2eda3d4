package org.interference.yarn.rest;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.interference.yarn.fault.Part;

/**
 * The numbers of health as a Hadoop metrics source of one ResourceManager: {@code heartbeats.LATE} there is
 * {@code HeartbeatsLate} here. Decision times are a histogram as Prometheus has it: one record for each bound, with the bound as its
 * tag {@code le}. Registered while that ResourceManager is active.
 */
public final class HealthMetrics implements MetricsSource {
    /** The first source of a JVM has this name; the n-th that runs beside it has {@code -n} behind it. */
    static final String NAME = "InterferenceScheduler";

    private static final int MOST_IN_ONE_JVM = 100;
    /** Under this name Prometheus finds the upper bounds of a histogram. */
    private static final MetricsInfo WITHIN = Interns.info("le", "Microseconds");

    private final Sources sources;
    private final Optional<String> resourceManager;

    /** @param resourceManager the id of one of several that stand in for each other; tags its metrics */
    public HealthMetrics(Sources sources, Optional<String> resourceManager) {
        this.sources = sources;
        this.resourceManager = resourceManager;
    }

    /** Registers this source and returns its name, with which it is to be unregistered. */
    public String register(MetricsSystem system) {
        // Metrics systems for tests rename a source whose name is taken, and do not say so. The others refuse it.
        synchronized (system) {
            for (int i = 1; i <= MOST_IN_ONE_JVM; i++) {
                String name = i == 1 ? NAME : NAME + "-" + i;
                if (system.getSource(name) == null) {
                    return register(system, name);
                }
            }
        }
        throw new IllegalStateException("there are %d sources named %s already".formatted(MOST_IN_ONE_JVM, NAME));
    }

    private String register(MetricsSystem system, String name) {
        system.register(name, "Interference-aware scheduling, the same numbers as its health", this);
        return name;
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        sources.placement().gate().faults().safely(Part.METRICS, () -> {
            Figures figures = Figures.of(sources, sources.clock().instant());
            MetricsRecordBuilder metrics = record(collector);
            figures.counters().forEach((name, value) -> metrics.addCounter(info(name), value));
            figures.gauges().forEach((name, value) -> metrics.addGauge(info(name), value));
            figures.shares().forEach((name, value) -> metrics.addGauge(info(name), value));
            figures.decisionsWithin()
                    .forEach((micros, count) ->
                            record(collector).tag(WITHIN, micros).addCounter(info("decisionMicros.bucket"), count));
        });
    }

    private MetricsRecordBuilder record(MetricsCollector collector) {
        MetricsRecordBuilder metrics = collector.addRecord(NAME).setContext("yarn");
        resourceManager.ifPresent(id -> metrics.tag(Interns.info("ResourceManager", "Id under high availability"), id));
        return metrics;
    }

    private static MetricsInfo info(String name) {
        return Interns.info(inCamelCase(name), name);
    }

    /** Returns {@code HeartbeatsClockSkewed} for {@code heartbeats.CLOCK_SKEWED}. */
    private static String inCamelCase(String name) {
        return Arrays.stream(name.split("[._]", -1))
                .map(word -> word.equals(word.toUpperCase(Locale.ROOT)) ? word.toLowerCase(Locale.ROOT) : word)
                .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                .collect(Collectors.joining());
    }
}
