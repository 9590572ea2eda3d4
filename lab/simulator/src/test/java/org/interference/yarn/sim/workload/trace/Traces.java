package org.interference.yarn.sim.workload.trace;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** The real files of the tests; trace/README.md says where they come from. */
final class Traces {
    static final String RUMEN = "/trace/2jobs2min-rumen-jh.json.gz";
    static final String SLS = "/trace/sls.json";
    static final String SLEEP = "/trace/sleep.jhist";
    static final String TERAGEN = "/trace/teragen.jhist";
    static final String SWIM = "/swim/FB-2009_samples_24_times_1hr_0.tsv";

    private Traces() {}

    static byte[] bytes(String resource) {
        try (InputStream in = Traces.class.getResourceAsStream(resource);
                InputStream unpacked = resource.endsWith(".gz") ? new GZIPInputStream(in) : in) {
            return unpacked.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> lines(String resource) {
        return new String(bytes(resource), StandardCharsets.UTF_8).lines().toList();
    }

    static Trace read(TraceFormat format, byte[] bytes) throws TraceException {
        return read(format, bytes, KindInference.USUAL);
    }

    static Trace read(TraceFormat format, byte[] bytes, KindInference inference) throws TraceException {
        try {
            return format.read(new ByteArrayInputStream(bytes), "trace", inference);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Trace read(TraceFormat format, String text) throws TraceException {
        return read(format, text.getBytes(StandardCharsets.UTF_8));
    }
}
