package org.interference.yarn.nm.app;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.interference.yarn.nm.collect.Sampler;
import org.interference.yarn.nm.heartbeat.Failures;
import org.interference.yarn.signal.NodeReport;

/** Notes the sampler's failures, and passes on the newest report and how long the containers lived that ended. */
record SamplerEvents(Failures failures, Consumer<Optional<NodeReport>> newest, Consumer<Duration> ends)
        implements Sampler.Events {
    @Override
    public void published(NodeReport report) {
        newest.accept(Optional.of(report));
    }

    @Override
    public void failed(Throwable cause) {
        newest.accept(Optional.empty());
        failures.note("No interference counters in this tick", cause);
    }

    @Override
    public void ended(Duration sinceItsFirstSample) {
        ends.accept(sinceItsFirstSample);
    }
}
