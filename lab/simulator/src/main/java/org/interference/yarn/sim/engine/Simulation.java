package org.interference.yarn.sim.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.interference.yarn.app.LearntStore;
import org.interference.yarn.learn.ModelVersion;
import org.interference.yarn.learn.OnlineAdaptiveModule;
import org.interference.yarn.place.Differences;
import org.interference.yarn.predict.Composition;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.rest.Sources;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.interference.yarn.sim.world.GroundTruth;
import org.interference.yarn.sim.world.Load;
import org.interference.yarn.sim.world.RequestRatios;
import org.interference.yarn.sim.world.Seeds;
import org.interference.yarn.sim.world.World;

/**
 * One run: a real ResourceManager with one policy's scheduler, and nodes whose tasks run at the rates of one world.
 *
 * <p>Virtual time belongs to the loop here, and everything happens on the caller's thread, so a run is a function of its
 * arguments. Each node heartbeats once a second, the nodes one after the other; a container starts in the moment that YARN
 * allocates it, and YARN learns of its end with the next heartbeat of its node.
 *
 * <p>What it cannot show: preemption, failures, ApplicationMasters that need room, the time that a container
 * takes to start, asynchronous scheduling, and anything that a truth does not contain. Not thread-safe, and of one JVM only one
 * at a time should run: YARN keeps metrics in statics.
 */
public final class Simulation {
    /** Seconds after the last submission until unfinished jobs count as starved. */
    static final double PATIENCE = 6 * 3600;

    private static final double HEARTBEAT = 1;
    private static final double FAIR_UPDATE = 0.5;
    /** Enough heartbeats for every sample to be fresh again. */
    private static final double WAKE_UP = 10;
    /** What a random number is for. */
    private static final int PEAK = 1;

    private final Setup setup;
    private final Inputs inputs;
    private final VirtualClock clock = new VirtualClock();
    private final List<SimulatedJob> jobs = new ArrayList<>();
    private final Map<ApplicationAttemptId, SimulatedJob> byAttempt = new HashMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private final Map<NodeId, Node> byId = new HashMap<>();
    private final List<Counters> counters = new ArrayList<>();
    private final Map<SimulatedJob, List<RunOutcome.TaskOutcome>> finished = new LinkedHashMap<>();
    private final List<Runnable> housekeeping = new ArrayList<>();
    private final List<Event<?>> events = new ArrayList<>();
    private final Map<RunningTask.Killed, Integer> killed = new EnumMap<>(RunningTask.Killed.class);
    private double lostSeconds;
    private int waitingTasks;
    private int unfinishedJobs;

    /** All that a run depends on; {@code known} is what a warm policy starts with. */
    public record Setup(World world, List<SimJob> jobs, Policy policy, ClusterShape shape, long seed, Knowledge known) {
        public Setup {
            jobs = List.copyOf(jobs);
        }
    }

    private Simulation(Setup setup) {
        this.setup = setup;
        this.inputs =
                new Inputs(setup.world().locality(), setup.seed(), setup.shape().nodes());
        List<SimJob> inOrder = setup.jobs().stream()
                .sorted(Comparator.comparing(SimJob::submitted))
                .toList();
        Map<String, String> mistaken = MistakenNames.of(setup, inOrder);
        for (int i = 0; i < inOrder.size(); i++) {
            String name = inOrder.get(i).name();
            String told = mistaken.getOrDefault(name, name);
            SimulatedJob run = new SimulatedJob(i, inOrder.get(i), told, ResourceManagerDriver.attempt(i));
            jobs.add(run);
            byAttempt.put(run.attempt(), run);
            finished.put(run, new ArrayList<>());
        }
        for (int i = 0; i < setup.shape().nodes(); i++) {
            Node node = new Node(
                    i,
                    ResourceManagerDriver.nodeId(i),
                    setup.world().truth(),
                    setup.world().daemons().on(i),
                    setup.world().sizes().of(i),
                    memoryMb(i));
            nodes.add(node);
            byId.put(node.id(), node);
            counters.add(new Counters(
                    setup.world().measurement(), setup.seed(), !setup.policy().isMistaken()));
        }
    }

    /** A node has as much for tasks as it is configured with. */
    private double memoryMb(int node) {
        return setup.world().requests().areTold()
                ? (double) ResourceManagerDriver.SLOT_MEGABYTES
                        * setup.world().sizes().slots(node, setup.shape().slotsPerNode())
                : Double.POSITIVE_INFINITY;
    }

