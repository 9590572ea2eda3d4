package org.interference.yarn.sim.engine;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Container;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.interference.yarn.sim.world.Load;
import org.interference.yarn.sim.world.RequestRatios;

/** One task in its container: how far it is, and what counters have counted of it. Not thread-safe. */
final class RunningTask {
    /** Seconds that rounding may be off. */
    private static final double MOMENT = 1e-9;

    private final SimulatedJob job;
    private final SimulatedJob.Waiting task;
    private final Container container;
    private final SimTaskKind kind;
    private final double work;
    private final double peakMb;
    private final double started;
    /** Level times seconds. */
    private final EnumMap<Signal, Double> counted = new EnumMap<>(Signal.class);

    private double done;
    private double slowdown = 1;
    private double finished = Double.NaN;
    private Optional<Killed> killed = Optional.empty();

    /** Why a task ended before its work was done. */
    enum Killed {
        /** The node had no memory left. */
        BY_KERNEL,
        /** The ResourceManager wanted its container back. */
        BY_RESOURCE_MANAGER
    }

    /**
     * @param work seconds that it takes alone
     * @param peakMb memory that it uses at the most, MiB; 0 where nobody counts it
     */
    RunningTask(
            SimulatedJob job,
            SimulatedJob.Waiting task,
            Container container,
            SimTaskKind kind,
            double work,
            double peakMb,
            double started) {
        this.job = job;
        this.task = task;
        this.peakMb = peakMb;
        this.container = container;
        this.kind = kind;
        this.work = work;
        this.started = started;
    }

    SimulatedJob job() {
        return job;
    }

    SimulatedJob.Waiting task() {
        return task;
    }

    Container container() {
        return container;
    }

    double started() {
        return started;
    }

    double finished() {
        return finished;
    }

    Load load() {
        return new Load(job.job().name(), kind, done / work);
    }

    EnumMap<Signal, Double> counted() {
        return counted;
    }

    void slow(double newSlowdown) {
        slowdown = newSlowdown;
    }

    /** Returns the seconds until {@code progress} is reached; infinite if it is past. */
    double secondsUntil(double progress) {
        double left = progress * work - done;
        return left > 0 ? left * slowdown : Double.POSITIVE_INFINITY;
    }

    /** Returns whether {@code progress} is reached, by a moment too many or too few: rounding ends on either side. */
    boolean isAt(double progress) {
        return Math.abs(progress * work - done) * slowdown < MOMENT;
    }

    /** Counts {@code seconds} at {@code levels}. */
    void run(double seconds, Map<Signal, Double> levels) {
        done += seconds / slowdown;
        levels.forEach((signal, level) -> counted.merge(signal, level * seconds, Double::sum));
    }

    /** Rounds what floating point has left over when a boundary is reached. */
    void reach(double progress) {
        done = progress * work;
    }

    void finish(double at) {
        finished = at;
    }

    void kill(Killed why, double at) {
        killed = Optional.of(why);
        finished = at;
    }

    /** Returns why it ended before its work was done; empty if it did not. */
    Optional<Killed> killed() {
        return killed;
    }

    double peakMb() {
        return peakMb;
    }

    /** Returns the memory that it uses now, MiB. */
    double memoryMb() {
        return peakMb * RequestRatios.share(done / work);
    }
}
