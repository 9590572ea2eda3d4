package org.interference.yarn.sim.workload.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * SWIM's sample of a Facebook cluster in 2009: 5,894 jobs in 24 hours, each hour drawn from another day. The file and its licence
 * (BSD, University of California) are resources of this module.
 */
public final class SwimSample {
    private static final String RESOURCE = "/swim/FB-2009_samples_24_times_1hr_0.tsv";

    private SwimSample() {}

    /** Returns the whole sample. */
    public static Trace read(KindInference inference) {
        try (InputStream in = SwimSample.class.getResourceAsStream(RESOURCE)) {
            return TraceFormat.SWIM.read(in, RESOURCE, inference);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TraceException e) {
            throw new IllegalStateException("a resource of this module is damaged", e);
        }
    }
}
