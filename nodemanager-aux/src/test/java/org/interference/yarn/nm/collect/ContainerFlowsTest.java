package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.signal.Endpoint;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.wire.intpd.IntpdAnswer;
import org.interference.yarn.wire.intpd.IntpdPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerFlowsTest {
    private static final Endpoint HERE = Endpoint.ofIpv4(0x0a000001, 7117);

    private static Flow flow(int port, long sent, long received) {
        return new Flow(HERE, Endpoint.ofIpv4(0x0a000002, port), sent, received);
    }

    private static ContainerFlows after(Flow... counted) {
        return ContainerFlows.NONE.next(Optional.of(List.of(counted)), 1);
    }

    private static Optional<List<Flow>> now(Flow... counted) {
        return Optional.of(List.of(counted));
    }

    @Test
    void whatIsExchangedIsToldBySecondAndTheMostFirst() {
        assertThat(after(flow(1, 100, 0), flow(2, 50, 7))
                        .next(now(flow(1, 110, 0), flow(2, 90, 27)), 2)
                        .rates())
                .containsExactly(flow(2, 20, 10), flow(1, 5, 0));
    }

    @Test
    void newConnectionCountsFromItsBeginning() {
        assertThat(after().next(now(flow(1, 8, 2)), 2).rates()).containsExactly(flow(1, 4, 1));
    }

    /** It may have been counted for hours. */
    @Test
    void firstSampleHasNoRate() {
        assertThat(after(flow(1, 1_000_000, 0)).rates()).isEmpty();
    }

    @Test
    void whatIsNotCountedForAWhileHasNoRateAcrossIt() {
        ContainerFlows gap = after(flow(1, 10, 0)).next(Optional.empty(), 1);

        assertThat(gap.rates()).isEmpty();
        assertThat(gap.next(now(flow(1, 1_000_000, 0)), 1).rates()).isEmpty();
    }

    @Test
    void connectionThatWasIdleBeginsAnew() {
        assertThat(after(flow(1, 1000, 1000)).next(now(flow(1, 30, 1)), 1).rates())
                .containsExactly(flow(1, 30, 1));
    }

    @Test
    void whatMovedNothingIsNotTold() {
        assertThat(after(flow(1, 10, 10)).next(now(flow(1, 10, 10)), 1).rates()).isEmpty();
    }

    @Test
    void whoWasNotAmongThoseToldBeforeIsToldFromTheNextWindowOn() {
        List<Flow> sixteen = new ArrayList<>();
        for (int i = 0; i < CounterSource.MOST_FLOWS; i++) {
            sixteen.add(flow(i, 100, 0));
        }
        List<Flow> next = new ArrayList<>(sixteen);
        next.set(0, flow(99, 1000, 0));

        assertThat(ContainerFlows.NONE
                        .next(Optional.of(sixteen), 1)
                        .next(Optional.of(next), 1)
                        .rates())
                .isEmpty();
    }

    @Test
    void noTimeChangesNothing() {
        ContainerFlows before = after(flow(1, 10, 0)).next(now(flow(1, 20, 0)), 1);

        assertThat(before.next(now(flow(1, 500, 0)), 0)).isEqualTo(before);
    }

    private static List<Flow> read(String local, String remote) {
        IntpdPeer peer = new IntpdPeer(local, 1, remote, 2, 3.7, 4);
        return IntpdFlows.of(new IntpdAnswer.Snapshot(1, Map.of(), Map.of(), Map.of("c", List.of(peer))))
                .get("c");
    }

    @Test
    void addressesOfBothFamiliesAreRead() {
        assertThat(read("10.0.0.1", "2001:db8::2a"))
                .containsExactly(
                        new Flow(Endpoint.ofIpv4(0x0a000001, 1), new Endpoint(0x20010db800000000L, 0x2a, 2), 3, 4));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", "cafe", "1.2", "256.0.0.1", "1:2", "::g", "::1 ", "::1%eth0"})
    void whatIsNoAddressIsLeftOutAndNeverLookedUp(String text) {
        assertThat(read("10.0.0.1", text)).isEmpty();
        assertThat(read(text, "10.0.0.1")).isEmpty();
    }
}
