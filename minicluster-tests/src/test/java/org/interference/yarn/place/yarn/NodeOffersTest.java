package org.interference.yarn.place.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.MockNodes;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.SimpleCandidateNodeSet;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.interference.yarn.predict.ComposedPredictor;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.SharedTags;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.junit.jupiter.api.Test;

/** In a module whose tests have YARN's nodes. */
class NodeOffersTest {
    private final FiCaSchedulerNode a = node(1);
    private final FiCaSchedulerNode b = node(2);
    private final FiCaSchedulerNode c = node(3);
    private final YarnPlacement placement = placement();
    private final Set<NodeId> closed = new HashSet<>();
    private final NodeOffers<FiCaSchedulerNode> offers =
            new NodeOffers<>((node, promised) -> !closed.contains(node.getNodeID()));

    @Test
    void offersWhatWasVisitedLately() {
        assertThat(offered(a)).containsExactly(a);
        assertThat(offered(b)).containsExactly(b, a);
    }

    @Test
    void whatIsNoLongerOpenIsNotOffered() {
        offered(a);
        closed.add(a.getNodeID());

        assertThat(offered(b)).containsExactly(b);
    }

    @Test
    void theParentDecidesAboutAVisitedNodeThatIsNotOpen() {
        offered(a);
        closed.add(b.getNodeID());
        SimpleCandidateNodeSet<FiCaSchedulerNode> parents = new SimpleCandidateNodeSet<>(b);

        assertThat(offers.offer(b, parents, placement)).containsSame(parents);
        assertThat(offers.holds(b)).isFalse();
    }

    @Test
    void whatMovedToAnotherPartitionIsNotOfferedInItsOldOne() {
        offered(a);
        a.updateLabels(Set.of("gpu"));

        assertThat(offered(b)).containsExactly(b);
    }

    /** Its partition may never be visited again. */
    @Test
    void nothingIsLeftOfANodeThatIsForgotten() {
        b.updateLabels(Set.of("gpu"));
        offered(a);
        offered(b);
        offers.proposed(b, Resources.createResource(1024));

        offers.forget(b.getNodeID());

        assertThat(offers.holds(b)).isFalse();
        assertThat(offers.holds(a)).isTrue();
    }

    /** As when a commit thread hears of a refusal. */
    @Test
    void whatOneThreadForgetsIsNotOfferedByAnother() throws InterruptedException {
        offered(a);
        offered(b);

        Thread committing = new Thread(() -> offers.forget(a.getNodeID()));
        committing.start();
        committing.join();

        assertThat(offered(c)).containsExactly(c, b);
        assertThat(offered(a)).as("visited again").containsExactly(a, c, b);
    }

    private List<FiCaSchedulerNode> offered(FiCaSchedulerNode node) {
        OfferedNode<FiCaSchedulerNode> offer =
                (OfferedNode<FiCaSchedulerNode>) offers.offer(node, new SimpleCandidateNodeSet<>(node), placement)
                        .orElseThrow();
        return offer.choices();
    }

    private static FiCaSchedulerNode node(int host) {
        return new FiCaSchedulerNode(
                MockNodes.newNodeInfo(0, Resources.createResource(8192), host, "127.0.0." + host), false);
    }

    private static YarnPlacement placement() {
        ProfileRepository profiles = new ProfileRepository(1);
        profiles.merge(List.of(new TaskProfile(
                new TaskKey(TaskKey.Level.TAG, "any/task"), 10, Map.of(), Averages.constant(10, 60), Instant.EPOCH)));
        Ingest ingest =
                new Ingest(IngestSettings.from((key, fallback) -> fallback), Duration.ofSeconds(1), sample -> {});
        Placement pure = new Placement(
                ingest, profiles, new ComposedPredictor(), PlaceSettings.from((key, fallback) -> fallback));
        return new YarnPlacement(
                pure, null, new YarnTasks(SharedTags.NONE), InstantSource.fixed(Instant.EPOCH), Runnable::run);
    }
}
