package org.interference.yarn.sim.faults;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.interference.yarn.fault.Part;
import org.interference.yarn.place.Gate;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.store.HadoopDirectory;
import org.interference.yarn.profile.store.ProfileStore;
import org.interference.yarn.rest.Sources;
import org.interference.yarn.signal.Signal;

/** What is looked at between the acts of a life, and at its end; of a stock scheduler nothing. */
final class Looks {
    private final FaultPlan plan;
    private final Variant variant;
    private final ResourceManagers managers;
    private final MachineClocks machine;
    private final LifeHistory history;

    /** Something that may go wrong. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException, YarnException;
    }

    Looks(FaultPlan plan, Variant variant, ResourceManagers managers, MachineClocks machine, LifeHistory history) {
        this.plan = plan;
        this.variant = variant;
        this.managers = managers;
        this.machine = machine;
        this.history = history;
    }

    /**
     * What is looked at.
     *
     * @param victims kinds of task of the victim's that have run
     * @param containers that were got so far
     */
    void between(Collection<TaskIdentity> victims, int containers, int second) {
        if (variant == Variant.STOCK) {
            return;
        }
        Bounds.of(managers.active().scheduler(), second).forEach(history::size);
        managers.sources()
                .map(known -> Bounds.taught(known.learnt().profiles().all(), containers, second))
                .ifPresent(sizes -> sizes.forEach(history::size));
        for (TaskIdentity victim : victims) {
            managers.sources()
                    .flatMap(known -> known.learnt().profiles().find(victim))
                    // What stands in for a kind that is not known is everybody's.
                    .filter(profile -> !profile.key().level().isCoarse())
                    .ifPresent(profile -> history.profiles().add(seen(profile, second)));
        }
    }

    private static LifeHistory.Profile seen(TaskProfile profile, int second) {
        return new LifeHistory.Profile(
                second,
                profile.key().toString(),
                profile.load().level(Signal.CPU).orElse(-1));
    }

    /** Lets it be quiet, and looks at what is left. */
    void last(Step quiet) throws IOException, YarnException {
        quiet.run();
        if (managers.sources().isEmpty()) {
            return;
        }
        Sources known = managers.sources().get();
        Gate.Health health = known.placement().gate().health();
        history.end(new LifeHistory.End(
                health.configuredMode().toString(),
                health.mode().toString(),
                health.breakerOpen().orElse(""),
                errors(known),
                notStored(known)));
    }

    /** Returns what the plugin caught and nobody threw on purpose, as disks do. */
    private List<String> errors(Sources known) {
        boolean disks = plan.faults().stream().anyMatch(Fault.StoreTurns.class::isInstance);
        return known.placement().gate().faults().newest().stream()
                .filter(kind -> !(disks && kind.part() == Part.STORE))
                .map(Object::toString)
                .toList();
    }

    /** Returns what is known and not in the store, though the disk has long worked again. */
    private Set<String> notStored(Sources known) throws IOException {
        Configuration conf = new Configuration(false);
        conf.set("fs." + FaultyFileSystem.SCHEME + ".impl", FaultyFileSystem.class.getName());
        // Another life of the same name had another disk.
        conf.setBoolean("fs." + FaultyFileSystem.SCHEME + ".impl.disable.cache", true);
        Set<String> missing = new TreeSet<>();
        known.learnt()
                .profiles()
                .all()
                .forEach(profile -> missing.add(profile.key().toString()));
        ProfileStore.Opened opened = ProfileStore.open(
                HadoopDirectory.of(known.learnt().store().get().file(), conf), machine.now(), 1 << 20);
        opened.profiles().forEach(profile -> missing.remove(profile.key().toString()));
        opened.store().close();
        if (!missing.isEmpty()) {
            missing.addAll(opened.problems());
        }
        return missing;
    }
}
