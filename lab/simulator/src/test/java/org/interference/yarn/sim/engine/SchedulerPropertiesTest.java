package org.interference.yarn.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.VisitedNodes;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.interference.yarn.InterferenceAwareFairScheduler;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.app.Surroundings;
import org.interference.yarn.place.Matching;
import org.interference.yarn.place.Placement;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.rest.Sources;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds of the schedulers whatever happens to the cluster: hundreds of {@link RandomLife}s, in virtual time. */
@Timeout(900)
final class SchedulerPropertiesTest {
    private static final int SEEDS = Integer.getInteger("seeds", 30);
    private static final int SECONDS = 25;
    private static final int WAIT_SECONDS = 8;
    private static final int AHEAD = 2;

    /** With it the plugin cannot start. */
    private static final InstantSource NO_CLOCK = () -> Instant.MAX;

    /** A stock scheduler, ours, and how it comes to look at a node. */
    @SuppressWarnings("ImmutableEnumChecker") // Functions that hold nothing.
    enum Parent {
        CAPACITY_BY_HEARTBEATS(CapacityScheduler::new, OurCapacity::new, Parent::heartbeat),
        CAPACITY_BY_PASSES(CapacityScheduler::new, OurCapacity::new, VisitedNodes::visit),
        FAIR(FairScheduler::new, OurFair::new, Parent::heartbeat);

        private final Supplier<AbstractYarnScheduler<?, ?>> stock;
        private final Function<InstantSource, AbstractYarnScheduler<?, ?>> ours;
        private final RandomLife.Visit visit;

        Parent(
                Supplier<AbstractYarnScheduler<?, ?>> stock,
                Function<InstantSource, AbstractYarnScheduler<?, ?>> ours,
                RandomLife.Visit visit) {
            this.stock = stock;
            this.ours = ours;
            this.visit = visit;
        }

        private static void heartbeat(AbstractYarnScheduler<?, ?> scheduler, RMNode node) {
            scheduler.handle(new NodeUpdateSchedulerEvent(node));
        }

        RandomLife stockLife(long seed) {
            return new RandomLife(seed, stock.get(), settings("off", "prior"), new VirtualClock(), visit);
        }

        /** With the settings that would have it decide. */
        RandomLife lifeWithoutPlugin(long seed) {
            AbstractYarnScheduler<?, ?> scheduler = ours.apply(NO_CLOCK);
            RandomLife life = new RandomLife(seed, scheduler, settings("on", "prior"), new VirtualClock(), visit);
            assertThat(((RestHost) scheduler).restSources()).isEmpty();
            return life;
        }

        /** @param known whether there are profiles */
        RandomLife life(long seed, Configuration settings, boolean known) {
            VirtualClock clock = new VirtualClock();
            RandomLife life = new RandomLife(seed, ours.apply(clock), settings, clock, visit);
            if (known) {
                sources(life).learnt().profiles().restore(profiles(clock.instant()));
            }
            return life;
        }
    }

    @ParameterizedTest
    @EnumSource(Parent.class)
    void whereItHasNothingToSayEveryContainerIsWhereTheParentPutsIt(Parent parent) {
        for (long seed : seeds()) {
            List<String> stock = placements(parent.stockLife(seed));
            assertThat(stock).as("seed %d", seed).isNotEmpty();

            assertThat(placements(parent.life(seed, settings("off", "prior"), true)))
                    .as("off, seed %d", seed)
                    .isEqualTo(stock);
            assertThat(placements(parent.life(seed, settings("shadow", "prior"), true)))
                    .as("shadow, seed %d", seed)
                    .isEqualTo(stock);
            assertThat(placements(parent.life(seed, settings("on", UnknowingPredictor.class.getName()), false)))
                    .as("on where nothing can be predicted, seed %d", seed)
                    .isEqualTo(stock);
            Configuration offForEachQueue = settings("on", "prior");
            offForEachQueue.set("yarn.interference.place.queue-modes", "root.a=off,root.b=off,root.c=off");
            assertThat(placements(parent.life(seed, offForEachQueue, true)))
                    .as("off for each queue, seed %d", seed)
                    .isEqualTo(stock);
        }
    }

