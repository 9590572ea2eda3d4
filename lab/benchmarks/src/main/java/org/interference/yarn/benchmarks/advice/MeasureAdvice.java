package org.interference.yarn.benchmarks.advice;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.interference.yarn.benchmarks.ResultFile;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.sim.workload.trace.TraceException;

/** Judges advice on the size of containers, and on how many nodes there are to be, by traces of real clusters; started by bin/lab advice. */
public final class MeasureAdvice {
    /** YARN's own default of the smallest container. */
    private static final long STEP_MB = 1024;
    /** What sites with many small tasks set it to. */
    private static final long FINE_STEP_MB = 128;

    private MeasureAdvice() {}

    /** Usage: {@code MeasureAdvice workflows|hadoop|nodes TRACES FILE}. */
    public static void main(String[] args) throws IOException, TraceException {
        ResultFile file = ResultFile.open(Path.of(args[2]), "advice", "bin/lab advice");
        switch (args[0]) {
            case "workflows" -> workflows(Path.of(args[1]), file.results());
            case "hadoop" -> hadoop(Path.of(args[1]), file.results());
            case "nodes" ->
                ScalingPart.measure(
                        SwimTasks.read(Path.of(args[1])), file.results().under("nodes"));
            default -> throw new IllegalArgumentException("there is no part " + args[0]);
        }
        file.write();
    }

    private static void workflows(Path folder, Results results) throws IOException {
        AdviceJudgement all = new AdviceJudgement(STEP_MB);
        AdviceJudgement fine = new AdviceJudgement(FINE_STEP_MB);
        Results each = results.under("workflows");
        for (Path trace : traces(folder)) {
            List<TaskUse> tasks = NextflowTrace.read(trace);
            all.judge(tasks);
            fine.judge(tasks);
            AdviceJudgement one = new AdviceJudgement(STEP_MB);
            one.judge(tasks);
            one.put(each.under(trace.getFileName().toString().replaceAll("^trace_|[.]csv$", "")));
        }
        all.put(results);
        fine.put(results.under("steps_of_%d_mb".formatted(FINE_STEP_MB)));
    }

    private static List<Path> traces(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> traces = files.filter(file -> file.toString().endsWith(".csv"))
                    .sorted()
                    .toList();
            if (traces.isEmpty()) {
                throw new IOException("no file *.csv in " + folder);
            }
            return traces;
        }
    }

    private static void hadoop(Path trace, Results results) throws IOException {
        AdviceJudgement fine = new AdviceJudgement(FINE_STEP_MB);
        fine.judge(RumenTrace.read(trace));
        fine.put(results.under("hadoop"));
    }
}
