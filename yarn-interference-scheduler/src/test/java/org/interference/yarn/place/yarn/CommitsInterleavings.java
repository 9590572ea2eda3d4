package org.interference.yarn.place.yarn;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.place.Request;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.SharedTags;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Threads that commit, and others that decide, sweep or complete containers, at what waits in {@link Commits}. */
final class CommitsInterleavings {
    private static final Instant NOW = Instant.EPOCH;
    private static final NodeId NODE = NodeId.newInstance("node-a", 8041);
    private static final ContainerId ID =
            ContainerId.newContainerId(ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), 1);
    private static final Request REQUEST = new Request("attempt_1", "priority 1", Tasks.SORT, false);
    private static final Ranking.Reason REASON = Ranking.Reason.PARENT_SINGLE_NODE;
    private static final Commits.Origin ORIGIN =
            Commits.Origin.of(new Ranking(REQUEST, Mode.ON, REASON, Optional.empty(), List.of()));
    /** None of its nodes is measured: of what has completed there nothing is remembered. */
    private static final Ingest INGEST =
            new Ingest(new IngestSettings(5, 4096, Duration.ofMinutes(10)), Duration.ofSeconds(1), sample -> {});

    private static final ProfileRepository NO_PROFILES = new ProfileRepository(1);
    private static final ProfileRepository PROFILES = Tasks.repository(Vectors.cpu(0.5), Duration.ofSeconds(10));
    private static final PlaceSettings SETTINGS = PlaceSettings.from(Map.<String, String>of()::getOrDefault);
    private static final RMContainer RUNNING = new Container().forYarn();

    private CommitsInterleavings() {}

    private static Placement placement(ProfileRepository profiles) {
        return new Placement(INGEST, profiles, new FakePredictor(), SETTINGS);
    }

    private static Commits commits(Placement placement, Executor background, int most) {
        return new Commits(
                placement, new Requests(null, new YarnTasks(SharedTags.NONE)), NodeId::toString, background, most);
    }

    /** A background thread that the plugin has stopped. */
    private static void stopped(Runnable task) {
        throw new RejectedExecutionException();
    }

    private static void add(Commits commits, int containers) {
        for (int i = 0; i < containers; i++) {
            commits.add(RUNNING, Optional.empty(), ORIGIN, NOW);
        }
    }

    private static int accounted(Placement placement) {
        return placement.decisions().counts().get(REASON).intValue();
    }

    private static int unaccounted(Placement placement) {
        return (int) placement.decisions().notAccountedFor();
    }

    /** What YARN says of one container. */
    private static final class Container implements InvocationHandler {
        private volatile RMContainerState state = RMContainerState.RUNNING;

        private RMContainer forYarn() {
            return (RMContainer) Proxy.newProxyInstance(
                    RMContainer.class.getClassLoader(), new Class<?>[] {RMContainer.class}, this);
        }

        /** As YARN does it, which tells of it then. */
        private void complete(Placement placement) {
            state = RMContainerState.COMPLETED;
            placement.completed(ID.toString(), NODE.toString(), NOW);
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            return switch (method.getName()) {
                case "getContainerId" -> ID;
                case "getAllocatedNode" -> NODE;
                case "getState" -> state;
                default -> throw new UnsupportedOperationException(method.getName());
            };
        }
    }

    /**
     * A decision accounts for some while others are committed. Results: how many are accounted for, and how often the background thread
     * was woken for these few.
     */
    @JCStressTest
    @Outcome(id = "8, 0", expect = Expect.ACCEPTABLE, desc = "each once")
    @Outcome(id = "[0-7], .", expect = Expect.FORBIDDEN, desc = "one is lost")
    @Outcome(id = "8, [1-9]", expect = Expect.FORBIDDEN, desc = "the background thread is woken although few wait")
    @State
    public static class AddedBesideADecision {
        private final AtomicInteger woken = new AtomicInteger();
        private final Placement placement = placement(NO_PROFILES);
        private final Commits commits = commits(placement, task -> woken.incrementAndGet(), 8);

        public AddedBesideADecision() {
            add(commits, 3);
        }

        @Actor
        public void commit() {
            add(commits, 5);
        }

        @Actor
        public void decide() {
            commits.accountForSome();
        }

        @Arbiter
        public void after(II_Result result) {
            commits.accountForAll();
            result.r1 = accounted(placement);
            result.r2 = woken.get();
        }
    }

    /**
     * A decision and the background thread account for the same ones. Results: how many are accounted for, and how many of one too many
     * are left out then.
     */
    @JCStressTest
    @Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "each once, and the bound is where it was")
    @Outcome(id = "[34], .", expect = Expect.FORBIDDEN, desc = "one is accounted for twice")
    @Outcome(id = "2, [023]", expect = Expect.FORBIDDEN, desc = "what waits is miscounted from now on")
    @State
    public static class TwoAccount {
        private final Placement placement = placement(NO_PROFILES);
        private final Commits commits = commits(placement, task -> {}, 2);

        public TwoAccount() {
            add(commits, 2);
        }

        @Actor
        public void decide() {
            commits.accountForSome();
        }

        @Actor
        public void sweep() {
            commits.accountForAll();
        }

        @Arbiter
        public void after(II_Result result) {
            result.r1 = accounted(placement);
            add(commits, 3);
            result.r2 = unaccounted(placement);
        }
    }

    /** The background thread accounts for all, and somebody wants to read what was decided. Result: what he finds. */
    @JCStressTest
    @Outcome(id = "3", expect = Expect.ACCEPTABLE, desc = "all of them")
    @Outcome(id = "[012]", expect = Expect.FORBIDDEN, desc = "one is still on its way")
    @State
    public static class ReadWhileAccounted {
        private final Placement placement = placement(NO_PROFILES);
        private final Commits commits = commits(placement, task -> {}, 3);

        public ReadWhileAccounted() {
            add(commits, 3);
        }

        @Actor
        public void sweep() {
            commits.accountForAll();
        }

        @Actor
        public void read(I_Result result) {
            commits.accountForAll();
            result.r1 = accounted(placement);
        }
    }

    /** One is committed where no more may wait, while a decision makes room. Results: accounted for, and counted as left out. */
    @JCStressTest
    @Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "there was room again")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "there was none yet")
    @Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "one is lost, and nobody is told")
    @State
    public static class AddedAtTheBound {
        private final Placement placement = placement(NO_PROFILES);
        private final Commits commits = commits(placement, task -> {}, 1);

        public AddedAtTheBound() {
            add(commits, 1);
        }

        @Actor
        public void commit() {
            add(commits, 1);
        }

        @Actor
        public void decide() {
            commits.accountForSome();
        }

        @Arbiter
        public void after(II_Result result) {
            commits.accountForAll();
            result.r1 = accounted(placement);
            result.r2 = unaccounted(placement);
        }
    }

    /** Two threads commit three each where three may wait. Results: accounted for, and counted as left out. */
    @JCStressTest
    @Outcome(id = "3, 3", expect = Expect.ACCEPTABLE, desc = "three wait, the others are left out")
    @Outcome(id = "[456], .", expect = Expect.FORBIDDEN, desc = "more wait than may")
    @Outcome(id = "[012], .", expect = Expect.FORBIDDEN, desc = "one is left out although there is room")
    @State
    public static class TwoAddedAtTheBound {
        private final Placement placement = placement(NO_PROFILES);
        private final Commits commits = commits(placement, task -> {}, 3);

        @Actor
        public void commit() {
            add(commits, 3);
        }

        @Actor
        public void commitAnother() {
            add(commits, 3);
        }

        @Arbiter
        public void after(II_Result result) {
            commits.accountForAll();
            result.r1 = accounted(placement);
            result.r2 = unaccounted(placement);
        }
    }

    /** Two are committed of which the second is one of many. Result: how often the background thread was woken. */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "once")
    @Outcome(id = "0", expect = Expect.FORBIDDEN, desc = "many wait until the next are as many")
    @Outcome(id = "2", expect = Expect.FORBIDDEN, desc = "twice for the same ones")
    @State
    public static class ManyWait {
        private final AtomicInteger woken = new AtomicInteger();
        private final Commits commits = commits(placement(NO_PROFILES), task -> woken.incrementAndGet(), Commits.MOST);

        public ManyWait() {
            add(commits, Commits.MANY - 2);
        }

        @Actor
        public void commit() {
            add(commits, 1);
        }

        @Actor
        public void commitAnother() {
            add(commits, 1);
        }

        @Arbiter
        public void after(I_Result result) {
            result.r1 = woken.get();
        }
    }

    /** The background thread has been stopped: many are forgotten at once. Result: how many of them still wait. */
    @JCStressTest
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "all are forgotten")
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "but one that came after the others")
    @Outcome(id = "65", expect = Expect.FORBIDDEN, desc = "they wait, and nobody comes")
    @State
    public static class ManyWaitInVain {
        private final Placement placement = placement(NO_PROFILES);
        private final Commits commits = commits(placement, CommitsInterleavings::stopped, Commits.MOST);

        public ManyWaitInVain() {
            add(commits, Commits.MANY - 1);
        }

        @Actor
        public void commit() {
            add(commits, 1);
        }

        @Actor
        public void commitAnother() {
            add(commits, 1);
        }

        @Arbiter
        public void after(I_Result result) {
            commits.accountForAll();
            result.r1 = accounted(placement);
        }
    }

    /** A container completes while it is accounted for. Result: how many count on the node. */
    @JCStressTest
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "it does not count, whichever came first")
    @Outcome(id = "1", expect = Expect.FORBIDDEN, desc = "what is gone counts")
    @State
    public static class CompletedWhileAccounted {
        private final Placement placement = placement(PROFILES);
        private final Commits commits = commits(placement, task -> {}, 1);
        private final Container container = new Container();

        public CompletedWhileAccounted() {
            commits.add(container.forYarn(), Optional.empty(), ORIGIN, NOW);
        }

        @Actor
        public void decide() {
            commits.accountForSome();
        }

        @Actor
        public void complete() {
            container.complete(placement);
        }

        @Arbiter
        public void after(I_Result result) {
            result.r1 = (int) placement.accounts().unmeasured(NODE.toString(), NOW);
        }
    }

    /** The same of one that has been accounted for as a proposal. */
    @JCStressTest
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "neither name counts")
    @Outcome(id = "1", expect = Expect.FORBIDDEN, desc = "what is gone counts, under either name")
    @State
    public static class CompletedWhileNamed {
        private final Placement placement = placement(PROFILES);
        private final Commits commits = commits(placement, task -> {}, 1);
        private final Container container = new Container();

        public CompletedWhileNamed() {
            placement.proposed("proposal", NODE.toString(), REQUEST, NOW);
            commits.add(container.forYarn(), Optional.of("proposal"), ORIGIN, NOW);
        }

        @Actor
        public void decide() {
            commits.accountForSome();
        }

        @Actor
        public void complete() {
            container.complete(placement);
        }

        @Arbiter
        public void after(I_Result result) {
            result.r1 = (int) placement.accounts().unmeasured(NODE.toString(), NOW);
        }
    }
}