    @ParameterizedTest
    @EnumSource(Parent.class)
    void withAPluginThatCannotStartItIsItsParent(Parent parent) {
        for (long seed : seeds()) {
            assertThat(placements(parent.lifeWithoutPlugin(seed)))
                    .as("seed %d", seed)
                    .isEqualTo(placements(parent.stockLife(seed)));
        }
    }

    /** Without this one the others would also pass for a plugin that is never asked. */
    @ParameterizedTest
    @EnumSource(value = Parent.class, names = "CAPACITY_BY_HEARTBEATS", mode = EnumSource.Mode.EXCLUDE)
    void withProfilesItPlacesOtherwise(Parent parent) {
        long others = 0;
        for (long seed : seeds()) {
            List<String> stock = placements(parent.stockLife(seed));
            others +=
                    placements(parent.life(seed, settings("on", "prior"), true)).equals(stock) ? 0 : 1;
        }
        assertThat(others).as("lives that went otherwise, of %d", SEEDS).isGreaterThan(SEEDS / 2);
    }

    /** Whole nodes too: reservations are made, kept and used. A container ends a second after it began. */
    @ParameterizedTest
    @EnumSource(Parent.class)
    void everyAskIsServedNotMuchLaterThanByTheParent(Parent parent) {
        for (long seed : seeds()) {
            int stock;
            try (RandomLife life = parent.stockLife(seed).live(SECONDS, 6)) {
                stock = life.askForAWholeNode().drain();
            }
            try (RandomLife life = parent.life(seed, settings("on", CalibratedPredictor.class.getName()), true)
                    .live(SECONDS, 6)) {
                int seconds = life.askForAWholeNode().drain();

                // What is given up for one ask may be given up for the next again.
                assertThat(seconds)
                        .as("seconds until all were served, seed %d", seed)
                        .isLessThanOrEqualTo(3 * (stock + WAIT_SECONDS));
            }
        }
    }

    /** On the mean over all lives without slack: a single life holds some dozen containers, and one of them is several per cent. */
    @ParameterizedTest
    @EnumSource(Parent.class)
    void queuesHoldWhatTheParentGivesThem(Parent parent) {
        Map<String, Double> more = new TreeMap<>();
        Configuration none = settings("on", "prior");
        none.set("yarn.interference.place.containers-ahead", "0");
        for (long seed : seeds()) {
            Map<String, Double> stock = shares(parent.stockLife(seed));
            Map<String, Double> without = shares(parent.life(seed, none, true));
            Map<String, Double> within = shares(parent.life(seed, settings("on", "prior"), true));

            stock.forEach((queue, share) -> {
                more.merge(queue, (without.get(queue) - share) / SEEDS, Double::sum);
                // A queue may be twice as many containers ahead as an application; of at least 12 on the cluster.
                assertThat(Math.abs(within.get(queue) - share))
                        .as("queue %s within the slack, seed %d", queue, seed)
                        .isLessThanOrEqualTo(2.0 * (AHEAD + 1) / 12);
            });
        }
        assertThat(more).as("what queues hold more without slack").allSatisfy((queue, difference) -> assertThat(
                        Math.abs(difference))
                .isLessThanOrEqualTo(0.01));
    }

    @ParameterizedTest
    @EnumSource(Parent.class)
    void nobodyIsGivenANodeThatItRefuses(Parent parent) {
        for (long seed : seeds()) {
            try (RandomLife life = parent.life(seed, settings("on", "prior"), true)) {
                life.refuseANode().live(SECONDS, 6);

                assertThat(life.placements()).as("seed %d", seed).isNotEmpty();
                assertThat(life.takenThoughRefused()).as("seed %d", seed).isZero();
            }
        }
    }

    /** One application of each queue may run. */
    @Test
    void whoTheFairSchedulerDoesNotLetRunGetsNothing(@TempDir Path directory) throws IOException {
        Path allocations = Files.writeString(
                directory.resolve("allocations.xml"),
                "<allocations><queueMaxAppsDefault>1</queueMaxAppsDefault></allocations>");
        long latecomers = 0;
        for (long seed : seeds()) {
            Configuration settings = settings("on", "prior");
            settings.set("yarn.scheduler.fair.allocation.file", allocations.toString());
            try (RandomLife life = Parent.FAIR.life(seed, settings, true).live(SECONDS, 6)) {
                latecomers += life.latecomers().size();
                assertThat(life.placements())
                        .as("seed %d", seed)
                        .isNotEmpty()
                        .noneMatch(placement -> life.latecomers().stream().anyMatch(placement::startsWith));
            }
        }
        assertThat(latecomers).isPositive();
    }

