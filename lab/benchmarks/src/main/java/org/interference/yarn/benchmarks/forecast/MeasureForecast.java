package org.interference.yarn.benchmarks.forecast;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.interference.yarn.benchmarks.ResultFile;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.benchmarks.prediction.MeasuredHost;

/** Judges forecasts of what tasks get done on hosts of another size by what was measured on them; started by bin/lab forecast. */
public final class MeasureForecast {
    private MeasureForecast() {}

    /** Usage: {@code MeasureForecast HOSTS FILE}, where each folder in HOSTS is a host. */
    public static void main(String[] args) throws IOException {
        List<MeasuredHost> hosts = MeasuredHost.readAll(Path.of(args[0]));
        ResultFile file = ResultFile.open(Path.of(args[1]), "advice", "bin/lab advice");
        Results results = file.results().under("forecast");
        results.put("measured", hosts.get(0).started());
        results.put("hosts", hosts.size());
        results.put(
                "kinds",
                hosts.stream().flatMap(host -> host.kinds().stream()).distinct().count());
        results.put(
                "windows",
                hosts.stream().mapToLong(host -> host.table().rows().size()).sum());
        AloneErrors.measure(hosts, results);
        MeasuredHost first = MeasuredHost.first(hosts);
        PublishedProtocol.measure(
                first,
                hosts.stream().filter(host -> !host.equals(first)).toList(),
                results.under("published_protocol"));
        file.write();
    }
}
