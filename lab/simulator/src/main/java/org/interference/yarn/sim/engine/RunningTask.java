package org.interference.yarn.sim.engine;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Container;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.interference.yarn.sim.world.Load;

/** One task in its container: how far it is, and what counters have counted of it. Not thread-safe. */
final class RunningTask {
    private final SimulatedJob job;
    private final Container container;
    private final SimTaskKind kind;
    private final double work;
    private final double started;
    /** Level times seconds. */
    private final EnumMap<Signal, Double> counted = new EnumMap<>(Signal.class);

    private double done;
    private double slowdown = 1;
    private double finished = Double.NaN;

    /** @param work seconds that it takes alone */
    RunningTask(SimulatedJob job, Container container, SimTaskKind kind, double work, double started) {
        this.job = job;
        this.container = container;
        this.kind = kind;
        this.work = work;
        this.started = started;
    }

    SimulatedJob job() {
        return job;
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

    double work() {
        return work;
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
}
