package org.interference.yarn.app;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator;
import org.interference.yarn.config.UnknownSettings;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.fault.Part;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.ingest.Mailbox;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.ingest.yarn.HeartbeatTap;
import org.interference.yarn.learn.Attribution;
import org.interference.yarn.learn.CompletedContainer;
import org.interference.yarn.learn.FinishedTasks;
import org.interference.yarn.learn.RunningTasks;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.Occupant;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Wishes;
import org.interference.yarn.place.yarn.InterferenceAppPlacementAllocator;
import org.interference.yarn.place.yarn.YarnPlacement;
import org.interference.yarn.place.yarn.YarnTasks;
import org.interference.yarn.predict.ComposedPredictor;
import org.interference.yarn.predict.PredictSettings;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.ProfileSettings;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.store.HadoopDirectory;
import org.interference.yarn.rest.Control;
import org.interference.yarn.rest.HealthMetrics;
import org.interference.yarn.rest.Sources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plugin of one ResourceManager: its stages, wired, and their life cycle.
 *
 * <p>Only {@link #read} throws, and only for a wrong setting. Every other method returns normally whatever happens.
 */
public final class InterferencePlugin {
    private static final Logger LOG = LoggerFactory.getLogger(InterferencePlugin.class);
    private static final Duration WISHES_INTERVAL = Duration.ofMinutes(1);
    private static final Duration WRITE_INTERVAL = Duration.ofSeconds(1);
    private static final int NODES_PER_TICK = 100;
    /** A store that hangs keeps nobody longer from standing by. */
    private static final Duration STORE_AT_STOP = Duration.ofSeconds(5);
    /** Who hurts whom costs a node with a hundred containers some 20 ms: per tick no more than this. */
    private static final long ATTRIBUTION_NANOS = 50_000_000;

    private final RMContext rmContext;
    /** Reads only what YARN keeps in concurrent maps and fields. */
    private final KnownContainers containers;

    private final InstantSource clock;
    private final LongSupplier ticker;
    private final Faults faults;
    private final Ingest ingest;
    private final ProfileRepository profiles;
    private final int mostProfiles;
    private final RunningTasks running;
    private final FinishedTasks finished;
    private final Placement placement;
    private final YarnPlacement yarnPlacement;
    private final Storage storage;
    private final Adaptation adaptation;
    private final Sources restSources;
    private final Attribution attribution;
    private Instant nextWishes = Instant.MIN;
    private volatile Instant nextCoverage = Instant.MIN;
    private volatile ClusterNodes clusterNodes = new ClusterNodes(-1, Instant.EPOCH, Collections.emptySortedSet());
    private final LiveSettings settings;
    private final Mailbox mailbox;
    private final HealthMetrics metrics;
    private final ExecutorService decoding;
    private final ScheduledExecutorService background;
    private final ExecutorService slow;
    private final ExecutorService snapshots;
    private Optional<String> metricsName = Optional.empty();

    /** What is said of the operator's own allocator; empty if there was none. */
    private volatile Optional<String> replaced = Optional.empty();

    private InterferencePlugin(Configuration conf, RMContext rmContext, Surroundings surroundings) {
        StartSettings start = StartSettings.from(conf::get);
        ProfileSettings profileSettings = start.profile();
        PredictSettings predictSettings = start.predict();
        PlaceSettings placeSettings = start.place();
        IngestSettings ingestSettings = start.ingest();
        Duration heartbeat = Duration.ofMillis(conf.getLong(
                YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, YarnConfiguration.DEFAULT_RM_NM_HEARTBEAT_INTERVAL_MS));
        this.rmContext = rmContext;
        // The scheduler is asked for when it is needed: it is not set yet.
        this.containers = new KnownContainers(id -> rmContext.getScheduler().getRMContainer(id));
        this.clock = surroundings.clock();
        this.ticker = surroundings.ticker();
        this.faults = new Faults(clock, LOG::error);
        this.profiles = new ProfileRepository(profileSettings);
        // Between two sweeps there may be a tenth more.
        this.mostProfiles = profileSettings.maxProfiles() + profileSettings.maxProfiles() / 10;
        this.running = new RunningTasks(profiles, container -> task(container).map(Sources.Task::identity));
        this.finished = new FinishedTasks(profiles, running);
        this.ingest = new Ingest(ingestSettings, heartbeat, containers, this::sampled, faults);
        this.placement = new Placement(
                ingest,
                profiles,
                predictSettings.predictor(),
                placeSettings,
                this::occupant,
                surroundings.ticker(),
                faults);
        this.yarnPlacement = new YarnPlacement(placement, rmContext, clock, surroundings.background());
        this.slow = surroundings.slow();
        this.snapshots = surroundings.snapshots();
        ProfileWriter.Opener opener = location -> {
            if (!start.wrongOfStore().isEmpty()) {
                throw new IOException(start.wrongOfStore().toAdministrators());
            }
            return HadoopDirectory.of(location, conf);
        };
        ProfileWriter writer = new ProfileWriter(profiles, profileSettings.storeDirectory(), opener, snapshots, faults);
        // What it learns is used if the setting says so, and otherwise only shown.
        ComposedPredictor learning =
                predictSettings.predictor() instanceof ComposedPredictor composed ? composed : new ComposedPredictor();
        this.adaptation = new Adaptation(
                learning,
                profiles,
                surroundings
                        .learnt()
                        .orElseGet(() ->
                                new ModelFiles(profileSettings.storeDirectory() + "/models", writer::directory, clock)),
                slow,
                this::writeLater,
                faults,
                clock,
                surroundings.random());
        this.storage = new Storage(
                writer,
                surroundings.storage(),
                adaptation::load,
                surroundings.learnt().isEmpty(),
                faults,
                clock);
        this.attribution = new Attribution(predictSettings.predictor(), profiles, container -> task(container)
                .map(Sources.Task::identity));
        this.settings = new LiveSettings(placement, start, conf::get);
        settings.problem().ifPresent(LOG::error);
        UnknownSettings.among(conf, LiveSettings.keys().toList()).forEach(LOG::warn);
        this.restSources = new Sources(
                ingest,
                profiles,
                placement,
                finished,
                attribution,
                adaptation.module()::report,
                adaptation::characterisation,
                storage::status,
                this::clusterNodes,
                this::task,
                clock,
                new AdministratorsControl(),
                new Sources.Planning(predictSettings.predictor(), this::rooms, surroundings.ticker()));
        this.metrics = new HealthMetrics(
                restSources,
                Optional.ofNullable(conf.get(YarnConfiguration.RM_HA_ID)).filter(id -> HAUtil.isHAEnabled(conf)));
        this.decoding = surroundings.decoding();
        this.mailbox = new Mailbox(ingest, decoding);
        this.background = surroundings.background();
    }

    /**
     * Reads the settings and puts the plugin in YARN's way; nothing runs yet. With a wrong setting every queue is off, and health says why.
     *
     * @param surroundings whose executors {@link #stop} ends
     */
    public static InterferencePlugin create(Configuration conf, RMContext rmContext, Surroundings surroundings) {
        InterferencePlugin plugin = new InterferencePlugin(conf, rmContext, surroundings);
        plugin.replacesAllocator(rmContext.getYarnConfiguration());
        rmContext
                .getDispatcher()
                .register(RMNodeEventType.class, new HeartbeatTap(plugin.ingest, plugin.mailbox, plugin.clock));
        return plugin;
    }

    private void replacesAllocator(Configuration conf) {
        String ours = InterferenceAppPlacementAllocator.class.getName();
        replaced = Optional.ofNullable(conf.get(YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS))
                .filter(configured -> !configured.equals(ours))
                .map(configured -> "%s is %s, which is not used: the plugin replaces it with its own"
                        .formatted(YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS, configured));
        replaced.ifPresent(LOG::warn);
        conf.set(YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS, ours);
    }

    public void start() {
        storage.tend();
        adaptation.takeOver();
        publish();
        // Its outcome is never asked for: tick() catches everything.
        ScheduledFuture<?> unused = background.scheduleWithFixedDelay(
                this::tick, WRITE_INTERVAL.toMillis(), WRITE_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        LOG.info("interference-aware placement runs in mode {}", placement.gate().mode());
    }

    @SuppressWarnings("CatchThrowable") // Without metrics everything else still works.
    private void publish() {
        try {
            metricsName = Optional.of(metrics.register(DefaultMetricsSystem.instance()));
        } catch (Throwable e) {
            LOG.error("the interference metrics cannot be registered; health has the same numbers", e);
        }
    }

    public void stop() {
        metricsName.ifPresent(DefaultMetricsSystem.instance()::unregisterSource);
        metricsName = Optional.empty();
        try {
            decoding.shutdown();
            background.shutdown();
            // What is still in the mailbox may be the last of a task.
            if (!decoding.awaitTermination(5, TimeUnit.SECONDS)) {
                LOG.warn("heartbeats are still being decoded; the newest ones are not learnt from");
            }
            if (background.awaitTermination(5, TimeUnit.SECONDS)) {
                adaptation.save();
            } else {
                LOG.warn("housekeeping has not ended; observations of the last minutes may be lost");
            }
            storage.stop(STORE_AT_STOP);
            // Only now does nobody begin another training or snapshot. What runs is given up; the store is whole
            // without.
            slow.shutdownNow();
            snapshots.shutdownNow();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Reads the settings that can change while the ResourceManager runs.
     *
     * @return what puts them in force
     * @throws org.interference.yarn.config.ConfigException if one breaks its rule; then those before stay, and health says so
     */
    public Runnable read(Configuration conf) {
        Runnable use = settings.read(conf::get);
        return () -> {
            use.run();
            LOG.info("settings refreshed, mode {}", placement.gate().mode());
        };
    }

    /** Returns what is told of errors. */
    Faults faults() {
        return faults;
    }

    public YarnPlacement placement() {
        return yarnPlacement;
    }

    /** Returns what REST answers from, with everything accounted for that YARN has committed. */
    public Sources restSources() {
        yarnPlacement.accountForAll();
        return restSources;
    }

    /**
     * Takes a container that its node brought along when it registered with a ResourceManager that had not placed it: until
     * it is measured, it weighs what its profile says, as after a placement.
     */
    @SuppressWarnings("CatchThrowable") // Called while a node registers.
    public void recovered(RMContainer container) {
        try {
            if (placement.gate().isOff()) {
                return;
            }
            RMApp app = app(container);
            SchedulerApplicationAttempt attempt = attempt(container);
            if (app == null || attempt == null || container.getAllocatedSchedulerKey() == null) {
                return;
            }
            placement.proposed(
                    container.getContainerId().toString(),
                    container.getAllocatedNode().toString(),
                    YarnTasks.request(app, attempt, container.getAllocatedSchedulerKey(), container.isAMContainer()),
                    clock.instant());
        } catch (Throwable e) {
            faults.note(Part.ACCOUNTING, e);
        }
    }

    private final class AdministratorsControl implements Control {
        @Override
        public List<Setting> settings() {
            return settings.settings();
        }

        @Override
        public Optional<String> problem() {
            return settings.problem().or(() -> replaced);
        }

        @Override
        public Optional<String> problemToAnybody() {
            return settings.problemToAnybody().or(() -> replaced);
        }

        @Override
        public void change(Map<String, String> values) {
            settings.change(values);
        }

        @Override
        public void switchTo(Mode mode, Optional<String> queue) {
            settings.switchTo(mode, queue);
        }

        @Override
        public boolean retrain() {
            return adaptation.module().ask();
        }

        @Override
        public boolean rollBack(int version) {
            return adaptation.module().rollBack(version, clock.instant());
        }

        @Override
        public boolean deleteProfile(String key) {
            return profiles.remove(key);
        }

        @Override
        public int mostProfiles() {
            return mostProfiles;
        }

        @Override
        public void importProfiles(Collection<TaskProfile> imported) {
            profiles.merge(imported);
        }
    }

    /** Takes a container that YARN has just completed. */
    public void completed(RMContainer container, ContainerStatus status) {
        try {
            String id = container.getContainerId().toString();
            String node = container.getAllocatedNode().toString();
            placement.completed(id, node, clock.instant());
            if (status.getExitStatus() == ContainerExitStatus.PREEMPTED) {
                placement.preempted(node, clock.instant());
            }
            Optional<Sources.Task> task = task(container);
            if (task.isEmpty()) {
                return;
            }
            finished.completed(
                    new CompletedContainer(
                            id,
                            task.get().application(),
                            node,
                            task.get().identity(),
                            task.get().applicationMaster(),
                            isCutShort(status.getExitStatus())),
                    ingest.newest(node),
                    clock.instant());
        } catch (Throwable e) {
            faults.note(Part.LEARNING, e);
        }
    }

    /** Forgets a node that left the cluster. */
    public void removed(String node) {
        placement.forget(node);
        ingest.forget(node);
    }

    private void writeLater(String name, Runnable writing) {
        storage.later(name, writing);
    }

    /** On the thread that decodes: the company of every task is taken from every report. */
    private void sampled(NodeSample sample) {
        Instant now = clock.instant();
        safely(Part.LEARNING, () -> finished.sampled(sample));
        safely(Part.LEARNING, () -> running.observe(sample, now));
        safely(Part.LEARNING, () -> adaptation.look(sample, now));
        cover(now);
    }

    /** Once a second, whether nodes report or not. */
    private void cover(Instant now) {
        if (!now.isBefore(nextCoverage)) {
            nextCoverage = now.plus(WRITE_INTERVAL);
            placement.freeNodes().covered(ingest.coverage(clusterNodes(), now));
        }
    }

    /** Each part by itself: one that fails leaves the others their turn. */
    private void tick() {
        Instant now = clock.instant();
        safely(Part.INGEST, () -> ingest.sweep(clusterNodes(), now));
        safely(Part.ACCOUNTING, () -> cover(now));
        safely(Part.ACCOUNTING, yarnPlacement::sweep);
        safely(Part.ACCOUNTING, () -> placement.sweep(now));
        safely(Part.ACCOUNTING, () -> forgetWishes(now));
        safely(Part.LEARNING, () -> finished.sweep(now));
        observeNodes(now);
        safely(Part.LEARNING, () -> running.sweep(now));
        safely(Part.LEARNING, () -> attribution.sweep(now));
        safely(Part.LEARNING, () -> profiles.sweep(now));
        safely(Part.LEARNING, () -> adaptation.tick(finished.drain(), now));
        storage.tend();
    }

    @SuppressWarnings("CatchThrowable") // The next run would not come.
    private void safely(Part part, Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            faults.note(part, e);
        }
    }

    private void forgetWishes(Instant now) {
        if (!now.isBefore(nextWishes)) {
            nextWishes = now.plus(WISHES_INTERVAL);
            placement.accounts().forgetWishes(this::anybodyWishes);
        }
    }

    private boolean anybodyWishes() {
        return ((AbstractYarnScheduler<?, ?>) rmContext.getScheduler())
                .getSchedulerApplications().entrySet().stream().anyMatch(application -> {
                    RMApp app = rmContext.getRMApps().get(application.getKey());
                    return app != null
                            && !placement
                                    .accounts().heard(YarnTasks.path(application.getValue().getQueue()), YarnTasks.wishes(app))
                                    .equals(Wishes.NONE);
                });
    }

    /** Works out who hurts whom on some nodes, in turn: on every one each second on a small cluster, less often on a large one. */
    private void observeNodes(Instant now) {
        List<NodeSample> nodes = ingest.all();
        long began = ticker.getAsLong();
        safely(
                Part.LEARNING,
                () -> attribution.lookAtSome(
                        nodes, NODES_PER_TICK, now, () -> ticker.getAsLong() - began > ATTRIBUTION_NANOS));
    }

    /**
     * The nodes at one moment.
     *
     * @param size how many there were, also those that came while they were listed
     */
    private record ClusterNodes(int size, Instant at, SortedSet<String> names) {}

    /** Returns the nodes by name, at most a second late: writing 10,000 names takes longer than most answers. */
    private SortedSet<String> clusterNodes() {
        Instant now = clock.instant();
        int size = rmContext.getRMNodes().size();
        ClusterNodes known = clusterNodes;
        if (known.size() != size
                || !known.at().plus(WRITE_INTERVAL).isAfter(now)
                || known.at().isAfter(now)) {
            known = new ClusterNodes(
                    size,
                    now,
                    Collections.unmodifiableSortedSet(rmContext.getRMNodes().keySet().stream()
                            .map(NodeId::toString)
                            .collect(Collectors.toCollection(TreeSet::new))));
            clusterNodes = known;
        }
        return known.names();
    }

    /** Returns what is free of the nodes that run, as the scheduler counts. */
    private List<Sources.Room> rooms() {
        if (!(rmContext.getScheduler() instanceof AbstractYarnScheduler<?, ?> scheduler)) {
            return List.of();
        }
        // YARN's default calculator lets containers have more cores than there are.
        boolean countsCores = !(scheduler.getResourceCalculator() instanceof DefaultResourceCalculator);
        List<Sources.Room> rooms = new ArrayList<>();
        for (SchedulerNode node : scheduler.getNodeTracker().getAllNodes()) {
            if (node.getRMNode().getState() == NodeState.RUNNING) {
                Resource free = node.getUnallocatedResource();
                rooms.add(new Sources.Room(
                        node.getNodeID().toString(),
                        free.getMemorySize(),
                        countsCores ? free.getVirtualCores() : Integer.MAX_VALUE));
            }
        }
        rooms.sort(Comparator.comparing(Sources.Room::node));
        return rooms;
    }

    /** Returns who runs in a container that some node reported. */
    private Optional<Sources.Task> task(String container) {
        return containers.find(container).flatMap(this::task);
    }

    /** Reads only what YARN keeps in concurrent maps and fields: it is called under a lock. */
    private Optional<Occupant> occupant(String container) {
        return containers.find(container).flatMap(known -> {
            RMApp app = app(known);
            SchedulerApplicationAttempt attempt = attempt(known);
            return app == null || attempt == null
                    ? Optional.empty()
                    : Optional.of(YarnTasks.occupant(app, attempt, known));
        });
    }

    private RMApp app(RMContainer container) {
        return rmContext.getRMApps().get(container.getApplicationAttemptId().getApplicationId());
    }

    private SchedulerApplicationAttempt attempt(RMContainer container) {
        return ((AbstractYarnScheduler<?, ?>) rmContext.getScheduler())
                .getApplicationAttempt(container.getApplicationAttemptId());
    }

    private Optional<Sources.Task> task(RMContainer container) {
        ApplicationId application = container.getApplicationAttemptId().getApplicationId();
        RMApp app = app(container);
        if (app == null || container.getAllocatedSchedulerKey() == null) {
            return Optional.empty();
        }
        boolean applicationMaster = container.isAMContainer();
        return Optional.of(new Sources.Task(
                application.toString(),
                YarnTasks.identity(app, container.getAllocatedSchedulerKey(), applicationMaster),
                applicationMaster));
    }

    /**
     * Returns whether an exit status says that the work was not done. An ApplicationMaster ends its long-lived workers
     * itself, and YARN ends what an application leaves behind; both of these have done theirs.
     */
    private static boolean isCutShort(int exitStatus) {
        return switch (exitStatus) {
            case ContainerExitStatus.SUCCESS,
                    ContainerExitStatus.ABORTED,
                    ContainerExitStatus.KILLED_BY_APPMASTER,
                    ContainerExitStatus.KILLED_AFTER_APP_COMPLETION -> false;
            // 128 + SIGTERM: how a NodeManager ends a container that its ApplicationMaster or YARN has asked it to end.
            case 143 -> false;
            default -> true;
        };
    }
}
