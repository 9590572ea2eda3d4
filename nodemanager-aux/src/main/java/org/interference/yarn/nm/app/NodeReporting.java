package org.interference.yarn.nm.app;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.NodeStatusUpdater;
import org.interference.yarn.nm.collect.CounterSource;
import org.interference.yarn.nm.collect.Sampler;
import org.interference.yarn.nm.heartbeat.Failures;
import org.interference.yarn.nm.heartbeat.OutOfBandHeartbeats;
import org.interference.yarn.nm.heartbeat.ReportPayload;
import org.interference.yarn.nm.heartbeat.ReportingNodeResourceMonitor;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.wire.HeartbeatCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plugin in one NodeManager: attached when the NodeManager's status updater is initialised, detached when it stops.
 *
 * <p>NodeManager.serviceInit sets its monitor before it creates the status updater, and initialises the updater last, on
 * the thread that called init. So at that moment the swap is final, and visible to the heartbeat thread started later.
 */
final class NodeReporting {
    private static final Logger LOG = LoggerFactory.getLogger(NodeReporting.class);

    private static final long POLL_NANOS = 20_000_000;

    /** A NodeManager that has no status updater by then failed to initialise. */
    private static final long LONGEST_WAIT_NANOS = 300_000_000_000L;

    /**
     * The last report of a container that lived for less does not wait for the next heartbeat: a second, by YARN's default, is a fifth of
     * its life or more, in which the next of its kind is placed without its profile (ADR-0009).
     */
    private static final Duration SHORT_TASK = Duration.ofSeconds(5);

    /** What the ends of many short tasks may add to the ResourceManager's load: four heartbeats a second. */
    private static final Duration HEARTBEAT_GAP = Duration.ofMillis(250);

    private final NodeManager.NMContext context;
    private final NodeSettings settings;
    private final NodeControlSettings controlSettings;
    private final Supplier<CounterSource> source;
    private final Failures failures = new Failures(LOG);
    private final ReportPayload payload;
    private volatile Optional<Sampler> sampler = Optional.empty();
    private volatile Optional<NodeControl> control = Optional.empty();
    private Optional<LocalCounters> local = Optional.empty();
    private boolean detached;

    NodeReporting(
            Context context,
            NodeSettings settings,
            NodeControlSettings controlSettings,
            Supplier<CounterSource> source) {
        this.context = (NodeManager.NMContext) context;
        this.settings = settings;
        this.controlSettings = controlSettings;
        this.source = source;
        this.payload = new ReportPayload(HeartbeatCodec.MAX_PAYLOAD_BYTES, failures);
    }

    /** Attaches as soon as the NodeManager can be attached to; returns at once. */
    void attachLater() {
        Thread waiting = new Thread(this::awaitStatusUpdater, "interference-attach");
        waiting.setDaemon(true);
        waiting.start();
    }

    private void awaitStatusUpdater() {
        try {
            long start = System.nanoTime();
            while (context.getNodeStatusUpdater() == null) {
                if (System.nanoTime() - start > LONGEST_WAIT_NANOS) {
                    LOG.warn("The NodeManager has no status updater yet; its heartbeats stay as stock.");
                    return;
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
            NodeStatusUpdater updater = context.getNodeStatusUpdater();
            updater.registerServiceListener(this::follow);
            follow(updater);
        } catch (Throwable e) {
            LOG.error("Cannot attach to the NodeManager; its heartbeats stay as stock.", e);
        }
    }

    /** Called on a change of the updater's state, and once after registering, in case the change came first. */
    private synchronized void follow(Service updater) {
        try {
            switch (updater.getServiceState()) {
                case NOTINITED -> {}
                case INITED, STARTED -> attach();
                case STOPPED -> detach();
            }
        } catch (Throwable e) {
            LOG.error("Cannot follow the NodeManager; its heartbeats stay as stock.", e);
        }
    }

    private void attach() {
        if (sampler.isPresent() || detached) {
            return;
        }
        CounterSource counters = source.get();
        ScheduledExecutorService thread = Sampler.newThread();
        OutOfBandHeartbeats early = new OutOfBandHeartbeats(
                SHORT_TASK, HEARTBEAT_GAP, this::sendHeartbeat, System::nanoTime, thread, failures);
        NodeLayout layout = NodeLayout.of(context.getConf());
        Sampler started = new Sampler(
                counters,
                CounterSources.node(
                        layout.local(), settings, controlSettings.control().diskCapacity())::look,
                new ContextContainers(context),
                InstantSource.system(),
                System::nanoTime,
                new SamplerEvents(failures, report -> payload.accept(report.map(this::annotated)), early::ended),
                thread);
        sampler = Optional.of(started);
        context.setNodeResourceMonitor(
                new ReportingNodeResourceMonitor(context, context.getNodeResourceMonitor(), payload, failures));
        started.start(settings.interval(), ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
        local = LocalCounters.register(() -> String.valueOf(context.getNodeId()), started::newest, failures);
        control = NodeControl.start(controlSettings, layout, started::newestSampled, new ContextContainers(context));
        LOG.info("Container interference is sampled from {} every {}.", counters.name(), settings.interval());
    }

    private NodeReport annotated(NodeReport report) {
        return control.map(running -> running.annotated(report)).orElse(report);
    }

    private void sendHeartbeat() {
        context.getNodeStatusUpdater().sendOutofBandHeartBeat();
    }

    private void detach() {
        detached = true;
        control.ifPresent(NodeControl::close);
        control = Optional.empty();
        local.ifPresent(LocalCounters::close);
        local = Optional.empty();
        sampler.ifPresent(Sampler::close);
        sampler = Optional.empty();
        payload.accept(Optional.empty());
    }

    /** A container was launched or has ended. From any thread; returns at once. */
    void containersChanged() {
        sampler.ifPresent(Sampler::containersChanged);
    }
}
