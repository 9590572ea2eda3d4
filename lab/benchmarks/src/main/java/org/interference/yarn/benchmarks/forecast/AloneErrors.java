package org.interference.yarn.benchmarks.forecast;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.interference.yarn.advice.HostForecast;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.benchmarks.prediction.CorunTable;
import org.interference.yarn.benchmarks.prediction.MeasuredHost;

/**
 * How wrong {@link HostForecast} is: of every kind, from its profile on every host, its throughput alone on every other one. Nothing is learnt of the other host.
 * Errors are shares of what was measured in one window.
 */
final class AloneErrors {
    /**
     * One forecast of one window.
     *
     * @param error of the forecast
     * @param unchanged of who takes the throughput to be the same on every host
     */
    private record Forecast(String kind, String pair, double error, double unchanged) {}

    private AloneErrors() {}

    static void measure(List<MeasuredHost> hosts, Results results) {
        List<Forecast> forecasts = hosts.stream()
                .flatMap(first -> hosts.stream()
                        .filter(second -> !second.equals(first))
                        .flatMap(second -> between(first, second)))
                .toList();
        if (forecasts.isEmpty()) {
            throw new IllegalArgumentException("no kind was alone on two hosts");
        }
        results.put("forecasts", forecasts.size());
        results.put("mape", mean(forecasts));
        results.put(
                "mape_unchanged",
                forecasts.stream().mapToDouble(Forecast::unchanged).average().orElse(Double.NaN));
        hosts.stream()
                .flatMap(AloneErrors::noise)
                .mapToDouble(noise -> noise)
                .average()
                .ifPresent(noise -> results.put("noise_floor", noise));
        Map<String, List<Forecast>> byType = new TreeMap<>();
        Map<String, List<Forecast>> byKind = new TreeMap<>();
        Map<String, List<Forecast>> byPair = new TreeMap<>();
        for (Forecast forecast : forecasts) {
            add(byType, WorkType.of(forecast.kind()).lowerCase(), forecast);
            add(byKind, forecast.kind(), forecast);
            add(byPair, forecast.pair(), forecast);
        }
        put(byType, results.under("by_type"));
        put(byKind, results.under("by_kind"));
        put(byPair, results.under("by_pair"));
    }

    private static Stream<Forecast> between(MeasuredHost first, MeasuredHost second) {
        return first.kinds().stream()
                .filter(kind -> !first.alone(kind).isEmpty())
                .flatMap(kind ->
                        HostForecast.timeFactor(first.profile(kind), first.capacities(), second.capacities()).stream()
                                .boxed()
                                .flatMap(factor -> second.alone(kind).stream()
                                        .map(row -> new Forecast(
                                                kind,
                                                first.name() + "_to_" + second.name(),
                                                error(first.rate(kind) / factor, row.rate()),
                                                error(first.rate(kind), row.rate())))));
    }

    /** Returns how far each window is from the median of the others of the same host, which no forecast can be expected to be better than. */
    private static Stream<Double> noise(MeasuredHost host) {
        return host.kinds().stream()
                .map(host::alone)
                .filter(windows -> windows.size() > 1)
                .flatMap(windows -> windows.stream().map(window -> error(others(windows, window), window.rate())));
    }

    private static double others(List<CorunTable.Row> windows, CorunTable.Row window) {
        return windows.stream()
                .filter(other -> !other.equals(window))
                .mapToDouble(CorunTable.Row::rate)
                .average()
                .orElse(window.rate());
    }

    static double error(double forecast, double measured) {
        return Math.abs(forecast / measured - 1);
    }

    private static void add(Map<String, List<Forecast>> groups, String name, Forecast forecast) {
        groups.computeIfAbsent(name, group -> new ArrayList<>()).add(forecast);
    }

    private static void put(Map<String, List<Forecast>> groups, Results results) {
        groups.forEach((name, forecasts) -> results.put(name, mean(forecasts)));
    }

    private static double mean(Collection<Forecast> forecasts) {
        return forecasts.stream().mapToDouble(Forecast::error).average().orElse(Double.NaN);
    }
}
