package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.interference.yarn.InterferenceAwareFairScheduler;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestOutcome;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.HeartbeatCodec;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which containers are a node's own is for the scheduler to say: here a real one does. */
class ForgedReportsTest {
    private static final int NODE_MB = 8 * 1024;

    @TempDir
    private Path store;

    @ParameterizedTest
    @ValueSource(classes = {InterferenceAwareScheduler.class, InterferenceAwareFairScheduler.class})
    void nodeSpeaksForItsOwnContainersOnly(Class<?> scheduler) throws Exception {
        Configuration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, scheduler.getName());
        conf.set("yarn.interference.profile.store-dir", store.toString());
        // With a thread of the scheduler's a master may be allocated before somebody sees that it is scheduled.
        conf.setBoolean("yarn.scheduler.capacity.schedule-asynchronously.enable", false);
        try (MockRM rm = new MockRM(conf)) {
            rm.start();
            MockNM honest = rm.registerNode("127.0.0.1:1001", NODE_MB, 16);
            ContainerId master = masterOn(rm, honest);
            // Not before: it might have been chosen for the master.
            MockNM liar = rm.registerNode("127.0.0.1:1002", NODE_MB, 16);
            Ingest ingest = SeededLife.sources(rm).ingest();

            assertThat(accept(ingest, honest, master.toString())).isEqualTo(IngestOutcome.ACCEPTED);
            assertThat(accept(ingest, liar, master.toString())).isEqualTo(IngestOutcome.NOT_BELIEVED);
            assertThat(accept(ingest, liar, "no container id")).isEqualTo(IngestOutcome.ACCEPTED);

            assertThat(ingest.newest(name(honest)).orElseThrow().own())
                    .extracting(ContainerReport::container)
                    .containsExactly(master.toString());
            assertThat(ingest.newest(name(liar)).orElseThrow().own()).isEmpty();
            assertThat(ingest.newest(name(liar)).orElseThrow().running()).containsOnlyKeys("no container id");

            // Learnt from as it is decoded: nothing is waited for.
            ProfileRepository profiles = SeededLife.sources(rm).learnt().profiles();
            assertThat(profiles.all()).isEmpty();
            accept(ingest, honest, master.toString(), Duration.ofMinutes(11));
            Set<TaskProfile> honestly = Set.copyOf(profiles.all());
            assertThat(honestly).isNotEmpty();
            accept(ingest, liar, master.toString(), Duration.ofMinutes(22));
            accept(ingest, liar, master.toString(), Duration.ofMinutes(33));
            assertThat(Set.copyOf(profiles.all())).isEqualTo(honestly);
        }
    }

    private static ContainerId masterOn(MockRM rm, MockNM node) throws Exception {
        RMApp app = MockRMAppSubmitter.submit(
                rm,
                MockRMAppSubmissionData.Builder.createWithMemory(512, rm)
                        .withQueue(rm.getResourceScheduler() instanceof FairScheduler ? "root.any" : "default")
                        .build());
        MockAM master = MockRM.launchAndRegisterAM(app, rm, node);
        return app.getAppAttempts()
                .get(master.getApplicationAttemptId())
                .getMasterContainer()
                .getId();
    }

    private static IngestOutcome accept(Ingest ingest, MockNM node, String container) {
        return accept(ingest, node, container, Duration.ofSeconds(1));
    }

    /** A report that comes as long after the test began as its container was observed. */
    private static IngestOutcome accept(Ingest ingest, MockNM node, String container, Duration observed) {
        Instant now = Instant.now().plus(observed);
        ContainerReport report = new ContainerReport(
                container, observed, false, Map.of(Signal.CPU, new Reading.Measured(0.5, 0.5, 0.5, false, "injected")));
        long sequence =
                ingest.newest(name(node)).map(held -> held.report().sequence()).orElse(0L) + 1;
        return ingest.accept(name(node), HeartbeatCodec.encode(new NodeReport(1, sequence, now, List.of(report))), now);
    }

    private static String name(MockNM node) {
        return node.getNodeId().toString();
    }
}