    /** Runs {@code setup} until its last task has finished. */
    public static RunOutcome run(Setup setup) {
        try {
            return new Simulation(setup).run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (YarnException e) {
            throw new IllegalStateException("the ResourceManager refused what the simulation did", e);
        }
    }

    private RunOutcome run() throws YarnException, IOException {
        Knowledge before = setup.policy().isWarm() ? setup.known() : Knowledge.NONE;
        LearntStore kept = new KeptInMemory(before.kept());
        Insight insight = new Insight(
                setup.seed(),
                clock,
                before,
                kept,
                this::nextIdentity,
                housekeeping::add,
                events::add,
                new Everything());
        SchedulerConfiguration conf = SimulatedYarn.configuration(setup.policy(), insight, clock);
        Knowledge known;
        Optional<RunOutcome.Saving> told;
        try (ResourceManagerDriver driver = new ResourceManagerDriver(conf)) {
            for (Node node : nodes) {
                int slots =
                        setup.world().sizes().slots(node.index(), setup.shape().slotsPerNode());
                driver.register(node.id(), setup.policy().slots(slots));
            }
            loop(driver);
            known = learnt(conf);
            told = told(conf);
        }
        // Only when it ends a life keeps all that it has seen.
        return outcome(new Knowledge(known.profiles(), known.model(), kept.load()), told);
    }

    private void loop(ResourceManagerDriver driver) throws YarnException, IOException {
        int submitted = 0;
        unfinishedJobs = jobs.size();
        double giveUp = seconds(jobs.get(jobs.size() - 1).job()) + PATIENCE;
        double nextUpdate = 0;
        double nextHousekeeping = 0;
        long beat = 0;
        while (unfinishedJobs > 0 && at(beat) <= giveUp) {
            double now = at(beat);
            while (submitted < jobs.size() && seconds(jobs.get(submitted).job()) <= now) {
                SimulatedJob run = jobs.get(submitted++);
                clock.set(seconds(run.job()));
                driver.submit(run, inputs);
                waitingTasks += run.job().tasks().size();
            }
            clock.set(now);
            if (now >= nextUpdate) {
                driver.update();
                nextUpdate = now + FAIR_UPDATE;
            }
            if (now >= nextHousekeeping) {
                housekeeping.forEach(Runnable::run);
                events.forEach(driver::handle);
                events.clear();
                nextHousekeeping = now + 1;
            }
            heartbeat(driver, nodes.get((int) (beat % nodes.size())), now);
            beat++;
            if (isIdle() && submitted < jobs.size()) {
                beat = Math.max(beat, firstBeatAt(seconds(jobs.get(submitted).job()) - WAKE_UP));
            }
        }
    }

    private double at(long beat) {
        return HEARTBEAT * beat / nodes.size();
    }

    private long firstBeatAt(double seconds) {
        return (long) Math.ceil(seconds / HEARTBEAT) * nodes.size();
    }

    private boolean isIdle() {
        return waitingTasks == 0
                && nodes.stream().allMatch(node -> node.running().isEmpty() && !node.hasFinished());
    }

    private void heartbeat(ResourceManagerDriver driver, Node node, double now) throws YarnException, IOException {
        node.advance(now);
        boolean reads = setup.policy().readsCounters();
        if (!reads && waitingTasks == 0 && !node.hasFinished()) {
            // Nobody waits, nothing ended, and nobody reads what it would say: YARN would do nothing.
            return;
        }
        List<RunningTask> ended = node.takeFinished();
        Optional<byte[]> payload =
                reads ? counters.get(node.index()).payload(node, ended, now, clock.instant()) : Optional.empty();
        for (ContainerId unwanted : driver.heartbeat(node, ended, payload)) {
            node.kill(unwanted, RunningTask.Killed.BY_RESOURCE_MANAGER);
        }
        start(driver, now);
        for (RunningTask task : ended) {
            end(driver, node, task);
        }
    }

    private void start(ResourceManagerDriver driver, double now) {
        for (ApplicationAttemptId attempt : driver.takeAllocated()) {
            SimulatedJob run = byAttempt.get(attempt);
            Set<String> begun = new TreeSet<>();
            for (Container container : driver.takeContainers(attempt)) {
                Node node = byId.get(container.getNodeId());
                SimulatedJob.Waiting task = run.start(
                        container.getPriority().getPriority(),
                        now,
                        waiting -> inputs.areOn(node.index(), run, waiting));
                begun.add(task.task().kind().name());
                node.advance(now);
                double work = alone(run, task) * inputs.cost(node.index(), run, task);
                node.start(new RunningTask(
                        run, task, container, kindOn(node, run, task.task().kind()), work, peakMb(run, task), now));
                waitingTasks--;
            }
            if (inputs.matter()) {
                // YARN takes from what is asked of the node that it gave, and not from what is asked of the others that
                // have a copy.
                begun.forEach(kind -> driver.ask(run, kind, inputs));
            }
        }
    }

    /** Returns the seconds that a task takes alone where its input is. */
    private double alone(SimulatedJob run, SimulatedJob.Waiting task) {
        return TaskNoise.work(task.task(), setup.seed(), run.index(), task.number());
    }

    private SimTaskKind kindOn(Node node, SimulatedJob run, SimTaskKind kind) {
        return setup.world()
                .requests()
                .used(kind, run.job().name())
                .on(setup.world().sizes().of(node.index()));
    }

    private double peakMb(SimulatedJob run, SimulatedJob.Waiting task) {
        RequestRatios requests = setup.world().requests();
        double draw = Seeds.normal(Seeds.of(setup.seed(), run.index(), task.number(), PEAK));
        return requests.areTold()
                ? ResourceManagerDriver.SLOT_MEGABYTES * requests.peak(run.job().name(), draw)
                : 0;
    }

    private void end(ResourceManagerDriver driver, Node node, RunningTask task) {
        SimulatedJob run = task.job();
        if (task.killed().isPresent()) {
            killed.merge(task.killed().get(), 1, Integer::sum);
            lostSeconds += task.finished() - task.started();
            run.lost(task.task());
            waitingTasks++;
            driver.ask(run, task.task().task().kind().name(), inputs);
            return;
        }
        run.finished(task.finished());
        finished.get(run)
                .add(new RunOutcome.TaskOutcome(
                        node.id().toString(), task.started(), task.finished(), alone(run, task.task())));
        if (run.unfinished() == 0) {
            driver.finish(run.attempt());
            unfinishedJobs--;
        }
    }

    private Optional<TaskIdentity> nextIdentity(ApplicationAttemptId attempt) {
        SimulatedJob run = byAttempt.get(attempt);
        return run.next().map(run::identity);
    }

    private RunOutcome outcome(Knowledge learnt, Optional<RunOutcome.Saving> told) {
        List<RunOutcome.JobOutcome> outcomes = new ArrayList<>();
        for (SimulatedJob run : jobs) {
            SimJob job = run.job();
            double end = run.unfinished() == 0 ? run.lastFinish() : Double.NaN;
            outcomes.add(new RunOutcome.JobOutcome(
                    job.name(), job.queue(), seconds(job), run.firstStart(), end, finished.get(run)));
        }
        double busy = nodes.stream().mapToDouble(Node::busySeconds).sum();
        RunOutcome.Use use = new RunOutcome.Use(
                nodes.stream().mapToDouble(Node::cpuSeconds).sum(),
                lostSeconds,
                killed.getOrDefault(RunningTask.Killed.BY_KERNEL, 0),
                killed.getOrDefault(RunningTask.Killed.BY_RESOURCE_MANAGER, 0));
        return new RunOutcome(outcomes, setup.shape().slots(), busy, learnt, told, use);
    }

    private static Knowledge learnt(SchedulerConfiguration conf) {
        if (!(conf.scheduler() instanceof RestHost host)) {
            return Knowledge.NONE;
        }
        Sources sources = host.restSources().orElseThrow();
        OnlineAdaptiveModule.Report model = sources.learnt().model().get();
        List<TaskProfile> profiles = sources.learnt().profiles().all().stream()
                .sorted(Comparator.comparing(
                                (TaskProfile profile) -> profile.key().level())
                        .thenComparing(profile -> profile.key().text()))
                .toList();
        return new Knowledge(
                profiles,
                Composition.PRIOR.with(model.champion().map(ModelVersion::predictor), model.calibration()),
                LearntStore.Learnt.NOTHING);
    }

    private static Optional<RunOutcome.Saving> told(SchedulerConfiguration conf) {
        if (!(conf.scheduler() instanceof RestHost host)) {
            return Optional.empty();
        }
        Differences.Saved saved = host.restSources()
                .orElseThrow()
                .placement()
                .decisions()
                .differences()
                .between(Instant.MIN, Instant.MAX)
                .all();
        Differences.Saved expected = saved.expecting(saved.expected());
        return expected.savedSecondsHalfWidth().isEmpty()
                ? Optional.empty()
                : Optional.of(new RunOutcome.Saving(
                        expected.savedSeconds(),
                        expected.savedSecondsHalfWidth().getAsDouble()));
    }

    private static double seconds(SimJob job) {
        return job.submitted().toMillis() / 1000.0;
    }

    private final class Everything implements Omniscience {
        @Override
        public GroundTruth truth() {
            return setup.world().truth();
        }

        @Override
        public List<Load> running(NodeId id) {
            Node node = byId.get(id);
            node.advance(clock.seconds());
            return Stream.concat(node.running().stream().map(RunningTask::load), node.daemons().stream())
                    .toList();
        }

        @Override
        public OptionalDouble peakMb(NodeId id, ContainerId container) {
            return byId.get(id).running().stream()
                    .filter(task -> task.container().getId().equals(container) && task.peakMb() > 0)
                    .mapToDouble(RunningTask::peakMb)
                    .findFirst();
        }

        @Override
        public OptionalDouble peakMb(ApplicationAttemptId attempt) {
            SimulatedJob run = byAttempt.get(attempt);
            return run.nextTask().stream()
                    .mapToDouble(task -> Simulation.this.peakMb(run, task))
                    .filter(mb -> mb > 0)
                    .findFirst();
        }

        @Override
        public Optional<Load> next(ApplicationAttemptId attempt, NodeId node) {
            SimulatedJob run = byAttempt.get(attempt);
            return run.nextTask()
                    .map(task -> new Load(
                            run.job().name(),
                            kindOn(byId.get(node), run, task.task().kind()),
                            0));
        }
    }
}
