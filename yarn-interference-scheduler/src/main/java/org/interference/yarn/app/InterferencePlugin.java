package org.interference.yarn.app;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.interference.yarn.capacity.yarn.NodeSizes;
import org.interference.yarn.config.UnknownSettings;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.hadoop.HadoopLine;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.ingest.Mailbox;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.ingest.yarn.HeartbeatTap;
import org.interference.yarn.learn.Attribution;
import org.interference.yarn.learn.CompletedContainer;
import org.interference.yarn.learn.FinishedTasks;
import org.interference.yarn.learn.RunningTasks;
import org.interference.yarn.learn.Traffic;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.yarn.Preempted;
import org.interference.yarn.place.yarn.YarnPlacement;
import org.interference.yarn.place.yarn.YarnTasks;
import org.interference.yarn.predict.ComposedPredictor;
import org.interference.yarn.predict.PredictSettings;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.ProfileSettings;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.store.HadoopDirectory;
import org.interference.yarn.relocate.yarn.Relocations;
import org.interference.yarn.rest.GuiceWebService;
import org.interference.yarn.rest.HealthMetrics;
import org.interference.yarn.rest.Sources;
import org.interference.yarn.signal.NodeReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plugin of one ResourceManager: its stages, wired, and their life cycle.
 *
 * <p>Only {@link #read} throws, and only for a wrong setting. Every other method returns normally whatever happens.
 */
public final class InterferencePlugin {
    private static final Logger LOG = LoggerFactory.getLogger(InterferencePlugin.class);
    /** A store that hangs keeps nobody longer from standing by. */
    private static final Duration STORE_AT_STOP = Duration.ofSeconds(5);

    private final AllocatorClass allocator;
    private final InstantSource clock;
    private final LongFunction<Optional<Duration>> since;
    private final Faults faults;
    private final Ingest ingest;
    private final ContainerTasks tasks;
    private final FinishedTasks finished;
    private final Placement placement;
    private final YarnPlacement yarnPlacement;
    private final NodeSizes sizes;
    private final Relocations relocations;
    private final Storage storage;
    private final Adaptation adaptation;
    private final Sources restSources;
    private final Housekeeping housekeeping;
    private final LiveSettings settings;
    private final Mailbox mailbox;
    private final HealthMetrics metrics;
    private final ExecutorService decoding;
    private final ScheduledExecutorService background;
    private final ExecutorService slow;
    private final ExecutorService snapshots;
    private Optional<String> metricsName = Optional.empty();

    private InterferencePlugin(Configuration conf, RMContext rmContext, Surroundings surroundings, HadoopLine line) {
        this.allocator = new AllocatorClass(rmContext, line);
        StartSettings start = StartSettings.from(conf::get);
        ProfileSettings profileSettings = start.profile();
        PredictSettings predictSettings = start.predict();
        PlaceSettings placeSettings = start.place();
        IngestSettings ingestSettings = start.ingest();
        Duration heartbeat = Duration.ofMillis(conf.getLong(
                YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, YarnConfiguration.DEFAULT_RM_NM_HEARTBEAT_INTERVAL_MS));
        this.clock = surroundings.clock();
        this.since = surroundings::since;
        this.faults = new Faults(clock, LOG::error);
        // The scheduler is asked for when it is needed: it is not set yet.
        ClusterNodes nodes = new ClusterNodes(rmContext, clock);
        KnownContainers containers = KnownContainers.of(rmContext, nodes, surroundings.wallClock());
        YarnTasks yarnTasks = new YarnTasks(profileSettings.sharedTags());
        this.tasks = new ContainerTasks(rmContext, yarnTasks, containers);
        ProfileRepository profiles = new ProfileRepository(profileSettings);
        RunningTasks running = new RunningTasks(profiles, tasks::identity);
        this.finished = new FinishedTasks(profiles, running, new AttemptFates(rmContext));
        this.ingest = new Ingest(ingestSettings, heartbeat, containers, this::sampled, faults);
        this.placement = new Placement(
                ingest,
                profiles,
                predictSettings.predictor(),
                placeSettings,
                tasks::occupant,
                surroundings.ticker(),
                faults);
        this.yarnPlacement = new YarnPlacement(placement, rmContext, yarnTasks, clock, surroundings.background());
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
        ComposedPredictor learning = predictSettings.predictor() instanceof ComposedPredictor composed
                ? composed
                : new ComposedPredictor(predictSettings.prior());
        this.adaptation = new Adaptation(
                learning,
                profiles,
                () -> profileSettings.clusters().of(nodes.names().size()),
                ingest.reference(),
                surroundings
                        .learnt()
                        .orElseGet(() ->
                                new ModelFiles(profileSettings.storeDirectory() + "/models", writer::directory, clock)),
                slow,
                this::writeLater,
                faults,
                clock,
                surroundings.random());
        SizeFiles sizeFiles = new SizeFiles(
                profileSettings.storeDirectory() + "/models", writer::directory, this::writeLater, faults);
        this.sizes = new NodeSizes(
                rmContext,
                ingest,
                profiles,
                yarnPlacement,
                tasks::request,
                surroundings::began,
                start.capacity(),
                surroundings.sizes().orElse(sizeFiles),
                faults);
        ClusterScheduling scheduling = new ClusterScheduling(rmContext, yarnTasks, surroundings.wallClock());
        this.relocations = new Relocations(
                rmContext,
                ingest,
                profiles,
                yarnPlacement,
                tasks::request,
                surroundings::began,
                scheduling::hasQueue,
                start.relocation());
        this.storage = new Storage(
                writer,
                surroundings.storage(),
                () -> (surroundings.learnt().isPresent() || sizeFiles.load()) && adaptation.load(),
                surroundings.learnt().isEmpty(),
                faults,
                clock);
        Attribution attribution = new Attribution(predictSettings.predictor(), profiles, tasks::identity);
        Traffic traffic = new Traffic(container -> tasks.identity(container).map(TaskIdentity::text));
        this.housekeeping = new Housekeeping(
                rmContext,
                faults,
                clock,
                surroundings.ticker(),
                ingest,
                nodes,
                yarnPlacement,
                sizes,
                relocations,
                new Housekeeping.Learning(profiles, running, finished, attribution, traffic, adaptation),
                storage);
        this.settings = new LiveSettings(placement, sizes::refresh, relocations::refresh, start, conf::get);
        settings.problem().ifPresent(LOG::error);
        UnknownSettings.among(conf, LiveSettings.keys().toList()).forEach(LOG::warn);
        this.restSources = new Sources(
                ingest,
                new Sources.Cluster(nodes::names, nodes::rooms, tasks::of, scheduling),
                new Sources.Learnt(
                        profiles,
                        finished,
                        attribution,
                        traffic,
                        adaptation.module()::report,
                        adaptation::characterisation,
                        storage::status),
                placement,
                new AdministratorsControl(
                        settings,
                        adaptation,
                        profiles,
                        // Between two sweeps there may be a tenth more.
                        profileSettings.maxProfiles() + profileSettings.maxProfiles() / 10,
                        allocator::replaced,
                        clock),
                sizes::report,
                relocations::report,
                clock);
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
        HadoopLine line = HadoopLine.require(VersionInfo.getVersion());
        InterferencePlugin plugin = new InterferencePlugin(conf, rmContext, surroundings, line);
        plugin.allocator.set(rmContext.getYarnConfiguration());
        if (line.isBefore(HadoopLine.V3_5)) {
            GuiceWebService.addTo(rmContext.getYarnConfiguration());
        }
        rmContext
                .getDispatcher()
                .register(RMNodeEventType.class, new HeartbeatTap(plugin.ingest, plugin.mailbox, plugin.clock));
        rmContext.getDispatcher().register(RMNodeEventType.class, plugin.sizes.listener());
        return plugin;
    }

    /** Takes an application of which YARN is about to add an attempt. */
    void adding(ApplicationId application) {
        allocator.set(application);
    }

    public void start() {
        storage.tend();
        adaptation.takeOver();
        publish();
        // Its outcome is never asked for: it catches everything.
        ScheduledFuture<?> unused = background.scheduleWithFixedDelay(
                housekeeping::tick,
                Housekeeping.INTERVAL.toMillis(),
                Housekeeping.INTERVAL.toMillis(),
                TimeUnit.MILLISECONDS);
        LOG.info(
                "interference-aware placement runs in mode {}", placement.gate().mode());
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
     * @param asked whether an operator has asked for it
     * @return what puts them in force
     * @throws org.interference.yarn.config.ConfigException if one breaks its rule; then those before stay, and health says so
     */
    public Runnable read(Configuration conf, boolean asked) {
        Runnable use = settings.read(conf::get, asked);
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

    /** Returns the sizes of the nodes. */
    public NodeSizes sizes() {
        return sizes;
    }

    /** Returns who is asked to leave his node, and kept from it. */
    public Relocations relocations() {
        return relocations;
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
    public void recovered(RMContainer container) {
        if (placement.gate().isOff()) {
            return;
        }
        tasks.request(container)
                .ifPresent(request -> placement.proposed(
                        container.getContainerId().toString(),
                        container.getAllocatedNode().toString(),
                        request,
                        clock.instant()));
    }

    /** Takes a container that YARN has just completed. */
    public void completed(RMContainer container, ContainerStatus status) {
        String id = container.getContainerId().toString();
        String node = container.getAllocatedNode().toString();
        placement.completed(id, node, clock.instant());
        if (Preempted.isForAnother(status)) {
            placement.preempted(node, clock.instant());
        }
        if (Ended.isKilled(status.getExitStatus())) {
            sizes.killed(container, clock.instant());
        }
        relocations.ended(container, status.getExitStatus(), clock.instant());
        tasks.of(container)
                .ifPresent(task -> finished.completed(
                        new CompletedContainer(
                                id,
                                task.application(),
                                node,
                                task.identity(),
                                task.applicationMaster(),
                                Ended.by(status, task.identity().role()),
                                Ended.given(container),
                                since.apply(container.getCreationTime())),
                        ingest.newest(node),
                        clock.instant()));
    }

    /** Forgets a node that left the cluster. */
    public void removed(String node) {
        // The sample first: whatever is decided meanwhile is not kept.
        ingest.forget(node);
        placement.forget(node);
    }

    private void writeLater(String name, Runnable writing) {
        storage.later(name, writing);
    }

    /** Before it is made nothing is decoded. */
    private void sampled(NodeSample sample, NodeReport report) {
        housekeeping.sampled(sample, report);
    }
}
