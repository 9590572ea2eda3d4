package org.interference.yarn.nm.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.interference.yarn.nm.heartbeat.Failures;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LocalCountersTest {
    private static final NodeReport REPORT = new NodeReport(
            1,
            1,
            Instant.parse("2026-11-21T00:00:00Z"),
            List.of(new ContainerReport(
                    "container_1",
                    Duration.ofSeconds(3),
                    true,
                    Map.of(
                            Signal.CPU, new Reading.Measured(0.5, 0.25, 0.5, false, "proc"),
                            Signal.MBW, new Reading.Unavailable("no PMU", "ebpf")),
                    Optional.of(new LaunchSignature(0xabcL)))));

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final Failures failures = new Failures(LoggerFactory.getLogger(LocalCountersTest.class));

    @Test
    void whatIsMeasuredAndWhatIsNotCanBeReadThroughJmx() throws Exception {
        try (LocalCounters counters = register("node:1", Optional.of(REPORT))) {
            ObjectName name = names().iterator().next();

            assertThat(counters.getNode()).isEqualTo("node:1");
            assertThat(server.getAttribute(name, "Node")).isEqualTo("node:1");
            assertThat(server.getAttribute(name, "MeasuredAt")).isEqualTo("2026-11-21T00:00:00Z");
            CompositeData container = ((CompositeData[]) server.getAttribute(name, "Containers"))[0];
            assertThat(container.get("container")).isEqualTo("container_1");
            assertThat(container.get("ended")).isEqualTo(true);
            assertThat(container.get("observedMillis")).isEqualTo(3000L);
            assertThat(container.get("launch")).isEqualTo("0000000000000abc");
            CompositeData[] signals = (CompositeData[]) container.get("signals");
            assertThat(signals).extracting(signal -> signal.get("signal")).containsExactly("mbw", "cpu");
            assertThat(signals).extracting(signal -> signal.get("level")).containsExactly(null, 0.5);
            assertThat(signals).extracting(signal -> signal.get("mean")).containsExactly(null, 0.25);
            assertThat(signals).extracting(signal -> signal.get("reason")).containsExactly("no PMU", null);
        }
        assertThat(failures.total()).isZero();
    }

    @Test
    void withoutAReportThereAreNoContainers() throws Exception {
        try (LocalCounters counters = register("node:1", Optional.empty())) {
            assertThat(counters.getMeasuredAt()).isNull();
            assertThat((CompositeData[]) server.getAttribute(names().iterator().next(), "Containers"))
                    .isEmpty();
        }
    }

    @Test
    void nodeManagersOfOneJvmHaveNamesOfTheirOwnAndGiveThemBack() throws Exception {
        try (LocalCounters first = register("node:1", Optional.empty())) {
            try (LocalCounters second = register("node:2", Optional.empty())) {
                assertThat(names()).hasSize(2);
                assertThat(List.of(first.getNode(), second.getNode())).containsExactly("node:1", "node:2");
            }
            assertThat(names()).extracting(ObjectName::toString).containsExactly(LocalCounters.NAME + 1);
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void closingTwiceIsNoFailure() {
        LocalCounters counters = register("node:1", Optional.empty());

        counters.close();
        counters.close();

        assertThat(failures.total()).isZero();
    }

    private LocalCounters register(String node, Optional<NodeReport> report) {
        return LocalCounters.register(() -> node, () -> report, failures).orElseThrow();
    }

    private Set<ObjectName> names() throws Exception {
        return server.queryNames(new ObjectName(LocalCounters.NAME + "*"), null).stream()
                .collect(Collectors.toSet());
    }
}
