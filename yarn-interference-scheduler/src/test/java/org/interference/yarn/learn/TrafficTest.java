package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.fixture.Reports.T0;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.interference.yarn.fixture.Reports;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.ingest.Whereabouts;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Endpoint;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.signal.NodeReport;
import org.junit.jupiter.api.Test;

class TrafficTest {
    private static final String A = "node-a:8041";
    private static final String B = "node-b:8041";
    private static final Endpoint SERVER = Endpoint.ofIpv4(0x0a000001, 7117);
    private static final Endpoint CLIENT = Endpoint.ofIpv4(0x0a000002, 43210);
    private static final Endpoint FAR = Endpoint.ofIpv4(0x08080808, 443);
    private static final Endpoint HERE = Endpoint.ofIpv4(0x7f000001, 80);
    private static final Endpoint HERE_TOO = Endpoint.ofIpv4(0x7f000001, 40000);

    private final Traffic traffic = new Traffic(container -> Optional.of(container.substring(0, 3)));
    private long sequence;

    private static ContainerReport talking(String container, Flow... flows) {
        return Reports.running(container, Vectors.cpu(0.5)).withFlows(List.of(flows));
    }

    private void told(String node, Instant at, ContainerReport... containers) {
        told(Whereabouts.AS_REPORTED, node, at, containers);
    }

    private void told(Whereabouts scheduler, String node, Instant at, ContainerReport... containers) {
        NodeReport report = Reports.node(sequence++, containers);
        traffic.take(
                NodeSample.of(node, report.withoutFlows(), at, Optional.empty(), Duration.ofMinutes(1), scheduler),
                report);
    }

    @Test
    void connectionIsMetAtItsTwoEndsAndTheSmallerClaimCounts() {
        told(A, T0, talking("web_1", new Flow(SERVER, CLIENT, 1000, 30)));
        told(B, T0, talking("api_1", new Flow(CLIENT, SERVER, 20, 900)));

        assertThat(traffic.talks(T0))
                .containsExactly(new Traffic.Talk(
                        "api_1", B, Traffic.Peer.CONTAINER, Optional.of("web_1"), Optional.of(A), 20, 900));
        assertThat(traffic.nodes(T0)).isEqualTo(2);
    }

    @Test
    void connectionsOfTheSameTwoAreOneTalk() {
        Endpoint another = new Endpoint(CLIENT.high(), CLIENT.low(), 5);
        told(
                A,
                T0,
                talking("web_1", new Flow(SERVER, CLIENT, 10, 1), new Flow(SERVER, another, 5, 2)),
                talking("api_1", new Flow(another, SERVER, 2, 5), new Flow(CLIENT, SERVER, 1, 10)));

        assertThat(traffic.talks(T0))
                .containsExactly(new Traffic.Talk(
                        "api_1", A, Traffic.Peer.CONTAINER, Optional.of("web_1"), Optional.of(A), 3, 15));
    }

    @Test
    void whatNobodyElseTellsOfIsOnANodeOrOutside() {
        told(A, T0, talking("web_1", new Flow(SERVER, FAR, 7, 0), new Flow(SERVER, CLIENT, 8, 0)));
        told(B, T0, talking("api_1", new Flow(CLIENT, FAR, 6, 0)));

        assertThat(traffic.talks(T0))
                .containsExactly(
                        new Traffic.Talk("web_1", A, Traffic.Peer.NODE, Optional.empty(), Optional.of(B), 8, 0),
                        new Traffic.Talk("web_1", A, Traffic.Peer.OUTSIDE, Optional.empty(), Optional.empty(), 7, 0),
                        new Traffic.Talk("api_1", B, Traffic.Peer.OUTSIDE, Optional.empty(), Optional.empty(), 6, 0));
    }

    @Test
    void loopbackMeetsOnItsOwnNodeAlone() {
        told(A, T0, talking("web_1", new Flow(HERE, HERE_TOO, 9, 0)));
        told(B, T0, talking("api_1", new Flow(HERE_TOO, HERE, 0, 9)));

        assertThat(traffic.talks(T0))
                .extracting(Traffic.Talk::peer)
                .containsExactly(Traffic.Peer.NODE, Traffic.Peer.NODE);

        told(A, T0, talking("web_1", new Flow(HERE, HERE_TOO, 9, 0)), talking("db_1", new Flow(HERE_TOO, HERE, 0, 9)));

        assertThat(traffic.talks(T0))
                .filteredOn(talk -> talk.node().equals(A))
                .containsExactly(new Traffic.Talk(
                        "db_1", A, Traffic.Peer.CONTAINER, Optional.of("web_1"), Optional.of(A), 0, 9));
    }

