package org.interference.yarn.benchmarks.control;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.interference.yarn.benchmarks.ResultFile;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.control.CoreSet;

/** Measures what sharing out a disk gains, and what the node's controller costs; bin/lab node-control runs it. */
public final class MeasureNodeControl {
    private static final Duration INTERVAL = Duration.ofSeconds(3);

    private MeasureNodeControl() {}

    /** Usage: {@code MeasureNodeControl FILE DIRECTORY SOCKET PAIRS MEBIBYTES}. */
    public static void main(String[] args) throws IOException {
        ResultFile published = ResultFile.open(Path.of(args[0]), "node-control", "bin/lab node-control");
        Results results = published.results();
        CoreSet cores = CoreSet.parse(new ProcFiles(Path.of("/proc"), Path.of("/sys")).allowedCores());
        try (Bed bed = new Bed(Path.of(args[1]), Path.of(args[2]))) {
            new DiskPart(bed, Integer.parseInt(args[4]), INTERVAL, cores).measure(Integer.parseInt(args[3]), results);
            results.put("cpu_fraction", bed.cpuFraction());
            results.put("changes", bed.changes());
            results.put("steps_back", bed.stepsBack());
        }
        published.write();
        System.out.println("cpu_fraction " + published.figure("cpu_fraction") + ", at most 0.001");
    }
}
