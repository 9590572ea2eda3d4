package org.interference.yarn.sim.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.sim.engine.ClusterShape;
import org.interference.yarn.sim.engine.Knowledge;
import org.interference.yarn.sim.engine.RunOutcome;
import org.interference.yarn.sim.engine.TaskNoise;
import org.interference.yarn.sim.optimum.KnownTask;
import org.interference.yarn.sim.optimum.Optimum;
import org.interference.yarn.sim.optimum.Schedule;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.workload.SimTask;
import org.interference.yarn.sim.world.SizePattern;
import org.interference.yarn.sim.world.World;

/** What {@link Optimum} makes of the jobs of a run, in the numbers of one. */
final class OptimalRun {
    private OptimalRun() {}

    /**
     * Returns the metrics of the schedule with the least makespan; the other metrics are that schedule's, and not the best there are.
     *
     * @throws IllegalArgumentException if there are too many tasks, or nodes that differ
     */
    static RunMetrics of(World world, List<SimJob> jobs, ClusterShape shape, long seed) {
        if (world.daemons().everyNthNode() > 0
                || !world.sizes().equals(SizePattern.EQUAL)
                || world.locality().matters()) {
            throw new IllegalArgumentException(
                    "the optimum is found where all nodes are alike, which they are not in " + world.name());
        }
        List<SimJob> inOrder =
                jobs.stream().sorted(Comparator.comparing(SimJob::submitted)).toList();
        List<KnownTask> tasks = new ArrayList<>();
        for (int job = 0; job < inOrder.size(); job++) {
            List<SimTask> all = inOrder.get(job).tasks();
            for (int i = 0; i < all.size(); i++) {
                tasks.add(new KnownTask(
                        tasks.size(),
                        inOrder.get(job).name(),
                        all.get(i).kind(),
                        submitted(inOrder.get(job)),
                        TaskNoise.work(all.get(i), seed, job, i)));
            }
        }
        Schedule schedule = Optimum.of(world.truth(), tasks, shape.nodes(), shape.slotsPerNode());
        return RunMetrics.of(outcome(inOrder, tasks, schedule, shape));
    }

    private static RunOutcome outcome(List<SimJob> jobs, List<KnownTask> tasks, Schedule schedule, ClusterShape shape) {
        List<RunOutcome.JobOutcome> outcomes = new ArrayList<>();
        int next = 0;
        double busy = 0;
        for (SimJob job : jobs) {
            List<RunOutcome.TaskOutcome> ran = new ArrayList<>();
            for (int i = 0; i < job.tasks().size(); i++) {
                Schedule.Times times = schedule.times().get(next);
                ran.add(new RunOutcome.TaskOutcome(
                        "node-" + times.node(),
                        times.started(),
                        times.finished(),
                        tasks.get(next).work()));
                busy += times.finished() - times.started();
                next++;
            }
            outcomes.add(new RunOutcome.JobOutcome(
                    job.name(),
                    job.queue(),
                    submitted(job),
                    ran.stream()
                            .mapToDouble(RunOutcome.TaskOutcome::started)
                            .min()
                            .orElseThrow(),
                    ran.stream()
                            .mapToDouble(RunOutcome.TaskOutcome::finished)
                            .max()
                            .orElseThrow(),
                    ran));
        }
        return new RunOutcome(outcomes, shape.slots(), busy, Knowledge.NONE, Optional.empty(), RunOutcome.Use.NONE);
    }

    private static double submitted(SimJob job) {
        return job.submitted().toMillis() / 1000.0;
    }
}
