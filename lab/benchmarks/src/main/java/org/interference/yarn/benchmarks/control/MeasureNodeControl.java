package org.interference.yarn.benchmarks.control;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.DoubleStream;
import org.interference.yarn.benchmarks.ResultFile;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.control.CoreSet;

/** Measures what the node's controller gains and costs; bin/lab node-control runs it. */
public final class MeasureNodeControl {
    private static final Duration INTERVAL = Duration.ofSeconds(3);

    private static final int MIXES = 7;

    private MeasureNodeControl() {}

    /**
     * Usage: {@code MeasureNodeControl FILE CONTENDER DIRECTORY SOCKET PAIRS SECONDS MEBIBYTES [MIX,...]}; with mixes, only these, into a file
     * that has the rest.
     */
    public static void main(String[] args) throws IOException {
        Path file = Path.of(args[0]);
        ResultFile published = ResultFile.open(file, "node-control", "bin/lab node-control");
        Results results = published.results();
        int pairs = Integer.parseInt(args[4]);
        CoreSet cores = CoreSet.parse(new ProcFiles(Path.of("/proc"), Path.of("/sys")).allowedCores());
        try (Bed bed = new Bed(Path.of(args[2]), Path.of(args[3]))) {
            Duration window = Duration.ofSeconds(Long.parseLong(args[5]));
            CorePart ofCores = new CorePart(bed, Path.of(args[1]), window, cores);
            if (args.length > MIXES) {
                ofCores.measure(List.of(args[MIXES].split(",", -1)), pairs, INTERVAL, results.beside("core_gain"));
            } else {
                new DiskPart(bed, Integer.parseInt(args[6]), INTERVAL, cores).measure(pairs, results);
                ofCores.measure(CorePart.NAMES, pairs, INTERVAL, results.under("core_gain"));
                results.put("window_s", window.toSeconds());
                results.put("cpu_fraction", bed.cpuFraction());
                results.put("changes", bed.changes());
                results.put("steps_back", bed.stepsBack());
            }
            results.put("harm", harm(published));
        }
        published.write();
        System.out.println("harm " + published.figure("harm") + ", at most 0.02; cpu_fraction "
                + published.figure("cpu_fraction") + ", at most 0.001");
    }

    /** Of our rule, and of disk shares. */
    private static double harm(ResultFile published) {
        DoubleStream gains = CorePart.NAMES.stream().mapToDouble(mix -> published.figure("core_gain", mix));
        double least = DoubleStream.concat(gains, DoubleStream.of(published.figure("disk_makespan_gain")))
                .min()
                .orElseThrow();
        return Math.max(0, -least);
    }
}
