package org.interference.yarn.benchmarks;

import java.util.concurrent.TimeUnit;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.wire.Decoded;
import org.interference.yarn.wire.HeartbeatCodec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Encoding on the node and decoding in the ResourceManager, each report another one. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 2)
public class CodecBenchmark {
    private static final int REPORTS = 64;

    private final NodeReport[] reports = new NodeReport[REPORTS];
    private final byte[][] payloads = new byte[REPORTS][];
    private int next;

    public CodecBenchmark() {
        for (int i = 0; i < REPORTS; i++) {
            reports[i] = Reports.of(i, 1);
            payloads[i] = HeartbeatCodec.encode(reports[i]);
        }
    }

    @Benchmark
    public byte[] encode() {
        return HeartbeatCodec.encode(reports[next++ % REPORTS]);
    }

    @Benchmark
    public Decoded decode() {
        return HeartbeatCodec.decode(payloads[next++ % REPORTS], HeartbeatCodec.MAX_PAYLOAD_BYTES);
    }
}
