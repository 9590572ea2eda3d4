package org.interference.yarn.learn;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.fixture.Reports;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.ingest.Whereabouts;
import org.interference.yarn.profile.ProfileRepository;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A task's last report is decoded while the learning thread takes what has finished. */
final class FinishedTasksInterleavings {
    private static final String NODE = "node-a:8041";
    private static final String TASK = "container_1_0001_01_000002";
    private static final NodeSample LAST = NodeSample.of(
            NODE,
            Reports.node(1, Reports.ended(TASK, Vectors.cpu(0.5))),
            Reports.T0,
            Optional.empty(),
            Duration.ofSeconds(5),
            Whereabouts.AS_REPORTED);

    private FinishedTasksInterleavings() {}

    /** Results: how many tasks were taken, and of how many of them there was a profile then. */
    @JCStressTest
    @Outcome(
            id = "1, 1",
            expect = Expect.ACCEPTABLE,
            desc = "what a task teaches of its kind is there before it is learnt from")
    @State
    public static class TakenWhileReported {
        private final ProfileRepository profiles = new ProfileRepository(1);
        private final FinishedTasks finished = Tasks.finished(profiles);
        private int taken;
        private int profiled;

        public TakenWhileReported() {
            finished.completed(
                    new CompletedContainer(TASK, "application_1_0001", NODE, Tasks.SORT, false, false),
                    Optional.empty(),
                    Reports.T0);
        }

        @Actor
        public void report() {
            finished.sampled(LAST);
        }

        @Actor
        public void learn() {
            take();
        }

        @Arbiter
        public void after(II_Result result) {
            take();
            result.r1 = taken;
            result.r2 = profiled;
        }

        private void take() {
            List<FinishedTask> drained = finished.drain();
            taken += drained.size();
            for (FinishedTask task : drained) {
                profiled += profiles.find(task.completed().task()).isPresent() ? 1 : 0;
            }
        }
    }
}
