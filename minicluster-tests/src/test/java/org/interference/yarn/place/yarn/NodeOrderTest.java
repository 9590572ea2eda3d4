package org.interference.yarn.place.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.server.resourcemanager.MockNodes;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSet;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.SimpleCandidateNodeSet;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.interference.yarn.predict.ComposedPredictor;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.SharedTags;
import org.junit.jupiter.api.Test;

/** In a module whose tests have YARN's nodes. */
class NodeOrderTest {
    private static final Duration GOING_ON = Duration.ofMillis(1);

    private final AtomicLong tick = new AtomicLong();
    private final ThreadStates threads = new ThreadStates();
    private final Placement placement = new Placement(
            new Ingest(IngestSettings.from((key, fallback) -> fallback), Duration.ofSeconds(1), sample -> {}),
            new ProfileRepository(1),
            new ComposedPredictor(),
            PlaceSettings.from(Map.of("yarn.interference.place.mode", "on")::getOrDefault),
            container -> Optional.empty(),
            tick::get);
    private final NodeNames names = new NodeNames();
    private final Requests requests = new Requests(null, new YarnTasks(SharedTags.NONE));
    private final NodeOrder order = new NodeOrder(
            placement,
            requests,
            new Fitting(null),
            names,
            new Commits(placement, requests, names::of, Runnable::run),
            threads,
            InstantSource.fixed(Instant.EPOCH));

    /** The ranking is timed by itself: what is charged after it would have it in it once more. */
    @Test
    void whatTheParentWentOnForIsChargedBeforeTheNextRanking() {
        for (int i = 0; i < 12; i++) {
            threads.current().goesOn(placement.gate().begin());
            tick.addAndGet(GOING_ON.toNanos());
            // Nobody's request: it is timed like any other.
            order.of(new InterferenceAppPlacementAllocator<>(), nodes(), Collections.emptyIterator());

            assertThat(threads.current().wentOnSince()).isEmpty();
        }
        assertThat(placement.gate().hasTime())
                .as("12 ms of the 10 that are saved")
                .isFalse();
    }

    private static CandidateNodeSet<FiCaSchedulerNode> nodes() {
        FiCaSchedulerNode a = node(1);
        FiCaSchedulerNode b = node(2);
        return new SimpleCandidateNodeSet<>(Map.of(a.getNodeID(), a, b.getNodeID(), b), "");
    }

    private static FiCaSchedulerNode node(int host) {
        return new FiCaSchedulerNode(
                MockNodes.newNodeInfo(0, Resources.createResource(8192), host, "127.0.0." + host), false);
    }
}
