package org.interference.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.heartbeat;
import static org.interference.yarn.fixture.Reports.running;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestOutcome;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.ingest.Whereabouts;
import org.interference.yarn.signal.ContainerReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownContainersTest {
    private static final String NODE = "node-1:8041";
    private static final String CONTAINER = "container_e17_1700000000000_0001_01_000002";

    private final Map<ContainerId, RMContainer> scheduled =
            Map.of(ContainerId.fromString(CONTAINER), container(ContainerId.fromString(CONTAINER)));
    private static final long CREATED = 1_700_000_100_000L;
    private final AtomicLong wallClock = new AtomicLong(CREATED + 5000);
    private long submitted = CREATED - 60_000;
    private final KnownContainers known = new KnownContainers(
            scheduled::get, id -> OptionalLong.of(submitted), node -> OptionalInt.of(3), wallClock::get);

    @Test
    void containerIsWhereItWasAllocated() {
        assertThat(known.of(CONTAINER, NODE)).isEqualTo(Whereabouts.Answer.HERE);
        assertThat(known.of(CONTAINER, "node-2:8041")).isEqualTo(Whereabouts.Answer.ELSEWHERE);
        assertThat(known.find(CONTAINER)).isPresent();
    }

    @Test
    void containerHasRunForNoLongerThanTheSchedulerHasHadIt() {
        assertThat(known.longestRunMillis(CONTAINER)).hasValue(5000);

        wallClock.set(CREATED - 1);
        assertThat(known.longestRunMillis(CONTAINER))
                .as("the clock was set back")
                .hasValue(0);
        assertThat(known.longestRunMillis("container_1_0001_01_000009")).isEmpty();
    }

    /** Of a container that is recovered its node says when it was created. */
    @Test
    void recoveredContainerIsNoOlderThanItsApplication() {
        submitted = CREATED + 3000;

        assertThat(known.longestRunMillis(CONTAINER)).hasValue(2000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "container_e17_1700000000000_0001_01_0000002",
                "container_e017_1700000000000_0001_01_000002",
                "container_e17_01700000000000_0001_01_000002",
                "container_e17_1700000000000_00001_01_000002",
                "container_e17_1700000000000_0001_1_000002",
                "container_e17_1700000000000_0001_01_+2",
                "container_e+17_1700000000000_0001_01_000002"
            })
    void anotherSpellingIsNobody(String spelling) {
        assertThat(ContainerId.fromString(spelling)).isEqualTo(ContainerId.fromString(CONTAINER));

        assertThat(known.of(spelling, NODE)).isEqualTo(Whereabouts.Answer.ELSEWHERE);
        assertThat(known.find(spelling)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "container_1", "container_e17_1700000000000_0001_01_000003", "container_e_1_1_1_x"})
    void whatTheSchedulerDoesNotKnowIsUnknown(String other) {
        assertThat(known.of(other, NODE)).isEqualTo(Whereabouts.Answer.UNKNOWN);
        assertThat(known.find(other)).isEmpty();
    }

    /** Each would be kept by its text, and there are 10,000 more in the next heartbeat. */
    @Test
    void spellingsOfOneContainerAreOneContainer() {
        Ingest ingest = new Ingest(
                new IngestSettings(5, 1 << 20, Duration.ofMinutes(10)), Duration.ofSeconds(1), known, sample -> {});
        ContainerReport[] spellings = new ContainerReport[200];
        for (int i = 0; i < spellings.length; i++) {
            spellings[i] = running(CONTAINER.replace("_000002", "_" + "0".repeat(i) + "2"), Vectors.cpu(0.5));
        }

        IngestOutcome outcome = ingest.accept(NODE, heartbeat(1, spellings), T0);

        assertThat(outcome).isEqualTo(IngestOutcome.NOT_BELIEVED);
        assertThat(ingest.newest(NODE)).hasValueSatisfying(sample -> {
            assertThat(sample.refused()).isEqualTo(spellings.length - 1);
            assertThat(sample.own()).extracting(ContainerReport::container).containsExactly(CONTAINER);
            assertThat(sample.running()).containsOnlyKeys(CONTAINER);
        });
    }

    private static RMContainer container(ContainerId id) {
        return (RMContainer) Proxy.newProxyInstance(
                KnownContainersTest.class.getClassLoader(),
                new Class<?>[] {RMContainer.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getContainerId" -> id;
                    case "getAllocatedNode" -> NodeId.newInstance("node-1", 8041);
                    case "getCreationTime" -> CREATED;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
