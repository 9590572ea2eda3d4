package org.interference.yarn.nm.app;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.apache.hadoop.yarn.server.api.ContainerInitializationContext;
import org.apache.hadoop.yarn.server.api.ContainerTerminationContext;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.hadoop.HadoopLine;
import org.interference.yarn.hadoop.UnsupportedHadoopException;
import org.interference.yarn.nm.collect.CounterSource;
import org.interference.yarn.nm.collect.Sampler;
import org.interference.yarn.nm.heartbeat.Failures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator names in {@code yarn.nodemanager.aux-services} where the transition listener is not allowed: it samples
 * the same counters and shows them in JMX ({@link NodeCountersMXBean}), and controls the node by them if it is asked to
 * ({@link NodeControlMXBean}). It cannot put them on the heartbeat, because YARN gives an auxiliary service no access to it, and
 * it does not know the launch commands. It never keeps a NodeManager from running, and beside {@link InterferenceNodeAgent} it
 * does nothing.
 */
public class InterferenceAuxService extends AuxiliaryService {
    /** The name that YARN expects in {@code yarn.nodemanager.aux-services}. */
    public static final String NAME = "interference";

    private static final Logger LOG = LoggerFactory.getLogger(InterferenceAuxService.class);

    private final Failures failures = new Failures(LOG);
    private volatile Optional<Measuring> measuring = Optional.empty();
    private Optional<LocalCounters> local = Optional.empty();
    private Optional<NodeControl> control = Optional.empty();

    private record Measuring(
            NodeSettings settings, NodeControlSettings control, PidFileContainers containers, Sampler sampler) {}

    public InterferenceAuxService() {
        super(NAME);
    }

    @Override
    protected final void serviceInit(Configuration conf) throws Exception {
        super.serviceInit(conf);
        try {
            if (listenerIsConfigured(conf)) {
                LOG.info("The transition listener measures this NodeManager's containers already.");
                return;
            }
            HadoopLine.require(VersionInfo.getVersion());
            NodeSettings settings = NodeSettings.from(conf::get);
            NodeControlSettings controlSettings = NodeControlSettings.from(conf::get);
            NodeSettings.unknown(conf).forEach(LOG::warn);
            settings.tooSeldom(conf::get).ifPresent(LOG::warn);
            PidFileContainers containers =
                    new PidFileContainers(NodeLayout.of(conf).local());
            Sampler sampler = new Sampler(
                    counterSource(conf, settings),
                    containers,
                    InstantSource.system(),
                    System::nanoTime,
                    new SamplerEvents(failures, newest -> {}, lived -> {}),
                    Sampler.newThread());
            measuring = Optional.of(new Measuring(settings, controlSettings, containers, sampler));
        } catch (ConfigException | UnsupportedHadoopException e) {
            LOG.error("{}; this NodeManager's containers are not measured.", e.getMessage());
            NodeControl.undoLeftovers(() -> NodeLayout.of(conf));
        } catch (Throwable e) {
            LOG.error("Cannot start; this NodeManager's containers are not measured.", e);
            NodeControl.undoLeftovers(() -> NodeLayout.of(conf));
        }
    }

    /** Makes the source of the counters; a subclass may bring its own. Must not block. */
    protected CounterSource counterSource(Configuration conf, NodeSettings settings) {
        return CounterSources.of(settings, NodeLayout.of(conf).local());
    }

    /** By name, because a class path of its own gives the service other classes than the NodeManager has. */
    private static boolean listenerIsConfigured(Configuration conf) {
        return conf.getTrimmedStringCollection(YarnConfiguration.NM_CONTAINER_STATE_TRANSITION_LISTENERS).stream()
                .anyMatch(name -> isAgent(conf.getClassByNameOrNull(name), name));
    }

    private static boolean isAgent(Class<?> listener, String name) {
        String agent = InterferenceNodeAgent.class.getName();
        for (Class<?> type = listener; type != null; type = type.getSuperclass()) {
            if (type.getName().equals(agent)) {
                return true;
            }
        }
        return name.equals(agent);
    }

    @Override
    protected final void serviceStart() throws Exception {
        super.serviceStart();
        measuring.ifPresent(started -> {
            String address = getConfig().get(YarnConfiguration.NM_ADDRESS, YarnConfiguration.DEFAULT_NM_ADDRESS);
            started.sampler()
                    .start(started.settings().interval(), ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
            local = LocalCounters.register(() -> address, started.sampler()::newest, failures);
            control = NodeControl.start(
                    started.control(),
                    NodeLayout.of(getConfig()),
                    started.sampler()::newestSampled,
                    started.containers());
            LOG.info(
                    "Container interference is sampled every {} and shown at /jmx; heartbeats stay as stock.",
                    started.settings().interval());
        });
    }

    @Override
    protected final void serviceStop() throws Exception {
        control.ifPresent(NodeControl::close);
        control = Optional.empty();
        local.ifPresent(LocalCounters::close);
        local = Optional.empty();
        measuring.ifPresent(started -> started.sampler().close());
        measuring = Optional.empty();
        super.serviceStop();
    }

    /** Also called for each container that a restarted NodeManager recovers while it runs. */
    @Override
    public final void initializeContainer(ContainerInitializationContext container) {
        measuring.ifPresent(started -> {
            started.containers().begun(name(container.getContainerId()), Optional.ofNullable(container.getUser()));
            started.sampler().containersChanged();
        });
    }

    @Override
    public final void stopContainer(ContainerTerminationContext container) {
        measuring.ifPresent(started -> {
            started.containers().stopped(name(container.getContainerId()));
            started.sampler().containersChanged();
        });
    }

    private static String name(ContainerId container) {
        return container.toString();
    }

    @Override
    public final void initializeApplication(ApplicationInitializationContext application) {}

    @Override
    public final void stopApplication(ApplicationTerminationContext application) {}

    /** Applications are told nothing. */
    @Override
    public final ByteBuffer getMetaData() {
        return ByteBuffer.allocate(0);
    }
}
