package org.interference.yarn.benchmarks;

import java.util.Collection;
import java.util.List;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.HeartbeatCodec;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Size of the payload, and how long it takes to write and to read: the percentiles of {@link CodecBenchmark}. */
final class CodecPart {
    private static final double[] PERCENTILES = {50, 99};

    private CodecPart() {}

    static void measure(Results results) throws RunnerException {
        List<Signal> predictors = Signal.predictors();
        results.put("bytes_40x16", HeartbeatCodec.encode(Reports.of(0, 1, predictors)).length);
        results.put("bytes_40x16_encoded", Reports.description(predictors.size()));
        results.put("bytes_all_signals", HeartbeatCodec.encode(Reports.of(0, 1)).length);
        results.put(
                "bytes_all_signals_encoded",
                Reports.description(Signal.values().length) + "; who takes whose CPU; what the node says of itself");
        Collection<RunResult> runs = new Runner(new OptionsBuilder()
                        .include(CodecBenchmark.class.getName())
                        .build())
                .run();
        for (RunResult run : runs) {
            for (double percentile : PERCENTILES) {
                results.put(
                        "%s_us_p%.0f".formatted(run.getPrimaryResult().getLabel(), percentile),
                        run.getPrimaryResult().getStatistics().getPercentile(percentile));
            }
        }
    }
}