    @ParameterizedTest
    @EnumSource(Parent.class)
    void noNodeIsLeftOnTheWordOfAModelThatNobodyChecked(Parent parent) {
        for (long seed : seeds()) {
            try (RandomLife life = parent.life(seed, settings("on", "prior"), true)) {
                life.live(SECONDS, 6);

                assertThat(sources(life).placement().freeNodes().counts().get(Matching.Reason.LEFT))
                        .as("seed %d", seed)
                        .isZero();
            }
        }
    }

    /** This thread goes on, and has been a scheduling thread. */
    @ParameterizedTest
    @EnumSource(Parent.class)
    void nothingIsLeftOfASchedulerThatHasEnded(Parent parent) {
        // YARN keeps hold of the first one of a process, and of the last.
        ended(parent);
        Reference<Object> ended = ended(parent);
        ended(parent);

        for (int i = 0; i < 20 && !ended.refersTo(null); i++) {
            System.gc();
        }

        assertThat(ended.refersTo(null)).isTrue();
    }

    private static Reference<Object> ended(Parent parent) {
        try (RandomLife life = parent.life(1, settings("on", "prior"), true).live(SECONDS, 6)) {
            return new WeakReference<>(life.scheduler());
        }
    }

    @ParameterizedTest
    @EnumSource(Parent.class)
    void aPredictorThatThrowsChangesNothingButCounters(Parent parent) {
        changesNothingButCounters(parent, ThrowingPredictor.class.getName());
    }

    @ParameterizedTest
    @EnumSource(Parent.class)
    void aPredictorThatAnswersNonsenseChangesNothingButCounters(Parent parent) {
        changesNothingButCounters(parent, NonsensePredictor.class.getName());
    }

    /** Whatever it says after a third of a second is not heard, and soon nobody asks it any more. */
    @ParameterizedTest
    @EnumSource(Parent.class)
    void aPredictorThatHangsChangesNothingButCounters(Parent parent) {
        changesNothingButCounters(parent, HangingPredictor.class.getName());
    }

    private static void changesNothingButCounters(Parent parent, String predictor) {
        long errors = 0;
        boolean open = false;
        for (long seed : seeds()) {
            Configuration settings = settings("on", predictor);
            settings.set("yarn.interference.place.time-share", "1");
            try (RandomLife life = parent.life(seed, settings, true)) {
                Placement placement = sources(life).placement();
                // Three more open the breaker.
                for (int i = 3; i < placement.gate().settings().breakerErrors(); i++) {
                    placement.gate().failed(new IllegalStateException("an error before"));
                }
                long before = placement.gate().health().errors();
                life.live(SECONDS, 6);
                assertThat(life.placements()).as("seed %d", seed).isEqualTo(placements(parent.stockLife(seed)));
                errors += placement.gate().health().errors() - before;
                errors += placement.gate().health().tooSlow();
                open |= placement.gate().health().breakerOpen().isPresent();
            }
        }
        if (parent != Parent.CAPACITY_BY_HEARTBEATS) {
            assertThat(errors).as("errors counted").isPositive();
            assertThat(open).as("a breaker is open").isTrue();
        }
    }

    private static List<String> placements(RandomLife life) {
        try (life) {
            return life.live(SECONDS, 6).placements();
        }
    }

    /** Returns what each queue holds of all that is held, on the mean over the last seconds of a crowded life. */
    private static Map<String, Double> shares(RandomLife life) {
        try (life) {
            life.saturate(15);
            Map<String, Double> shares = new TreeMap<>();
            int looks = 10;
            for (int look = 0; look < looks; look++) {
                life.saturate(1);
                Map<String, Long> held = life.heldByQueue();
                double all = held.values().stream().mapToLong(Long::longValue).sum();
                held.forEach((queue, megabytes) -> shares.merge(queue, megabytes / all / looks, Double::sum));
            }
            return shares;
        }
    }

