package org.interference.yarn.nm.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.interference.yarn.nm.collect.ControlGroupCounterSource;
import org.interference.yarn.nm.collect.CounterSource;
import org.interference.yarn.nm.collect.DiskSpace;
import org.interference.yarn.nm.collect.FallbackCounterSource;
import org.interference.yarn.nm.collect.IntpdCounterSource;
import org.interference.yarn.nm.collect.NodeCapacities;
import org.interference.yarn.nm.collect.NodeMonitor;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.folders.FolderCounterSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sources of a real node: the collector, and control groups while that does not answer. */
final class CounterSources {
    private static final Logger LOG = LoggerFactory.getLogger(CounterSources.class);

    private static final Path PROC = Path.of("/proc");
    private static final Path SYS = Path.of("/sys");

    private CounterSources() {}

    static CounterSource of(NodeSettings settings, List<Path> localDirectories) {
        CounterSource counters =
                settings.collectorSocket().map(CounterSources::intpdElseGroups).orElseGet(CounterSources::groups);
        return new FolderCounterSource(counters, localDirectories, System::nanoTime);
    }

    /**
     * Returns what looks at the node itself.
     *
     * @param diskBytes a second that its disks can move; empty where nobody says
     */
    static NodeMonitor node(List<Path> localDirectories, NodeSettings settings, OptionalDouble diskBytes) {
        return new NodeMonitor(
                new ProcFiles(PROC, SYS),
                new DiskSpace(localDirectories, System::nanoTime, CounterSources::onAThreadOfItsOwn),
                new NodeCapacities(SYS, diskBytes, settings.networkBits()),
                System::nanoTime);
    }

    /** One that hangs keeps no NodeManager from ending. */
    private static void onAThreadOfItsOwn(Runnable look) {
        Thread thread = new Thread(
                () -> {
                    try {
                        look.run();
                    } catch (Throwable e) {
                        // YARN halts a NodeManager in which an error ends a thread.
                        LOG.warn("What is free on the local disks cannot be asked.", e);
                    }
                },
                "interference-disk-space");
        thread.setDaemon(true);
        thread.start();
    }

    private static CounterSource intpdElseGroups(Path socket) {
        return new FallbackCounterSource(
                new IntpdCounterSource(socket, System::nanoTime, new ProcFiles(PROC, SYS)::startTicks),
                CounterSources::groups,
                System::nanoTime,
                CounterSources::logChange);
    }

    private static CounterSource groups() {
        return new ControlGroupCounterSource(PROC, SYS, System::nanoTime);
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
}
