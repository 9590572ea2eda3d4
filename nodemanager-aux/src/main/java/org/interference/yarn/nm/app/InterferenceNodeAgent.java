package org.interference.yarn.nm.app;

import java.util.Optional;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.server.nodemanager.ContainerStateTransitionListener;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.hadoop.HadoopLine;
import org.interference.yarn.hadoop.UnsupportedHadoopException;
import org.interference.yarn.nm.collect.CounterSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator names in {@code yarn.nodemanager.container-state-transition-listener.classes}: from then on this
 * NodeManager's heartbeats carry its containers' interference counters. It never keeps a NodeManager from running.
 */
public class InterferenceNodeAgent implements ContainerStateTransitionListener {
    private static final Logger LOG = LoggerFactory.getLogger(InterferenceNodeAgent.class);

    private volatile Optional<NodeReporting> reporting = Optional.empty();

    @Override
    public final void init(Context context) {
        try {
            HadoopLine.require(VersionInfo.getVersion());
            NodeSettings settings = NodeSettings.from(context.getConf()::get);
            NodeControlSettings control = NodeControlSettings.from(context.getConf()::get);
            NodeSettings.unknown(context.getConf()).forEach(LOG::warn);
            settings.tooSeldom(context.getConf()::get).ifPresent(LOG::warn);
            NodeReporting started =
                    new NodeReporting(context, settings, control, () -> counterSource(context, settings));
            started.attachLater();
            reporting = Optional.of(started);
        } catch (ConfigException | UnsupportedHadoopException e) {
            LOG.error("{}; this NodeManager's heartbeats stay as stock.", e.getMessage());
            NodeControl.undoLeftovers(() -> NodeLayout.of(context.getConf()));
        } catch (Throwable e) {
            LOG.error("Cannot start; this NodeManager's heartbeats stay as stock.", e);
            NodeControl.undoLeftovers(() -> NodeLayout.of(context.getConf()));
        }
    }

    /**
     * Makes the source of one NodeManager's counters; a subclass may bring its own. Called once, as a rule on the thread
     * that initialises the NodeManager, so it must not block.
     */
    protected CounterSource counterSource(Context context, NodeSettings settings) {
        return CounterSources.of(settings, NodeLayout.of(context.getConf()).local());
    }

    @Override
    public final void preTransition(ContainerImpl container, ContainerState before, ContainerEvent event) {}

    /** Called on the NodeManager's dispatcher, under the container's lock: it hands off, and nothing else. */
    @Override
    public final void postTransition(
            ContainerImpl container, ContainerState before, ContainerState after, ContainerEvent event) {
        try {
            if (ContextContainers.beginsOrEnds(before, after)) {
                reporting.ifPresent(NodeReporting::containersChanged);
            }
        } catch (Throwable e) {
            LOG.warn("Cannot look at a container early; the next sample finds it.", e);
        }
    }
}
