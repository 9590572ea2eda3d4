package org.interference.yarn.nm.collect;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.interference.yarn.signal.NodeReport;

/** Remembers what a sampler told. */
final class FakeEvents implements Sampler.Events {
    final List<NodeReport> reports = new CopyOnWriteArrayList<>();
    final List<Throwable> failures = new CopyOnWriteArrayList<>();
    final List<Duration> ends = new CopyOnWriteArrayList<>();

    @Override
    public void published(NodeReport report) {
        reports.add(report);
    }

    @Override
    public void failed(Throwable cause) {
        failures.add(cause);
    }

    @Override
    public void ended(Duration sinceItsFirstSample) {
        ends.add(sinceItsFirstSample);
    }
}
