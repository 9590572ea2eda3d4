package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SamplerTest {
    private static final Instant START = Instant.parse("2026-11-21T00:00:00Z");
    private static final WatchedContainer ONE = new WatchedContainer("one", 1);
    private static final WatchedContainer TWO = new WatchedContainer("two", 2);

    private final AtomicLong nanos = new AtomicLong();
    private final FakeCounterSource source = new FakeCounterSource();
    private final List<WatchedContainer> running = new ArrayList<>(List.of(ONE));
    private final List<Throwable> failures = new ArrayList<>();
    private final Sampler sampler =
            new Sampler(source, () -> running, () -> START.plusNanos(nanos.get()), nanos::get, failures::add);

    @AfterEach
    void stop() {
        sampler.close();
    }

    @Test
    void reportHoldsLevelMeanAndTimeObserved() throws IOException {
        source.cpu("one", 0, 0);
        tickAt(Duration.ofSeconds(1));
        source.cpu("one", 1, 2);
        tickAt(Duration.ofSeconds(2));
        source.cpu("one", 1, 4);

        NodeReport report = tickAt(Duration.ofSeconds(4));

        assertThat(report)
                .isEqualTo(new NodeReport(
                        START.toEpochMilli(),
                        3,
                        START.plusSeconds(4),
                        List.of(new ContainerReport(
                                "one",
                                Duration.ofSeconds(3),
                                false,
                                Map.of(Signal.CPU, new Reading.Measured(0, 0.25, 0, false, "fake"))))));
    }

    @Test
    void containerOfWhichNothingIsCountedAnyMoreKeepsItsLastState() throws IOException {
        source.cpu("one", 0, 0);
        tickAt(Duration.ofSeconds(1));
        source.cpu("one", 1, 2);
        ContainerReport last = tickAt(Duration.ofSeconds(2)).containers().get(0);
        source.notCounted("one");

        assertThat(tickAt(Duration.ofSeconds(3)).containers()).containsExactly(last);
    }

    @Test
    void endedContainerIsReportedForTenMoreTicksWithItsLastState() throws IOException {
        source.cpu("one", 0, 0);
        tickAt(Duration.ofSeconds(1));
        source.cpu("one", 1, 2);
        ContainerReport last = tickAt(Duration.ofSeconds(2)).containers().get(0);
        running.clear();

        for (int tick = 0; tick < 10; tick++) {
            assertThat(tickAt(Duration.ofSeconds(3 + tick)).containers())
                    .containsExactly(new ContainerReport("one", last.observed(), true, last.readings()));
        }
        assertThat(tickAt(Duration.ofSeconds(13)).containers()).isEmpty();
    }

    @Test
    void endedContainerIsReportedForTenSecondsHoweverShortTheInterval() throws IOException {
        source.cpu("one", 0, 0);
        tickAt(Duration.ofMillis(200));
        running.clear();
        for (int tick = 2; tick <= 50; tick++) {
            assertThat(tickAt(Duration.ofMillis(200L * tick)).containers()).hasSize(1);
        }

        assertThat(tickAt(Duration.ofMillis(200L * 51)).containers()).isEmpty();
    }

    @Test
    void containerThatComesBackIsNotEnded() throws IOException {
        source.cpu("one", 0, 0);
        tickAt(Duration.ofSeconds(1));
        running.clear();
        tickAt(Duration.ofSeconds(2));
        running.add(ONE);

        assertThat(tickAt(Duration.ofSeconds(3)).containers().get(0).ended()).isFalse();
    }

    @Test
    void containerWithoutASampleIsNotReportedYet() throws IOException {
        running.add(TWO);
        source.cpu("one", 0, 0);

        assertThat(tickAt(Duration.ofSeconds(1)).containers())
                .extracting(ContainerReport::container)
                .containsExactly("one");
    }

    @Test
    void thereIsNoReportBeforeTheFirstTick() {
        assertThat(sampler.newest()).isEmpty();
    }

    @Test
    void ownThreadTicksUntilClosed() throws InterruptedException {
        CountDownLatch ticks = new CountDownLatch(3);
        Sampler started = new Sampler(
                source,
                () -> {
                    ticks.countDown();
                    return running;
                },
                () -> START,
                System::nanoTime,
                failures::add);

        started.start(Duration.ofMillis(1));

        assertThat(ticks.await(20, TimeUnit.SECONDS)).isTrue();
        started.close();
        assertThat(source.closed).isTrue();
        assertThat(started.newest()).isEmpty();
    }

    @Test
    void tickThatFailsLeavesNoReportAndTheNextOneGoesOn() throws Exception {
        source.cpu("one", 0, 0);
        source.broken = true;
        CountDownLatch failed = new CountDownLatch(2);
        Sampler started = new Sampler(source, () -> running, () -> START, System::nanoTime, e -> failed.countDown());

        started.start(Duration.ofMillis(1));

        assertThat(failed.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(started.newest()).isEmpty();
        started.close();
    }

    private NodeReport tickAt(Duration time) throws IOException {
        nanos.set(time.toNanos());
        sampler.tick();
        return sampler.newest().orElseThrow();
    }
}
