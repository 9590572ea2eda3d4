package org.interference.yarn.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.interference.yarn.capacity.CapacityReport;
import org.interference.yarn.fixture.NoControl;
import org.interference.yarn.fixture.Reports;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.ingest.Whereabouts;
import org.interference.yarn.learn.Traffic;
import org.interference.yarn.relocate.RelocationReport;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Endpoint;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.signal.NodeReport;
import org.junit.jupiter.api.Test;

class TrafficAnswersTest {
    private static final Page ALL = new Page(0, 1000);
    private static final String NODE = "node-a:8041";
    private static final String WEB = "container_1700000000000_0001_01_000007";
    private static final String API = "container_1700000000000_0002_01_000008";
    private static final Endpoint SERVER = Endpoint.ofIpv4(0x0a000001, 7117);
    private static final Endpoint CLIENT = Endpoint.ofIpv4(0x0a000001, 43210);
    private static final Endpoint FAR = Endpoint.ofIpv4(0x08080808, 443);

    private final Traffic traffic = new Traffic(container -> Optional.of(container.equals(WEB) ? "web" : "api"));

    private void talk() {
        for (int i = 0; i < 2; i++) {
            NodeReport report = Reports.node(
                    i,
                    talking(WEB, new Flow(SERVER, CLIENT, 1000, 30), new Flow(SERVER, FAR, 1, 2)),
                    talking(API, new Flow(CLIENT, SERVER, 30, 1000)));
            traffic.take(
                    NodeSample.of(
                            NODE,
                            report.withoutFlows(),
                            T0.plusSeconds(i),
                            Optional.empty(),
                            Duration.ofMinutes(1),
                            Whereabouts.AS_REPORTED),
                    report);
        }
    }

    private static ContainerReport talking(String container, Flow... flows) {
        return Reports.running(container, Vectors.cpu(0.5)).withFlows(List.of(flows));
    }

    private JsonNode answer(Viewer viewer, TrafficAnswers.Filter filter) {
        Sources sources = new Sources(
                null,
                new Sources.Cluster(
                        TreeSet::new,
                        List::of,
                        container -> Optional.of(new Sources.Task("application_1", Tasks.SORT, false)),
                        null),
                new Sources.Learnt(null, null, null, traffic, null, null, null),
                null,
                new NoControl(),
                () -> CapacityReport.OFF,
                () -> RelocationReport.OFF,
                InstantSource.fixed(T0.plusSeconds(1)));
        return new TrafficAnswers(sources, viewer).traffic(ALL, filter);
    }

    @Test
    void whoTalksToWhomIsToldWithNodesAndKinds() {
        talk();

        JsonNode answer = answer(Viewer.OF_ALL, TrafficAnswers.Filter.NONE);

        assertThat(answer.path("total").asInt()).isEqualTo(2);
        JsonNode pair = answer.path("traffic").path(0);
        assertThat(pair.at("/container/container").asText()).isEqualTo(WEB);
        assertThat(pair.at("/container/task").asText()).isEqualTo(Tasks.SORT.text());
        assertThat(pair.at("/other/container").asText()).isEqualTo(API);
        assertThat(pair.path("peer").asText()).isEqualTo("CONTAINER");
        assertThat(pair.path("otherNode").asText()).isEqualTo(NODE);
        assertThat(pair.path("sentPerSecond").asDouble()).isEqualTo(1000);
        assertThat(pair.path("receivedPerSecond").asDouble()).isEqualTo(30);
        assertThat(answer.path("traffic").path(1).path("peer").asText()).isEqualTo("OUTSIDE");
        assertThat(answer.path("traffic").path(1).has("other")).isFalse();
        assertThat(answer.path("nodesThatTell").asInt()).isEqualTo(1);
        assertThat(answer.has("reason")).isFalse();
        assertThat(answer.at("/kinds/0/kind").asText()).isEqualTo("api");
        assertThat(answer.at("/kinds/0/other").asText()).isEqualTo("web");
        assertThat(answer.at("/kinds/0/bytes").asLong()).isEqualTo(1030);
    }

    @Test
    void whoMayNotViewApplicationsSeesNoNames() {
        talk();

        JsonNode answer = answer(AnswersTest.STRANGER, TrafficAnswers.Filter.NONE);

        assertThat(answer.at("/traffic/0/container/visible").asBoolean()).isFalse();
        assertThat(answer.toString()).doesNotContain("container_", "application_", "\"web\"", "\"api\"");
    }

    @Test
    void whoMayNotViewAnApplicationLearnsNothingByItsName() {
        talk();
        TrafficAnswers.Filter ofWeb =
                new TrafficAnswers.Filter(Optional.empty(), Optional.of("application_1700000000000_0001"));

        assertThat(answer(AnswersTest.STRANGER, ofWeb).path("total").asInt()).isZero();
        assertThat(answer(Viewer.OF_ALL, ofWeb).path("total").asInt()).isEqualTo(2);
    }

    @Test
    void filterHoldsForEitherOfTwo() {
        talk();

        assertThat(answer(
                                Viewer.OF_ALL,
                                new TrafficAnswers.Filter(
                                        Optional.empty(), Optional.of("application_1700000000000_0002")))
                        .path("total")
                        .asInt())
                .isEqualTo(1);
        assertThat(answer(Viewer.OF_ALL, new TrafficAnswers.Filter(Optional.of("node-b:8041"), Optional.empty()))
                        .path("total")
                        .asInt())
                .isZero();
    }

    @Test
    void whereNoNodeTellsItSaysWhy() {
        JsonNode answer = answer(Viewer.OF_ALL, TrafficAnswers.Filter.NONE);

        assertThat(answer.path("total").asInt()).isZero();
        assertThat(answer.path("reason").asText()).contains("--peers");
    }
}
