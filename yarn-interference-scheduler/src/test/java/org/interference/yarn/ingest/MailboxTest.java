package org.interference.yarn.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.ended;
import static org.interference.yarn.fixture.Reports.heartbeat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.learn.CompletedContainer;
import org.interference.yarn.learn.FinishedTask;
import org.interference.yarn.learn.FinishedTasks;
import org.interference.yarn.profile.ProfileRepository;
import org.junit.jupiter.api.Test;

class MailboxTest {
    private static final String A = "node-a:8041";
    private static final String B = "node-b:8041";

    private final FinishedTasks finished = Tasks.finished(new ProfileRepository(1));
    private final Ingest ingest =
            new Ingest(new IngestSettings(5, 4096, Duration.ofMinutes(10)), Duration.ofSeconds(1), finished::sampled);
    private final Deque<Runnable> decoding = new ArrayDeque<>();
    private final Mailbox mailbox = new Mailbox(ingest, decoding::add);

    @Test
    void nothingIsDecodedOnTheThreadThatPosts() {
        mailbox.post(A, heartbeat(1), T0);

        assertThat(ingest.all()).isEmpty();
        assertThat(decoding).hasSize(1);
    }

    @Test
    void payloadThatWaitsGivesWayToTheNextOfItsNodeAndIsCounted() {
        mailbox.post(A, heartbeat(1), T0);
        mailbox.post(A, heartbeat(2), T0.plusSeconds(1));

        drain();

        assertThat(ingest.newest(A).orElseThrow().report().sequence()).isEqualTo(2);
        assertThat(ingest.newest(A).orElseThrow().receivedAt()).isEqualTo(T0.plusSeconds(1));
        assertThat(ingest.outcomes())
                .containsEntry(IngestOutcome.ACCEPTED, 1L)
                .containsEntry(IngestOutcome.COALESCED, 1L);
    }

    @Test
    void waitingPayloadsNeverOutnumberTheNodes() {
        for (int beat = 1; beat <= 1000; beat++) {
            mailbox.post(A, heartbeat(beat), T0);
            mailbox.post(B, heartbeat(beat), T0);
        }

        assertThat(decoding).hasSize(2);
    }

    @Test
    void drainedMailboxTakesTheNextPayload() {
        mailbox.post(A, heartbeat(1), T0);
        drain();

        mailbox.post(A, heartbeat(2), T0.plusSeconds(1));
        drain();

        assertThat(ingest.newest(A).orElseThrow().report().sequence()).isEqualTo(2);
        assertThat(ingest.outcomes()).containsEntry(IngestOutcome.COALESCED, 0L);
    }

    @Test
    void lastReportOfATaskIsLearntThoughTheTaskCompletedWhileItWaited() {
        mailbox.post(A, heartbeat(1, ended("c1", Vectors.cpu(0.5))), T0);
        finished.completed(
                new CompletedContainer("c1", "application_1", A, Tasks.SORT, false, false), ingest.newest(A), T0);
        assertThat(finished.newest()).isEmpty();

        drain();

        assertThat(finished.newest())
                .singleElement()
                .returns(FinishedTask.Outcome.PROFILED, FinishedTask::outcome)
                .returns(true, task -> task.report().isPresent());
    }

    @Test
    void lastReportOfATaskIsLearntThoughANewerOneOvertookIt() {
        mailbox.post(A, heartbeat(1, ended("c1", Vectors.cpu(0.5))), T0);
        mailbox.post(A, heartbeat(2, ended("c1", Vectors.cpu(0.5))), T0.plusSeconds(1));
        drain();

        finished.completed(
                new CompletedContainer("c1", "application_1", A, Tasks.SORT, false, false),
                ingest.newest(A),
                T0.plusSeconds(2));

        assertThat(finished.newest().stream().map(FinishedTask::report).flatMap(Optional::stream))
                .hasSize(1);
    }

    private void drain() {
        while (!decoding.isEmpty()) {
            decoding.remove().run();
        }
    }
}
