package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SamplerTest {
    private static final Instant START = Instant.parse("2026-11-21T00:00:00Z");
    private static final ListedContainer ONE = listed("one", 1);
    private static final ListedContainer TWO = listed("two", 2);

    private final AtomicLong nanos = new AtomicLong();
    private final FakeCounterSource source = new FakeCounterSource();
    private final List<ListedContainer> running = new ArrayList<>(List.of(ONE));
    private final AtomicReference<List<ListedContainer>> listing = new AtomicReference<>(List.of());
    private final FakeEvents events = new FakeEvents();
    /** Its clock is the test's, so its thread must not look by a clock of its own. */
    private final Sampler sampler =
            new Sampler(source, () -> running, () -> START.plusNanos(nanos.get()), nanos::get, events, new Rests());

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
    void aDearTickIsFollowedByALongerRestWithinABound() {
        AtomicLong cpu = new AtomicLong();
        AtomicLong cost = new AtomicLong(40_000_000);
        source.onSnapshot = () -> cpu.addAndGet(cost.get());
        Rests rests = new Rests();
        try (Sampler started = new Sampler(source, () -> listing.get(), () -> START, nanos::get, events, rests)) {
            started.start(Duration.ofSeconds(1), cpu::get);
            cost.set(120_000_000);
            rests.next();
            cost.set(900_000_000);
            rests.next();
        }

        assertThat(rests.nanos).containsExactly(1_000_000_000L, 2_400_000_000L, 4_000_000_000L);
    }

    /** Runs at once what is to be executed, and what is scheduled when it is told to. */
    private static final class Rests extends ScheduledThreadPoolExecutor {
        private final List<Long> nanos = new ArrayList<>();
        private Runnable next = () -> {};

        Rests() {
            super(1);
        }

        void next() {
            next.run();
        }

        @Override
        public void execute(Runnable command) {
            command.run();
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            nanos.add(unit.toNanos(delay));
            next = command;
            return super.schedule(command, 1, TimeUnit.DAYS);
        }
    }

    /** A collector that is told of 6 CPUs on a node of 8 counts a full one as 1/6. */
    @Test
    void secondsOnACpuAreCountedWhateverALevelIsAFractionOf() throws IOException {
        source.cpu("one", 0, 0);
        tickAt(Duration.ofSeconds(1));
        source.cpu("one", 2e9, 6 * 2e9);

        tickAt(Duration.ofSeconds(3));

        Sampled sampled = sampler.newestSampled().orElseThrow();
        assertThat(sampled.cpuSeconds("one")).hasValue(2);
        assertThat(sampled.cpuSeconds("two")).isEmpty();
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
        source.counts.clear();

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
        for (int tick = 2; tick <= 51; tick++) {
            assertThat(tickAt(Duration.ofMillis(200L * tick)).containers()).hasSize(1);
        }

        assertThat(tickAt(Duration.ofMillis(200L * 52)).containers()).isEmpty();
    }

    @Test
    void containerThatIsGoneIsSampledALastTime() throws IOException {
        source.cpu("one", 0, 0);
        tickAt(Duration.ofSeconds(1));
        running.clear();
        source.cpu("one", 3, 4);

        ContainerReport last = tickAt(Duration.ofSeconds(2)).containers().get(0);

        assertThat(last.ended()).isTrue();
        assertThat(last.readings()).containsEntry(Signal.CPU, new Reading.Measured(0.75, 0.75, 0.75, false, "fake"));
        source.cpu("one", 4, 8);
        assertThat(tickAt(Duration.ofSeconds(3)).containers().get(0).readings()).isEqualTo(last.readings());
    }

    @Test
    void endIsToldOnceAndWithTheTimeSinceTheFirstSample() throws IOException {
        source.cpu("one", 0, 0);
        tickAt(Duration.ofSeconds(1));
        running.clear();
        tickAt(Duration.ofSeconds(4));
        tickAt(Duration.ofSeconds(5));

        assertThat(events.ends).containsExactly(Duration.ofSeconds(3));
    }

    @Test
    void containerWithoutAProcessBetweenTwoLaunchesIsNotEndedAndItsLastProcessStaysWatched() throws IOException {
        source.cpu("one", 0, 0);
        tickAt(Duration.ofSeconds(1));
        running.set(0, new ListedContainer("one", OptionalLong.empty(), Optional.empty()));

        assertThat(tickAt(Duration.ofSeconds(2)).containers().get(0).ended()).isFalse();

        assertThat(source.watched).containsExactly(new WatchedContainer("one", 1));
        assertThat(events.ends).isEmpty();
    }

    @Test
    void containerThatIsLaunchedAgainIsWatchedByItsNewProcessAndSaysItsNewLaunch() throws IOException {
        source.cpu("one", 0, 0);
        tickAt(Duration.ofSeconds(1));
        Optional<LaunchSignature> another = Optional.of(new LaunchSignature(2));
        running.set(0, new ListedContainer("one", OptionalLong.of(7), another));

        ContainerReport report = tickAt(Duration.ofSeconds(2)).containers().get(0);

        assertThat(source.watched).containsExactly(new WatchedContainer("one", 7));
        assertThat(report.launch()).isEqualTo(another);
    }

    @Test
    void containerIsWatchedWithItsUserAlsoWhenItHasEnded() throws IOException {
        running.set(0, new ListedContainer("one", OptionalLong.of(1), Optional.empty(), Optional.of("alice")));
        source.cpu("one", 0, 0);
        tickAt(Duration.ofSeconds(1));
        running.clear();

        tickAt(Duration.ofSeconds(2));

        assertThat(source.watched).containsExactly(new WatchedContainer("one", 1, Optional.of("alice")));
    }

    @Test
    void everyTickFindsWhatNoEventTold() throws IOException {
        source.cpu("one", 0, 0);
        source.cpu("two", 0, 0);
        tickAt(Duration.ofSeconds(1));
        running.set(0, TWO);

        assertThat(tickAt(Duration.ofSeconds(2)).containers())
                .extracting(ContainerReport::container, ContainerReport::ended)
                .containsExactly(tuple("two", false), tuple("one", true));
    }

    @Test
    void lookTakesASnapshotOnlyIfAContainerBeginsOrEnds() throws IOException {
        source.cpu("one", 0, 0);
        source.cpu("two", 0, 0);
        tickAt(Duration.ofSeconds(1));
        lookAt(Duration.ofMillis(1100));
        assertThat(source.snapshots()).isEqualTo(1);

        running.add(TWO);
        assertThat(lookAt(Duration.ofMillis(1200)).containers()).hasSize(2);
        assertThat(source.snapshots()).isEqualTo(2);

        running.remove(TWO);
        assertThat(lookAt(Duration.ofMillis(1300)).containers())
                .extracting(ContainerReport::ended)
                .containsExactly(false, true);
        assertThat(source.snapshots()).isEqualTo(3);
        lookAt(Duration.ofMillis(1400));
        assertThat(source.snapshots()).isEqualTo(3);
    }

    @Test
    void lookLeavesTheWindowsOfTheOthersWhole() throws IOException {
        source.cpu("one", 0, 0);
        tickAt(Duration.ofSeconds(1));
        source.cpu("one", 1, 1);
        source.cpu("two", 0, 0);
        running.add(TWO);

        assertThat(lookAt(Duration.ofMillis(1001))
                        .containers()
                        .get(0)
                        .readings()
                        .get(Signal.CPU))
                .isInstanceOf(Reading.Unavailable.class);
        source.cpu("one", 1, 4);

        assertThat(tickAt(Duration.ofSeconds(2)).containers().get(0).readings())
                .containsEntry(Signal.CPU, new Reading.Measured(0.25, 0.25, 0.25, false, "fake"));
    }

    @Test
    void looksDoNotShortenTheTimeForWhichTheEndIsReported() throws IOException {
        source.cpu("one", 0, 0);
        tickAt(Duration.ofSeconds(1));
        running.clear();
        lookAt(Duration.ofMillis(1100));
        for (int look = 0; look < 50; look++) {
            String id = "short" + look;
            source.cpu(id, 0, 0);
            running.add(listed(id, 100 + look));
            lookAt(Duration.ofMillis(1200 + look));
        }

        assertThat(sampler.newest().orElseThrow().containers())
                .extracting(ContainerReport::container)
                .contains("one");
    }

    @Test
    void snapshotsBetweenTicksRestTenTimesAsLongAsTheyTake() throws IOException {
        source.onSnapshot = () -> nanos.addAndGet(Duration.ofMillis(10).toNanos());
        source.cpu("one", 0, 0);
        tickAt(Duration.ofSeconds(1));
        source.cpu("two", 0, 0);
        running.add(TWO);
        lookAt(Duration.ofSeconds(2));
        running.remove(TWO);

        lookAt(Duration.ofMillis(2109));
        assertThat(source.snapshots()).isEqualTo(2);
        lookAt(Duration.ofMillis(2110));
        assertThat(source.snapshots()).isEqualTo(3);
    }

    @Test
    void shortTaskIsSampledAtItsLaunchAndWhileItIsYoungAndAtItsEnd() throws Exception {
        running.clear();
        Sampler started = new Sampler(
                source, () -> List.copyOf(listing.get()), () -> START, System::nanoTime, events, Sampler.newThread());
        started.start(Duration.ofSeconds(2));
        await("the first tick", () -> started.newest().isPresent());
        int before = source.snapshots();
        source.cpu("one", 0, 0);

        started.containersChanged();
        listing.set(List.of(new ListedContainer("one", OptionalLong.empty(), Optional.empty())));
        listing.set(List.of(ONE));
        await("a baseline, a sample of the young one", () -> source.snapshots() >= before + 2);
        source.cpu("one", 1, 2);
        listing.set(List.of());
        started.containersChanged();

        await("the end", () -> !events.ends.isEmpty());
        assertThat(events.ends).singleElement().satisfies(lived -> assertThat(lived)
                .isLessThan(Duration.ofSeconds(20)));
        ContainerReport last = started.newest().orElseThrow().containers().get(0);
        assertThat(last.readings()).containsEntry(Signal.CPU, new Reading.Measured(0.5, 0.5, 0.5, false, "fake"));
        started.close();
    }

    @Test
    void nobodyWaitsForASnapshotInProgress() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        source.onSnapshot = () -> {
            inside.countDown();
            release.await();
        };
        Sampler started =
                new Sampler(source, () -> running, () -> START, System::nanoTime, events, Sampler.newThread());
        started.start(Duration.ofMillis(1));
        assertThat(inside.await(20, TimeUnit.SECONDS)).isTrue();

        for (int call = 0; call < 100_000; call++) {
            started.containersChanged();
            assertThat(started.newest()).isEmpty();
        }

        release.countDown();
        await("the snapshot", () -> started.newest().isPresent());
        started.close();
        started.containersChanged();
    }

    @Test
    void containerBeforeItsLaunchIsNotLookedForUntilItIsLaunched() {
        Rests rests = new Rests();
        try (Sampler told = new Sampler(source, () -> listing.get(), () -> START, nanos::get, events, rests)) {
            listing.set(List.of(
                    new ListedContainer("one", OptionalLong.empty(), Optional.empty(), Optional.empty(), true)));
            told.containersChanged();
            assertThat(rests.nanos).isEmpty();

            listing.set(List.of(new ListedContainer("one", OptionalLong.empty(), Optional.empty())));
            told.containersChanged();
            assertThat(rests.nanos).containsExactly(50_000_000L);
        }
    }

    @Test
    void onlyATickAsksForProcessesThatAreKnown() throws IOException {
        List<String> asked = new ArrayList<>();
        Listing told = new Listing() {
            @Override
            public List<ListedContainer> get() {
                asked.add("tick");
                return running;
            }

            @Override
            public List<ListedContainer> betweenTicks() {
                asked.add("look");
                return running;
            }
        };
        try (Sampler looking = new Sampler(source, told, () -> START, nanos::get, events, new Rests())) {
            looking.tick();
            looking.look();
        }

        assertThat(asked).containsExactly("tick", "look");
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
                events,
                Sampler.newThread());

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
        Sampler started =
                new Sampler(source, () -> running, () -> START, System::nanoTime, events, Sampler.newThread());

        started.start(Duration.ofMillis(1));

        await("two failures", () -> events.failures.size() >= 2);
        assertThat(started.newest()).isEmpty();
        started.close();
    }

    private NodeReport tickAt(Duration time) throws IOException {
        nanos.set(time.toNanos());
        sampler.tick();
        return sampler.newest().orElseThrow();
    }

    private NodeReport lookAt(Duration time) throws IOException {
        nanos.set(time.toNanos());
        sampler.look();
        return sampler.newest().orElseThrow();
    }

    private static ListedContainer listed(String id, long pid) {
        return new ListedContainer(id, OptionalLong.of(pid), Optional.empty());
    }

    private static void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(30)) {
                fail("waited in vain for " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }
}