    private static long[] seeds() {
        return LongStream.range(0, SEEDS).toArray();
    }

    private static Sources sources(RandomLife life) {
        return ((RestHost) life.scheduler()).restSources().orElseThrow();
    }

    private static Configuration settings(String mode, String predictor) {
        Configuration settings = SimulatedYarn.base();
        settings.set("yarn.interference.place.mode", mode);
        settings.set("yarn.interference.predict.predictor", predictor);
        // Not a directory that can be made: profiles stay in memory.
        settings.set("yarn.interference.profile.store-dir", "/dev/null/profiles");
        settings.setInt("yarn.interference.place.max-wait-ms", 1000 * WAIT_SECONDS);
        settings.setInt("yarn.interference.place.containers-ahead", AHEAD);
        settings.setDouble("yarn.interference.place.min-measured", 0);
        return settings;
    }

    /** Tasks of one priority use the CPU in full, those of the next hardly at all. */
    private static List<TaskProfile> profiles(Instant now) {
        return Stream.iterate(0, i -> i < RandomLife.tasks().size(), i -> i + 1)
                .map(i -> new TaskProfile(
                        new TaskKey(TaskKey.Level.TAG, RandomLife.tasks().get(i)),
                        1000,
                        Map.of(Signal.CPU, Averages.constant(1000, i % 2 == 0 ? 0.9 : 0.1)),
                        Averages.constant(1000, 60),
                        now))
                .toList();
    }

    private static Surroundings surroundings(InstantSource clock) {
        if (clock == NO_CLOCK) {
            throw new IllegalStateException("without a clock");
        }
        return Ours.surroundings(clock, HangingPredictor.TICK::get);
    }

    private static final class OurCapacity extends InterferenceAwareScheduler {
        private final InstantSource clock;

        OurCapacity(InstantSource clock) {
            this.clock = clock;
        }

        @Override
        protected Surroundings surroundings() {
            return SchedulerPropertiesTest.surroundings(clock);
        }
    }

    private static final class OurFair extends InterferenceAwareFairScheduler {
        private final InstantSource clock;

        OurFair(InstantSource clock) {
            this.clock = clock;
        }

        @Override
        protected Surroundings surroundings() {
            return SchedulerPropertiesTest.surroundings(clock);
        }
    }

    /** Says that any two tasks on a node lose half of what they do, and has always been right: nobody delays more than by this. */
    public static final class CalibratedPredictor implements SlowdownPredictor {
        @Override
        public String name() {
            return "calibrated";
        }

        @Override
        public Prediction predict(Situation situation) {
            return new Prediction.Slowdown(1 + 10 * situation.beside(Signal.CPU));
        }

        @Override
        public OptionalDouble error() {
            return OptionalDouble.of(0.01);
        }
    }

    public static final class UnknowingPredictor implements SlowdownPredictor {
        @Override
        public String name() {
            return "unknowing";
        }

        @Override
        public Prediction predict(Situation situation) {
            return new Prediction.Unknown("nothing was learnt");
        }
    }

    public static final class ThrowingPredictor implements SlowdownPredictor {
        @Override
        public String name() {
            return "throwing";
        }

        @Override
        public Prediction predict(Situation situation) {
            throw new StackOverflowError("as always");
        }
    }

    /** Only this makes time go by. */
    public static final class HangingPredictor implements SlowdownPredictor {
        private static final AtomicLong TICK = new AtomicLong();

        @Override
        public String name() {
            return "hanging";
        }

        @Override
        public Prediction predict(Situation situation) {
            TICK.addAndGet(300_000_000);
            return new Prediction.Slowdown(1 + 10 * situation.beside(Signal.CPU));
        }
    }

    public static final class NonsensePredictor implements SlowdownPredictor {
        @Override
        public String name() {
            return "nonsense";
        }

        @Override
        public Prediction predict(Situation situation) {
            return new Prediction.Slowdown(situation.beside(Signal.CPU) > 0 ? Double.NaN : -1);
        }
    }
}
