package org.interference.yarn.app;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.interference.yarn.capacity.yarn.NodeSizes;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.fault.Part;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.learn.Attribution;
import org.interference.yarn.learn.FinishedTasks;
import org.interference.yarn.learn.RunningTasks;
import org.interference.yarn.learn.Traffic;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Wishes;
import org.interference.yarn.place.yarn.YarnPlacement;
import org.interference.yarn.place.yarn.YarnTasks;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.relocate.yarn.Relocations;
import org.interference.yarn.signal.NodeReport;

/**
 * What has to be done from time to time: with every report ({@link #sampled}), on the thread that decodes it, and every second ({@link #tick}).
 * Each part by itself: one that fails leaves the others their turn. No method throws.
 */
final class Housekeeping {
    static final Duration INTERVAL = Duration.ofSeconds(1);

    /** Between two times that is forgotten what nobody has named for ten minutes or longer. */
    private static final Duration FORGETTING_INTERVAL = Duration.ofMinutes(1);

    private static final int NODES_PER_TICK = 100;
    /** Who hurts whom costs a node with a hundred containers some 20 ms: per tick no more than this. */
    private static final long ATTRIBUTION_NANOS = 50_000_000;

    private final RMContext rmContext;
    private final Faults faults;
    private final InstantSource clock;
    private final LongSupplier ticker;
    private final Ingest ingest;
    private final ClusterNodes nodes;
    private final Placement placement;
    private final YarnPlacement yarnPlacement;
    private final NodeSizes sizes;
    private final Relocations relocations;
    private final Learning learning;
    private final Storage storage;
    private Instant nextForgetting = Instant.MIN;
    private volatile Instant nextCoverage = Instant.MIN;

    /** What learns from reports. */
    record Learning(
            ProfileRepository profiles,
            RunningTasks running,
            FinishedTasks finished,
            Attribution attribution,
            Traffic traffic,
            Adaptation adaptation) {}

    /** @param ticker nanoseconds */
    Housekeeping(
            RMContext rmContext,
            Faults faults,
            InstantSource clock,
            LongSupplier ticker,
            Ingest ingest,
            ClusterNodes nodes,
            YarnPlacement yarnPlacement,
            NodeSizes sizes,
            Relocations relocations,
            Learning learning,
            Storage storage) {
        this.rmContext = rmContext;
        this.faults = faults;
        this.clock = clock;
        this.ticker = ticker;
        this.ingest = ingest;
        this.nodes = nodes;
        this.placement = yarnPlacement.stage();
        this.yarnPlacement = yarnPlacement;
        this.sizes = sizes;
        this.relocations = relocations;
        this.learning = learning;
        this.storage = storage;
    }

    /** Takes what a node reported, and the report that the sample was made of: the company of every task is taken from every report. */
    void sampled(NodeSample sample, NodeReport report) {
        Instant now = clock.instant();
        faults.safely(Part.LEARNING, () -> learning.finished().sampled(sample));
        faults.safely(Part.LEARNING, () -> learning.running().observe(sample, now));
        faults.safely(Part.LEARNING, () -> learning.adaptation().look(sample, now));
        faults.safely(Part.ACCOUNTING, () -> cover(now));
        faults.safely(Part.LEARNING, () -> learning.traffic().take(sample, report));
    }

    void tick() {
        Instant now = clock.instant();
        faults.safely(Part.INGEST, () -> ingest.sweep(nodes.names(), now));
        faults.safely(Part.ACCOUNTING, () -> cover(now));
        faults.safely(Part.ACCOUNTING, yarnPlacement::sweep);
        faults.safely(Part.ACCOUNTING, () -> placement.sweep(now));
        faults.safely(Part.CAPACITY, () -> sizes.tick(now));
        faults.safely(Part.RELOCATION, () -> relocations.tick(now));
        faults.safely(Part.LEARNING, () -> learning.finished().sweep(now));
        faults.safely(Part.LEARNING, () -> attribute(now));
        faults.safely(Part.LEARNING, () -> learning.profiles().sweep(now));
        faults.safely(Part.LEARNING, () -> learning.adaptation()
                .tick(learning.finished().drain(), now));
        if (!now.isBefore(nextForgetting)) {
            nextForgetting = now.plus(FORGETTING_INTERVAL);
            forget(now);
        }
        storage.tend();
    }

    private void forget(Instant now) {
        faults.safely(Part.ACCOUNTING, () -> placement.accounts().forgetWishes(this::anybodyWishes));
        faults.safely(Part.LEARNING, () -> learning.running().sweep(now));
        faults.safely(Part.LEARNING, () -> learning.attribution().sweep(now));
        faults.safely(Part.LEARNING, () -> learning.traffic().sweep(nodes.names(), now));
        faults.safely(Part.LEARNING, () -> learning.adaptation().sweep(now));
    }

    /** Once a second, whether nodes report or not. */
    private void cover(Instant now) {
        if (!now.isBefore(nextCoverage)) {
            nextCoverage = now.plus(INTERVAL);
            placement.freeNodes().covered(ingest.coverage(nodes.names(), now));
        }
    }

    private boolean anybodyWishes() {
        return ((AbstractYarnScheduler<?, ?>) rmContext.getScheduler())
                .getSchedulerApplications().entrySet().stream().anyMatch(application -> {
                    RMApp app = rmContext.getRMApps().get(application.getKey());
                    return app != null
                            && !placement
                                    .accounts()
                                    .heard(YarnTasks.path(application.getValue().getQueue()), YarnTasks.wishes(app))
                                    .equals(Wishes.NONE);
                });
    }

    /** Works out who hurts whom on some nodes, in turn: on every one each second on a small cluster, less often on a large one. */
    private void attribute(Instant now) {
        List<NodeSample> samples = ingest.all();
        long began = ticker.getAsLong();
        learning.attribution()
                .lookAtSome(samples, NODES_PER_TICK, now, () -> ticker.getAsLong() - began > ATTRIBUTION_NANOS);
    }
}
