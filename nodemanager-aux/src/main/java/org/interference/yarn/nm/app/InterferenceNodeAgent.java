package org.interference.yarn.nm.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.yarn.server.nodemanager.ContainerStateTransitionListener;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.nm.collect.CounterSource;
import org.interference.yarn.nm.collect.FallbackCounterSource;
import org.interference.yarn.nm.collect.IntpdCounterSource;
import org.interference.yarn.nm.collect.ProcCounterSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator names in {@code yarn.nodemanager.container-state-transition-listener.classes}: from then on this
 * NodeManager's heartbeats carry its containers' interference counters. It never keeps a NodeManager from running.
 */
public class InterferenceNodeAgent implements ContainerStateTransitionListener {
    private static final Logger LOG = LoggerFactory.getLogger(InterferenceNodeAgent.class);

    @Override
    public final void init(Context context) {
        try {
            NodeSettings settings = NodeSettings.from(context.getConf()::get);
            new NodeReporting(context, settings, () -> counterSource(context, settings)).attachLater();
        } catch (ConfigException e) {
            LOG.error("{}; this NodeManager's heartbeats stay as stock.", e.getMessage());
        } catch (Throwable e) {
            LOG.error("Cannot start; this NodeManager's heartbeats stay as stock.", e);
        }
    }

    /**
     * Makes the source of one NodeManager's counters; a subclass may bring its own. Called once, as a rule on the thread
     * that initialises the NodeManager, so it must not block.
     */
    protected CounterSource counterSource(Context context, NodeSettings settings) {
        return settings.collectorSocket()
                .map(InterferenceNodeAgent::intpdElseProc)
                .orElseGet(InterferenceNodeAgent::proc);
    }

    private static CounterSource intpdElseProc(Path socket) {
        return new FallbackCounterSource(
                new IntpdCounterSource(socket, System::nanoTime),
                InterferenceNodeAgent::proc,
                System::nanoTime,
                InterferenceNodeAgent::logChange);
    }

    private static CounterSource proc() {
        return new ProcCounterSource(Path.of("/proc"), Path.of("/sys"), System::nanoTime);
    }

    private static void logChange(String source, Optional<Exception> failure) {
        if (failure.isEmpty()) {
            LOG.info("Container interference is counted by {}.", source);
        } else if (failure.get() instanceof IOException expected) {
            LOG.warn("Container interference is counted by {}: {}", source, expected.getMessage());
        } else {
            LOG.warn("Container interference is counted by {}.", source, failure.get());
        }
    }

    @Override
    public final void preTransition(ContainerImpl container, ContainerState before, ContainerEvent event) {}

    @Override
    public final void postTransition(
            ContainerImpl container, ContainerState before, ContainerState after, ContainerEvent event) {}
}
