package org.interference.yarn.learn;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.interference.yarn.fixture.Reports;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.ingest.Whereabouts;
import org.interference.yarn.signal.Endpoint;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.signal.NodeReport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A node tells while somebody asks, and while it is being forgotten. */
final class TrafficInterleavings {
    private static final String NODE = "node-a:8041";
    private static final Flow FLOW =
            new Flow(Endpoint.ofIpv4(0x0a000001, 7117), Endpoint.ofIpv4(0x08080808, 443), 1, 0);
    private static final NodeReport REPORT =
            Reports.node(1, Reports.running("c", Vectors.cpu(0.5)).withFlows(List.of(FLOW)));
    private static final NodeSample SAMPLE = NodeSample.of(
            NODE, REPORT.withoutFlows(), Reports.T0, Optional.empty(), Duration.ofMinutes(1), Whereabouts.AS_REPORTED);

    private TrafficInterleavings() {}

    /** Results: how many talks who asked meanwhile saw; how many there are at last. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "asked before it told, or while it was told anew")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "asked after it told")
    @State
    public static class AskedWhileTold {
        private final Traffic traffic = new Traffic(container -> Optional.empty());

        @Actor
        public void tell() {
            traffic.take(SAMPLE, REPORT);
            traffic.take(SAMPLE, REPORT);
        }

        @Actor
        public void ask(JJ_Result result) {
            result.r1 = traffic.talks(Reports.T0).size();
        }

        @Arbiter
        public void after(JJ_Result result) {
            result.r2 = traffic.talks(Reports.T0).size();
        }
    }

    /** Results: how many talks there are; how many nodes tell. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "told, and forgotten")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "forgotten, and told")
    @State
    public static class ForgottenWhileTold {
        private final Traffic traffic = new Traffic(container -> Optional.empty());

        @Actor
        public void tell() {
            traffic.take(SAMPLE, REPORT);
        }

        @Actor
        public void sweep() {
            traffic.sweep(Set.of(), Reports.T0);
        }

        @Arbiter
        public void after(JJ_Result result) {
            result.r1 = traffic.talks(Reports.T0).size();
            result.r2 = traffic.nodes(Reports.T0);
        }
    }
}
