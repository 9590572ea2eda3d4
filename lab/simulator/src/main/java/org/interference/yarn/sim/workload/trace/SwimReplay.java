package org.interference.yarn.sim.workload.trace;

import java.util.List;
import java.util.random.RandomGenerator;
import org.interference.yarn.sim.workload.Pattern;
import org.interference.yarn.sim.workload.SimJob;

/**
 * SWIM's sample, made smaller for the cluster: of each job a fiftieth of the tasks, and submissions so fast that over the whole
 * sample and without interference 80 % of the slots would be in use. Each seed replays another part of it. Thread-safe.
 */
public final class SwimReplay implements Pattern {
    private static final double TASKS = 0.02;
    private static final double LOAD = 0.8;
    private static final double JOBS_PER_SLOT = 60 / 32.0;

    private final KindInference inference;
    /** Read when a replay is first asked for, not when patterns are only listed. */
    private List<SimJob> sample = List.of();

    public SwimReplay(KindInference inference) {
        this.inference = inference;
    }

    @Override
    public String name() {
        return "swim";
    }

    @Override
    public List<SimJob> jobs(RandomGenerator random, int slots) {
        int window = (int) Math.max(1, Math.round(JOBS_PER_SLOT * slots));
        List<SimJob> all = sample();
        double speed = LOAD / TraceScale.load(all, new TraceScale(TASKS, 1), slots);
        return new TracePattern(name(), all, window, new TraceScale(TASKS, speed)).jobs(random, slots);
    }

    private synchronized List<SimJob> sample() {
        if (sample.isEmpty()) {
            sample = SwimSample.read(inference).jobs();
        }
        return sample;
    }
}
