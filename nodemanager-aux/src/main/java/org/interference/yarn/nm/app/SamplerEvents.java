package org.interference.yarn.nm.app;

import java.time.Duration;
import java.util.function.Consumer;
import org.interference.yarn.nm.collect.Sampler;
import org.interference.yarn.nm.heartbeat.Failures;

/** Notes the sampler's failures and passes on how long the containers lived that ended. */
record SamplerEvents(Failures failures, Consumer<Duration> ends) implements Sampler.Events {
    @Override
    public void failed(Throwable cause) {
        failures.note("No interference counters in this tick", cause);
    }

    @Override
    public void ended(Duration sinceItsFirstSample) {
        ends.accept(sinceItsFirstSample);
    }
}