    /** Whoever names another's address must not be taken for it. */
    @Test
    void addressIsThatOfTheFirstNodeThatNamesIt() {
        told(A, T0, talking("web_1", new Flow(SERVER, CLIENT, 1000, 0)));
        told(B, T0, talking("api_1", new Flow(CLIENT, SERVER, 0, 1000)));
        told("node-c:8041", T0, talking("bad_1", new Flow(SERVER, CLIENT, 1000, 0)));

        assertThat(traffic.talks(T0))
                .filteredOn(talk -> talk.peer() == Traffic.Peer.CONTAINER)
                .singleElement()
                .satisfies(talk -> assertThat(talk.other()).contains("web_1"));
    }

    @Test
    void nodeSpeaksForItsOwnContainersAlone() {
        told((container, node) -> Whereabouts.Answer.ELSEWHERE, A, T0, talking("web_1", new Flow(SERVER, FAR, 1, 1)));

        assertThat(traffic.talks(T0)).isEmpty();
    }

    @Test
    void rateThatNoMachineHasIsNotBelieved() {
        told(A, T0, talking("web_1", new Flow(SERVER, FAR, Long.MAX_VALUE, 1)));

        assertThat(traffic.talks(T0)).isEmpty();
    }

    @Test
    void whatEndedTalksToNobody() {
        told(A, T0, Reports.ended("web_1", Vectors.cpu(1)).withFlows(List.of(new Flow(SERVER, FAR, 1, 1))));

        assertThat(traffic.talks(T0)).isEmpty();
    }

    @Test
    void kindsGrowByWhatBothSayTimesTheTimeBetweenTwoReports() {
        for (int i = 0; i <= 10; i++) {
            told(A, T0.plusSeconds(i), talking("web_1", new Flow(SERVER, CLIENT, 1000, 0)));
            told(B, T0.plusSeconds(i), talking("api_1", new Flow(CLIENT, SERVER, 0, 1000)));
        }

        assertThat(traffic.kinds(T0.plusSeconds(10))).singleElement().satisfies(pair -> {
            assertThat(pair.kind()).isEqualTo("api");
            assertThat(pair.other()).isEqualTo("web");
            assertThat(pair.bytes()).isCloseTo(10_000, within(10.0));
        });
    }

    @Test
    void eachDayHalvesWhatKindsHaveExchanged() {
        kindsGrowByWhatBothSayTimesTheTimeBetweenTwoReports();

        assertThat(traffic.kinds(T0.plus(Duration.ofDays(2))).get(0).bytes()).isCloseTo(2500, within(10.0));
    }

    /** What happened while a node was silent nobody knows. */
    @Test
    void longSilenceAddsNothing() {
        for (Instant at : List.of(T0, T0.plus(Duration.ofHours(1)))) {
            told(
                    A,
                    at,
                    talking("web_1", new Flow(HERE, HERE_TOO, 9, 0)),
                    talking("web_2", new Flow(HERE_TOO, HERE, 0, 9)));
        }

        assertThat(traffic.kinds(T0.plus(Duration.ofHours(1)))).isEmpty();
    }

    @Test
    void whoIsSilentOrGoneIsForgotten() {
        told(A, T0, talking("web_1", new Flow(SERVER, FAR, 1, 0)));
        told(B, T0, talking("api_1", new Flow(CLIENT, FAR, 1, 0)));

        traffic.sweep(Set.of(A), T0);
        assertThat(traffic.talks(T0)).extracting(Traffic.Talk::node).containsExactly(A);

        assertThat(traffic.talks(T0.plusSeconds(181))).isEmpty();
        traffic.sweep(Set.of(A), T0.plusSeconds(181));
        assertThat(traffic.nodes(T0)).isZero();
    }

    @Test
    void aReportReplacesTheOneBefore() {
        told(A, T0, talking("web_1", new Flow(SERVER, FAR, 1, 0)));
        told(A, T0.plusSeconds(1), talking("web_1"));

        assertThat(traffic.talks(T0.plusSeconds(1))).isEmpty();
    }

    @Test
    void noMoreConnectionsAreKeptThanThereIsRoomFor() {
        for (int node = 0; node < 80; node++) {
            List<ContainerReport> containers = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                Flow[] flows = new Flow[Flow.MOST];
                for (int port = 0; port < flows.length; port++) {
                    flows[port] = new Flow(Endpoint.ofIpv4(node, 100 * i + port), FAR, 1, 0);
                }
                containers.add(talking("web_%d_%d".formatted(node, i), flows));
            }
            told("node-%d".formatted(node), T0, containers.toArray(ContainerReport[]::new));
        }

        assertThat(traffic.talks(T0).stream().mapToDouble(Traffic.Talk::sent).sum())
                .isEqualTo(200_000);
    }
}
