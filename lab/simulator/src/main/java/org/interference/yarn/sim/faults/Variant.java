package org.interference.yarn.sim.faults;

import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.MoreExecutors;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.interference.yarn.InterferenceAwareFairScheduler;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.app.Surroundings;
import org.interference.yarn.sim.engine.SimulatedYarn;

/** The schedulers that live one plan. */
enum Variant {
    /** YARN's own. */
    STOCK,
    /** Ours, switched off. */
    OFF,
    ON;

    /** Containers that an application may be ahead. */
    static final int AHEAD = 2;

    /** That a container may be passed over. */
    static final int WAIT_SECONDS = 8;

    private static final Configuration BASE = SimulatedYarn.base();

    /** The threads of one plugin. */
    record Threads(FaultyDisk disk, SteppedThread background, SteppedThread slow) {
        static Threads start(FaultyDisk disk) {
            return new Threads(disk, new SteppedThread(disk::hangs), new SteppedThread(disk::hangs));
        }

        void advance(long nanos) {
            background.advance(nanos);
            slow.advance(nanos);
        }

        /** Turns the disk, and lets those go on that wait for it: never both at once. */
        void turn(Fault.Disk to) {
            disk.turn(to);
            background.goOn(disk);
            slow.goOn(disk);
        }

        void end() {
            background.shutdownNow();
            slow.shutdownNow();
        }
    }

    AbstractYarnScheduler<?, ?> scheduler(FaultPlan plan, MachineClocks machine, Threads threads) {
        AbstractYarnScheduler<?, ?> scheduler;
        if (this == STOCK) {
            scheduler = plan.kind().isFair() ? new FairScheduler() : new CapacityScheduler();
        } else {
            Surroundings surroundings = new Surroundings(
                    machine.clockOfThePlugin(),
                    MoreExecutors.newDirectExecutorService(),
                    threads.background(),
                    threads.slow(),
                    new Random(plan.seed()),
                    machine.nanoTime(),
                    Optional.empty());
            scheduler = plan.kind().isFair() ? new OurFair(surroundings) : new OurCapacity(surroundings);
        }
        scheduler.setClock(machine.steady());
        return scheduler;
    }

    /** Returns the settings of every ResourceManager of the life but for its queues. */
    Configuration settings(FaultPlan plan, String store) {
        Configuration settings = new Configuration(BASE);
        settings.set("fs." + FaultyFileSystem.SCHEME + ".impl", FaultyFileSystem.class.getName());
        settings.setBoolean("fs." + FaultyFileSystem.SCHEME + ".impl.disable.cache", true);
        if (this != STOCK) {
            settings.set("yarn.interference.profile.store-dir", FaultyFileSystem.SCHEME + "://" + store + "/profiles");
            settings.set("yarn.interference.place.mode", this == ON ? "on" : "off");
            // Also enemies: what nobody is heard to say would break nothing.
            settings.set("yarn.interference.place.tags", "root=100");
            settings.setInt("yarn.interference.place.max-wait-ms", 1000 * WAIT_SECONDS);
            settings.setInt("yarn.interference.place.containers-ahead", AHEAD);
            settings.setDouble("yarn.interference.place.min-measured", 0);
        }
        if (plan.kind() == FaultPlan.Kind.CAPACITY_BY_HEARTBEATS) {
            String policy = "yarn.scheduler.capacity.multi-node-sorting.policy";
            settings.setBoolean("yarn.scheduler.capacity.multi-node-placement-enabled", true);
            settings.set(policy + ".names", "default");
            settings.set(policy, "default");
            settings.set(
                    policy + ".default.class",
                    "org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.ResourceUsageMultiNodeLookupPolicy");
            // Sorted at every call, not every second of this machine's clock.
            settings.setLong(policy + ".default.sorting-interval.ms", 0);
        }
        return settings;
    }

    private static final class OurCapacity extends InterferenceAwareScheduler {
        private final Surroundings surroundings;

        OurCapacity(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        protected Surroundings surroundings() {
            return surroundings;
        }
    }

    private static final class OurFair extends InterferenceAwareFairScheduler {
        private final Surroundings surroundings;

        OurFair(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        protected Surroundings surroundings() {
            return surroundings;
        }
    }
}
