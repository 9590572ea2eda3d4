package org.interference.yarn.sim.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.HandDrivenPasses;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.rest.Sources;
import org.interference.yarn.sim.faults.Variant.Threads;

/** The ResourceManagers of one life: one is active after the other, and they share a disk, and files of settings. Not thread-safe. */
final class ResourceManagers implements AutoCloseable {
    private final FaultPlan plan;
    private final Variant variant;
    private final MachineClocks machine;
    private final LifeHistory history;
    private final String name;
    private final FaultyDisk disk;
    private final Path allocations;
    private List<Integer> weights;
    private Threads threads;
    private Daemon active;
    private Optional<HandDrivenPasses> passes = Optional.empty();

    /**
     * None is started yet.
     *
     * @param directory for the file that only a local disk serves
     */
    ResourceManagers(FaultPlan plan, Variant variant, MachineClocks machine, LifeHistory history, Path directory) {
        this.plan = plan;
        this.variant = variant;
        this.machine = machine;
        this.history = history;
        this.weights = plan.weights();
        this.name = "life-%s-%d-%s".formatted(plan.kind(), plan.seed(), variant).toLowerCase(Locale.ROOT);
        this.disk = FaultyDisk.mount(name);
        this.allocations = directory.resolve("allocations-%s.xml".formatted(plan.kind()));
    }

    void start() throws IOException {
        begin(plan.isHighlyAvailable(), false);
    }

    private void begin(boolean standsBy, boolean wrongFile) throws IOException {
        threads = Threads.start(disk);
        Configuration settings = variant.settings(plan, name);
        SettingsFiles.queues(settings, plan, weights, allocations);
        if (standsBy || usesFiles()) {
            SettingsFiles.write(settings, plan, weights, false, allocations);
        }
        active = new Daemon(settings, variant.scheduler(plan, machine, threads), standsBy);
        if (standsBy) {
            SettingsFiles.write(settings, plan, weights, wrongFile, allocations);
            try {
                active.activate();
            } catch (IOException e) {
                history.standby().add("second %d: %s".formatted(history.second(), root(e)));
                SettingsFiles.write(settings, plan, weights, false, allocations);
                active.close();
                threads.end();
                begin(true, false);
                return;
            }
        }
        passes = plan.kind() == FaultPlan.Kind.CAPACITY_BY_PASSES
                ? Optional.of(new HandDrivenPasses((CapacityScheduler) active.scheduler()))
                : Optional.empty();
    }

    private boolean usesFiles() {
        return plan.faults().stream().anyMatch(Fault.QueuesChanged.class::isInstance);
    }

    private static Throwable root(Throwable e) {
        return e.getCause() == null ? e : root(e.getCause());
    }

    Daemon active() {
        return active;
    }

    /** Returns how the active one's scheduler is made to decide; empty where heartbeats do so. */
    Optional<HandDrivenPasses> passes() {
        return passes;
    }

    /** Returns what the active one's plugin says of itself; empty for a stock scheduler. */
    Optional<Sources> sources() {
        return variant == Variant.STOCK ? Optional.empty() : ((RestHost) active.scheduler()).restSources();
    }

    /** Does what threads of the active one do because time has passed. */
    void tick() {
        threads.advance(machine.nanos());
        active.update();
    }

    /** Ends the active one, and makes one active that stood by. It knows nothing of nodes and applications yet. */
    void failOver(boolean wrongFile) throws IOException {
        noteWaits();
        active.close();
        threads.end();
        begin(true, wrongFile);
    }

    /** Notes the second, if threads of YARN's would have waited for the store more often than is noted. */
    void noteWaits() {
        if (disk.yarnWaited() > history.waitedForStore().size()) {
            history.waitedForStore().add("second " + history.second());
        }
    }

    void changeQueues(Fault.QueuesChanged changed) throws YarnException {
        // What is refused changes nothing: the queues stay.
        weights = changed.wrongFile() ? weights : changed.weights();
        Configuration settings = variant.settings(plan, name);
        SettingsFiles.write(settings, plan, weights, changed.wrongFile(), allocations);
        try {
            active.refreshQueues();
        } catch (IOException e) {
            // A wrong setting of ours is refused when an administrator reads it; stock does not know it.
            if (!changed.wrongFile() || variant == Variant.STOCK) {
                history.threw(e);
            }
        }
    }

    /** Turns the disk of the store. */
    void turn(Fault.Disk to) {
        threads.turn(to);
    }

    @Override
    @SuppressWarnings("CatchThrowable") // That nothing is thrown is what is to be found out.
    public void close() {
        try {
            threads.turn(Fault.Disk.WORKS);
            noteWaits();
            active.close();
        } catch (Throwable e) {
            history.threw(e);
        } finally {
            threads.end();
            FaultyDisk.unmount(name);
            SettingsFiles.forget();
        }
    }
}
