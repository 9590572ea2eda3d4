package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.ended;
import static org.interference.yarn.fixture.Reports.node;
import static org.interference.yarn.fixture.Reports.running;
import static org.interference.yarn.fixture.Reports.unmeasured;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.ingest.Whereabouts;
import org.interference.yarn.learn.FinishedTask.Outcome;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

class FinishedTasksTest {
    private static final String NODE = "node-1:8041";

    private final ProfileRepository profiles = new ProfileRepository(1);
    private final FinishedTasks finished = Tasks.finished(profiles);

    @Test
    void lastReportBeforeTheCompletionMakesAProfileAtOnce() {
        NodeSample sample = sample(1, ended("c1", Vectors.cpu(0.5)));

        finished.completed(succeeded("c1"), Optional.of(sample), T0);

        assertThat(profile().load().level(Signal.CPU)).hasValue(0.5);
        assertThat(profile().runTimeSeconds().mean()).isEqualTo(30);
    }

    @Test
    void lastReportAfterTheCompletionMakesAProfile() {
        finished.completed(succeeded("c1"), Optional.empty(), T0);
        assertThat(profiles.find(Tasks.SORT)).isEmpty();

        finished.sampled(sample(1, ended("c1", Vectors.cpu(0.5))));

        assertThat(profile().load().level(Signal.CPU)).hasValue(0.5);
    }

    @Test
    void reportOfAContainerThatStillRunsIsNotTakenAsItsLast() {
        finished.completed(succeeded("c1"), Optional.of(sample(1, running("c1", Vectors.cpu(0.1)))), T0);

        finished.sampled(sample(2, ended("c1", Vectors.cpu(0.5))));

        assertThat(profile().samples()).isEqualTo(1);
        assertThat(profile().load().level(Signal.CPU)).hasValue(0.5);
    }

    @Test
    void newestReportHasToDoWhenTheLastOneDoesNotComeInThreeReports() {
        finished.completed(succeeded("c1"), Optional.of(sample(1, running("c1", Vectors.cpu(0.25)))), T0);
        finished.sampled(sample(2, running("c1", Vectors.cpu(0.5))));
        finished.sampled(sample(3));
        assertThat(profiles.find(Tasks.SORT)).isEmpty();

        finished.sampled(sample(4));

        assertThat(profile().load().level(Signal.CPU)).hasValue(0.5);
    }

    @Test
    void reportsOfAnotherNodeAreNotWaitedFor() {
        finished.completed(succeeded("c1"), Optional.empty(), T0);

        for (int i = 1; i <= 5; i++) {
            finished.sampled(sample("node-2:8041", node(i, ended("c1", Vectors.cpu(0.9)))));
        }

        assertThat(finished.newest()).isEmpty();
    }

    @Test
    void containerThatWasNeverReportedIsNotProfiled() {
        finished.completed(succeeded("c1"), Optional.empty(), T0);
        finished.sampled(sample(1));
        finished.sampled(sample(2));
        finished.sampled(sample(3));

        assertThat(profiles.all()).isEmpty();
        assertThat(finished.outcomes()).containsEntry(Outcome.NEVER_MEASURED, 1L);
        assertThat(finished.newest()).singleElement().satisfies(task -> {
            assertThat(task.report()).isEmpty();
            assertThat(task.outcome()).isEqualTo(Outcome.NEVER_MEASURED);
        });
    }

    @Test
    void containerOfWhichNothingCouldBeMeasuredIsNotProfiled() {
        finished.completed(succeeded("c1"), Optional.of(sample(1, unmeasured("c1"))), T0);
        finished.sweep(T0.plus(Duration.ofHours(1)));

        assertThat(profiles.all()).isEmpty();
        assertThat(finished.outcomes()).containsEntry(Outcome.NEVER_MEASURED, 1L);
    }

    @Test
    void taskThatWasCutShortIsNotProfiled() {
        CompletedContainer preempted = new CompletedContainer("c1", "application_1", NODE, Tasks.SORT, false, true);

        finished.completed(preempted, Optional.of(sample(1, ended("c1", Vectors.cpu(0.5)))), T0);

        assertThat(profiles.all()).isEmpty();
        assertThat(finished.outcomes()).containsEntry(Outcome.CUT_SHORT, 1L).containsEntry(Outcome.PROFILED, 0L);
        assertThat(finished.newest()).singleElement().satisfies(task -> assertThat(task.report())
                .isPresent());
    }

    /** Its NodeManager was restarted, or got the plugin, while it ran. */
    @Test
    void howLongItTookIsNotLearntOfATaskThatWasObservedInPart() {
        finished.completed(
                ran("c1", Duration.ofMinutes(10)), Optional.of(sample(1, ended("c1", Vectors.cpu(0.5)))), T0);

        assertThat(profile().samples()).isEqualTo(1);
        assertThat(profile().runTimeSeconds().count()).isZero();
        assertThat(finished.newest()).singleElement().satisfies(task -> assertThat(task.whole())
                .isFalse());
        finished.completed(ran("c2", Duration.ofMinutes(4)), Optional.of(sample(2, ended("c2", Vectors.cpu(0.5)))), T0);

        assertThat(profile().runTimeSeconds().count())
                .as("its files may have been copied for minutes")
                .isEqualTo(1);
    }

    private static CompletedContainer ran(String container, Duration ran) {
        return new CompletedContainer(
                container,
                "application_1",
                NODE,
                Tasks.SORT,
                false,
                CompletedContainer.Ending.DONE,
                Optional.empty(),
                Optional.of(ran));
    }

