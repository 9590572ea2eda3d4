package org.interference.yarn.app;

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
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
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
 * <p>Only {@link #create} throws, and only for a wrong setting. Every other method is called by YARN and returns normally
 * whatever happens.
 */
public final class InterferencePlugin {
    private static final Logger LOG = LoggerFactory.getLogger(InterferencePlugin.class);
    private static final Duration WRITE_INTERVAL = Duration.ofSeconds(1);
    private static final int NODES_PER_TICK = 100;

    private final RMContext rmContext;
    private final InstantSource clock;
    private final Ingest ingest;
    private final ProfileRepository profiles;
    private final RunningTasks running;
    private final FinishedTasks finished;
    private final Placement placement;
    private final YarnPlacement yarnPlacement;
    private final ProfileWriter writer;
    private final Adaptation adaptation;
    private final Sources restSources;
    private final Attribution attribution;
    private volatile Instant nextCoverage = Instant.MIN;
    private volatile ClusterNodes clusterNodes = new ClusterNodes(-1, Instant.EPOCH, Collections.emptySortedSet());
    private final LiveSettings settings;
    private final Mailbox mailbox;
    private final HealthMetrics metrics;
    private final ExecutorService decoding;
    private final ScheduledExecutorService background;
    private final ExecutorService slow;
    /** The first node to look at in the next tick. */
    private int nextNode;

    private Optional<String> metricsName = Optional.empty();

    private InterferencePlugin(Configuration conf, RMContext rmContext, Surroundings surroundings) {
        ProfileSettings profileSettings = ProfileSettings.from(conf::get);
        PredictSettings predictSettings = PredictSettings.from(conf::get);
        PlaceSettings placeSettings = PlaceSettings.from(conf::get);
        IngestSettings ingestSettings = IngestSettings.from(conf::get);
        Duration heartbeat = Duration.ofMillis(conf.getLong(
                YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, YarnConfiguration.DEFAULT_RM_NM_HEARTBEAT_INTERVAL_MS));
        this.rmContext = rmContext;
        this.clock = surroundings.clock();
        this.profiles = new ProfileRepository(profileSettings);
        this.running = new RunningTasks(profiles, container -> task(container).map(Sources.Task::identity));
        this.finished = new FinishedTasks(profiles, running);
        this.ingest = new Ingest(ingestSettings, heartbeat, this::sampled);
        this.placement = new Placement(
                ingest, profiles, predictSettings.predictor(), placeSettings, this::occupant, surroundings.ticker());
        this.yarnPlacement = new YarnPlacement(placement, rmContext, clock, surroundings.background());
        this.slow = surroundings.slow();
        ProfileWriter.Opener opener = location -> HadoopDirectory.of(location, conf);
        this.writer = new ProfileWriter(profiles, profileSettings.storeDirectory(), opener, slow);
        // What it learns is used if the setting says so, and otherwise only shown.
        ComposedPredictor learning =
                predictSettings.predictor() instanceof ComposedPredictor composed ? composed : new ComposedPredictor();
        this.adaptation = new Adaptation(
                learning,
                profiles,
                surroundings
                        .learnt()
                        .orElseGet(() -> new ModelFiles(profileSettings.storeDirectory() + "/models", opener)),
                slow,
                clock,
                surroundings.random());
        this.attribution = new Attribution(predictSettings.predictor(), profiles, container -> task(container)
                .map(Sources.Task::identity));
        this.settings = new LiveSettings(placement, conf::get);
        this.restSources = new Sources(
                ingest,
                profiles,
                placement,
                finished,
                attribution,
                adaptation.module()::report,
                adaptation::characterisation,
                writer::status,
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
     * Reads the settings and puts the plugin in YARN's way; nothing runs yet.
     *
     * @param surroundings whose executors {@link #stop} ends
     * @throws org.interference.yarn.config.ConfigException if a setting breaks its rule
     */
    public static InterferencePlugin create(Configuration conf, RMContext rmContext, Surroundings surroundings) {
        InterferencePlugin plugin = new InterferencePlugin(conf, rmContext, surroundings);
        rmContext
                .getYarnConfiguration()
                .set(
                        YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS,
                        InterferenceAppPlacementAllocator.class.getName());
        rmContext
                .getDispatcher()
                .register(RMNodeEventType.class, new HeartbeatTap(plugin.ingest, plugin.mailbox, plugin.clock));
        return plugin;
    }

    public void start() {
        writer.load(clock.instant());
        adaptation.load();
        publish();
        // Its outcome is never asked for: tick() catches everything.
        ScheduledFuture<?> unused = background.scheduleWithFixedDelay(
                this::tick, WRITE_INTERVAL.toMillis(), WRITE_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        LOG.info("interference-aware placement runs in mode {}", placement.mode());
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
            if (background.awaitTermination(10, TimeUnit.SECONDS)) {
                writer.save();
                writer.close();
                adaptation.save();
            } else {
                LOG.warn("the profile store is still being written; the last second of profiles may be lost");
            }
            // Only now does nobody begin another training or snapshot. What runs is given up; the store is whole
            // without.
            slow.shutdownNow();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Takes the settings that can change while the ResourceManager runs.
     *
     * @throws org.interference.yarn.config.ConfigException if one breaks its rule; then nothing has changed
     */
    public void refresh(Configuration conf) {
        settings.reread(conf::get);
        LOG.info("settings refreshed, mode {}", placement.mode());
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
            if (placement.isOff()) {
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
            placement.failed(e);
        }
    }

    private final class AdministratorsControl implements Control {
        @Override
        public List<Setting> settings() {
            return settings.settings();
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
            placement.failed(e);
        }
    }

    /** Forgets a node that left the cluster. */
    public void removed(String node) {
        placement.forget(node);
        ingest.forget(node);
    }

    private void sampled(NodeSample sample) {
        finished.sampled(sample);
        cover(clock.instant());
    }

    /** Once a second, whether nodes report or not. */
    private void cover(Instant now) {
        if (!now.isBefore(nextCoverage)) {
            nextCoverage = now.plus(WRITE_INTERVAL);
            placement.covered(ingest.coverage(clusterNodes(), now));
        }
    }

    private void tick() {
        try {
            Instant now = clock.instant();
            ingest.sweep(clusterNodes(), now);
            cover(now);
            yarnPlacement.sweep();
            placement.sweep(now);
            finished.sweep(now);
            observeNodes(now);
            profiles.sweep(now);
            adaptation.tick(finished.newest(), now);
        } catch (Throwable e) {
            placement.failed(e);
        }
        try {
            writer.save();
        } catch (Throwable e) {
            placement.failed(e);
        }
    }

    /** Looks at some nodes, in turn: at every one each second on a small cluster, less often on a large one. */
    private void observeNodes(Instant now) {
        List<NodeSample> nodes = ingest.all();
        int looks = Math.min(nodes.size(), NODES_PER_TICK);
        for (int i = 0; i < looks; i++) {
            NodeSample node = nodes.get((nextNode + i) % nodes.size());
            running.observe(node, now);
            adaptation.look(node, now);
            attribution.look(node, now);
        }
        nextNode = nodes.isEmpty() ? 0 : (nextNode + looks) % nodes.size();
        running.sweep(now);
        attribution.sweep(now);
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
        return container(container).flatMap(this::task);
    }

    /** Reads only what YARN keeps in concurrent maps and fields: it is called under a lock. */
    private Optional<Occupant> occupant(String container) {
        return container(container).flatMap(known -> {
            RMApp app = app(known);
            SchedulerApplicationAttempt attempt = attempt(known);
            return app == null || attempt == null
                    ? Optional.empty()
                    : Optional.of(YarnTasks.occupant(app, attempt, known));
        });
    }

    /** Nobody checked the id on the way here. */
    private Optional<RMContainer> container(String container) {
        ContainerId id;
        try {
            id = ContainerId.fromString(container);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        return Optional.ofNullable(rmContext.getScheduler().getRMContainer(id));
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
