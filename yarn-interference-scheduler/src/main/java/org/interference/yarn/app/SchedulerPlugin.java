package org.interference.yarn.app;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.interference.yarn.capacity.yarn.NodeSizes;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.fault.Part;
import org.interference.yarn.hadoop.UnsupportedHadoopException;
import org.interference.yarn.place.yarn.YarnPlacement;
import org.interference.yarn.relocate.yarn.Relocations;
import org.interference.yarn.rest.Sources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plugin of one scheduler, which goes on as its parent whatever becomes of it. Thread-safe.
 */
public final class SchedulerPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerPlugin.class);

    private final String parent;
    private volatile Optional<InterferencePlugin> plugin = Optional.empty();
    /** The web server listens before the profiles are read. */
    private volatile boolean answering;

    /** @param parent what the scheduler is without its plugin, for the log */
    public SchedulerPlugin(String parent) {
        this.parent = parent;
    }

    /** Makes the plugin; nothing runs yet. */
    @SuppressWarnings("CatchThrowable") // The ResourceManager starts without.
    public void create(Configuration conf, RMContext context, Supplier<Surroundings> surroundings) {
        try {
            plugin = Optional.of(InterferencePlugin.create(conf, context, surroundings.get()));
        } catch (UnsupportedHadoopException e) {
            LOG.error("{}; this scheduler is the {}", e.getMessage(), parent);
        } catch (Throwable e) {
            LOG.error("the interference plugin cannot start; this scheduler is the {}", parent, e);
        }
    }

    public void start() {
        safely(Part.LIFE_CYCLE, InterferencePlugin::start);
        answering = true;
    }

    public void stop() {
        answering = false;
        safely(Part.LIFE_CYCLE, InterferencePlugin::stop);
    }

    /**
     * Reads the settings that can change while the ResourceManager runs. Only who asks for that, by {@code yarn rmadmin -refreshQueues}, is
     * told that one is wrong, and takes back what was changed by REST. YARN also reads them when it becomes active, and when somebody changes a
     * queue: neither may fail for it.
     *
     * @return what puts them in force; to be run once the parent has taken its own
     * @throws IOException if one breaks its rule; then nothing is to be changed
     */
    @SuppressWarnings("CatchThrowable") // The parent's settings are refreshed without ours.
    public Runnable read(Configuration conf, RMContext context) throws IOException {
        // The parents bear a context of null.
        boolean asked =
                context != null && context.getHAServiceState() == HAServiceState.ACTIVE && Server.isRpcInvocation();
        try {
            return plugin.map(running -> running.read(conf, asked))
                    .map(use -> (Runnable) () -> safely(Part.LIFE_CYCLE, running -> use.run()))
                    .orElse(() -> {});
        } catch (ConfigException e) {
            if (asked) {
                throw new IOException(e.getMessage(), e);
            }
            LOG.error("the interference plugin keeps the settings it had: {}", e.getMessage());
        } catch (Throwable e) {
            LOG.error("the interference plugin failed to read new settings; the old ones stay", e);
        }
        return () -> {};
    }

    /** Returns the placement; empty without a plugin. */
    public Optional<YarnPlacement> placement() {
        return plugin.map(InterferencePlugin::placement);
    }

    /** Returns the sizes of the nodes; empty without a plugin. */
    public Optional<NodeSizes> sizes() {
        return plugin.map(InterferencePlugin::sizes);
    }

    /** Returns who is asked to leave his node, and kept from it; empty without a plugin. */
    public Optional<Relocations> relocations() {
        return plugin.map(InterferencePlugin::relocations);
    }

    /** Returns what REST answers from; empty while the plugin is not running. */
    public Optional<Sources> restSources() {
        return plugin.filter(running -> answering).map(InterferencePlugin::restSources);
    }

    /**
     * Tells of containers that {@code scheduler} has recovered.
     *
     * @param reports null if the node brought none
     */
    public void recovered(AbstractYarnScheduler<?, ?> scheduler, List<NMContainerStatus> reports) {
        safely(Part.ACCOUNTING, running -> {
            if (reports != null) {
                reports.stream()
                        .map(report -> scheduler.getRMContainer(report.getContainerId()))
                        .filter(Objects::nonNull)
                        .forEach(container ->
                                running.faults().safely(Part.ACCOUNTING, () -> running.recovered(container)));
            }
        });
    }

    /** Tells of a container that ran and has completed. */
    public void completed(RMContainer container, ContainerStatus status) {
        safely(Part.LEARNING, running -> running.completed(container, status));
    }

    /**
     * Has the parent handle an event, and tells of it.
     *
     * @param schedules whether this thread schedules, so that it has nothing to do from one event to the next; where others do, it is they who
     *     must have time
     */
    public void handle(SchedulerEvent event, boolean schedules, Runnable parents) {
        Optional<YarnPlacement> scheduling = schedules ? placement() : Optional.empty();
        scheduling.ifPresent(YarnPlacement::works);
        try {
            prepare(event);
            parents.run();
            handled(event);
        } finally {
            scheduling.ifPresent(YarnPlacement::rests);
        }
    }

    private void prepare(SchedulerEvent event) {
        if (event instanceof AppAttemptAddedSchedulerEvent added) {
            safely(
                    Part.LIFE_CYCLE,
                    running -> running.adding(added.getApplicationAttemptId().getApplicationId()));
        }
    }

    private void handled(SchedulerEvent event) {
        if (event instanceof NodeRemovedSchedulerEvent removed) {
            safely(
                    Part.ACCOUNTING,
                    running -> running.removed(
                            removed.getRemovedRMNode().getNodeID().toString()));
        }
    }

    private void safely(Part part, Consumer<InterferencePlugin> action) {
        plugin.ifPresent(running -> running.faults().safely(part, () -> action.accept(running)));
    }
}