    @Test
    void whoEndsWithAnApplicationThatFailsTeachesNothing() {
        Map<String, Boolean> ended = new HashMap<>();
        FinishedTasks executors = Tasks.finished(profiles, container -> Optional.ofNullable(ended.get(container)));
        for (String container : List.of("c1", "c2")) {
            executors.completed(
                    withApplication(container), Optional.of(sample(1, ended(container, Vectors.cpu(0.5)))), T0);
        }
        executors.sweep(T0.plusSeconds(1));
        assertThat(executors.newest()).as("while the application runs").isEmpty();

        ended.putAll(Map.of("c1", false, "c2", true));
        executors.sweep(T0.plusSeconds(2));

        assertThat(executors.outcomes()).containsEntry(Outcome.CUT_SHORT, 1L).containsEntry(Outcome.PROFILED, 1L);
        assertThat(profile().samples()).isEqualTo(1);
        assertThat(executors.of("c1").orElseThrow().outcome()).isEqualTo(Outcome.CUT_SHORT);
    }

    @Test
    void whoEndedAMinuteBeforeItsApplicationHasDoneItsWork() {
        FinishedTasks executors = Tasks.finished(profiles, container -> Optional.empty());
        executors.completed(withApplication("c1"), Optional.of(sample(1, ended("c1", Vectors.cpu(0.5)))), T0);

        executors.sweep(T0.plusSeconds(61));

        assertThat(profile().samples()).isEqualTo(1);
    }

    @Test
    void secondCompletionIsIgnored() {
        NodeSample sample = sample(1, ended("c1", Vectors.cpu(0.5)));
        finished.completed(succeeded("c1"), Optional.of(sample), T0);

        finished.completed(succeeded("c1"), Optional.of(sample), T0);

        assertThat(profile().samples()).isEqualTo(1);
        assertThat(finished.newest()).hasSize(1);
    }

    @Test
    void secondCompletionWhileTheLastReportIsAwaitedIsIgnored() {
        finished.completed(succeeded("c1"), Optional.empty(), T0);
        finished.completed(succeeded("c1"), Optional.empty(), T0.plusSeconds(1));

        finished.sampled(sample(1, ended("c1", Vectors.cpu(0.5))));
        finished.sampled(sample(2, ended("c1", Vectors.cpu(0.5))));

        assertThat(profile().samples()).isEqualTo(1);
    }

    @Test
    void twoContainersOfOneNodeAreKeptApart() {
        finished.completed(succeeded("c1"), Optional.empty(), T0);
        finished.completed(succeeded("c2"), Optional.empty(), T0);

        finished.sampled(sample(1, ended("c1", Vectors.cpu(0.25)), running("c2", Vectors.cpu(0.9))));
        finished.sampled(sample(2, ended("c2", Vectors.cpu(0.75))));

        assertThat(profile().samples()).isEqualTo(2);
        assertThat(profile().load().level(Signal.CPU)).hasValue(0.5);
    }

    @Test
    void sweepConcludesWhatHasWaitedForMoreThanAMinute() {
        finished.completed(succeeded("c1"), Optional.of(sample(1, running("c1", Vectors.cpu(0.5)))), T0);
        finished.sweep(T0.plusSeconds(60));
        assertThat(finished.newest()).isEmpty();

        finished.sweep(T0.plusSeconds(60).plusMillis(1));

        assertThat(profile().load().level(Signal.CPU)).hasValue(0.5);
        assertThat(finished.newest()).hasSize(1);
    }

    @Test
    void reportAfterTheSweepDoesNotCountTwice() {
        finished.completed(succeeded("c1"), Optional.of(sample(1, running("c1", Vectors.cpu(0.5)))), T0);
        finished.sweep(T0.plusSeconds(61));

        finished.sampled(sample(2, ended("c1", Vectors.cpu(0.9))));

        assertThat(profile().samples()).isEqualTo(1);
    }

    @Test
    void onlyTheNewestThousandAreListedButAllAreCounted() {
        for (int i = 0; i < 1005; i++) {
            String container = "c" + i;
            finished.completed(succeeded(container), Optional.of(sample(1, ended(container, Vectors.cpu(0.5)))), T0);
        }

        assertThat(finished.newest()).hasSize(1000);
        assertThat(finished.newest().get(0).completed().container()).isEqualTo("c5");
        assertThat(finished.outcomes()).containsEntry(Outcome.PROFILED, 1005L);
    }

    @Test
    void eachIsDrainedOnceHoweverManyFinishAtOnce() {
        for (int i = 0; i < 7000; i++) {
            String container = "c" + i;
            finished.completed(succeeded(container), Optional.of(sample(1, ended(container, Vectors.cpu(0.5)))), T0);
        }

        assertThat(finished.drain())
                .extracting(task -> task.completed().container())
                .doesNotHaveDuplicates()
                .hasSize(7000)
                .startsWith("c0");
        assertThat(finished.drain()).isEmpty();
    }

    private TaskProfile profile() {
        return profiles.find(Tasks.SORT).orElseThrow();
    }

    private static CompletedContainer withApplication(String container) {
        return succeeded(container).ended(CompletedContainer.Ending.WITH_APPLICATION);
    }

    private static CompletedContainer succeeded(String container) {
        return new CompletedContainer(container, "application_1", NODE, Tasks.SORT, false, false);
    }

    private static NodeSample sample(long sequence, ContainerReport... containers) {
        return sample(NODE, node(sequence, containers));
    }

    private static NodeSample sample(String node, NodeReport report) {
        Instant receivedAt = T0.plusSeconds(report.sequence());
        return NodeSample.of(
                node, report, receivedAt, Optional.empty(), Duration.ofSeconds(5), Whereabouts.AS_REPORTED);
    }
}
