package org.interference.yarn.place.yarn;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.thirdparty.com.google.common.collect.Iterators;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSet;
import org.interference.yarn.place.Gate;
import org.interference.yarn.place.Locality;
import org.interference.yarn.place.NodeCandidate;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.place.Request;

/** In which order YARN is to try several nodes for one request. Thread-safe; no method throws. */
final class NodeOrder {
    private final Placement placement;
    private final Gate gate;
    private final Requests requests;
    private final Fitting fitting;
    private final NodeNames names;
    private final Commits commits;
    private final ThreadStates threads;
    private final InstantSource clock;

    NodeOrder(
            Placement placement,
            Requests requests,
            Fitting fitting,
            NodeNames names,
            Commits commits,
            ThreadStates threads,
            InstantSource clock) {
        this.placement = placement;
        this.gate = placement.gate();
        this.requests = requests;
        this.fitting = fitting;
        this.names = names;
        this.commits = commits;
        this.threads = threads;
        this.clock = clock;
    }

    /** Returns the candidates in our order, or in {@code parents}, of which nothing is lost if ranking fails. */
    <N extends SchedulerNode> Iterator<N> of(
            InterferenceAppPlacementAllocator<N> asks, CandidateNodeSet<N> candidates, Iterator<N> parents) {
        if (gate.isOff()) {
            return parents;
        }
        if (candidates instanceof OfferedNode<N> offer) {
            return of(asks, offer, parents);
        }
        if (candidates.getAllNodes().size() == 1) {
            Ranking.Reason reason = gate.hasTime() ? Ranking.Reason.PARENT_SINGLE_NODE : Ranking.Reason.PARENT_NO_TIME;
            threads.current().set(asks, Commits.Origin.of(reason, asks));
            return parents;
        }
        // No more is taken of the parent's order than can be ranked; on the last of the rest YARN reserves, as it
        // would.
        Set<N> rest = new LinkedHashSet<>();
        List<N> best = best(asks, Iterators.transform(parents, node -> {
            rest.add(node);
            return node;
        }));
        best.forEach(rest::remove);
        return Iterators.concat(best.iterator(), rest.iterator(), parents);
    }

    private <N extends SchedulerNode> Iterator<N> of(
            InterferenceAppPlacementAllocator<N> asks, OfferedNode<N> offer, Iterator<N> parents) {
        List<N> best = best(asks, offer.choices().iterator());
        // If nothing fits, YARN reserves on the node that it offered.
        Iterator<N> order = best.isEmpty()
                ? parents
                : Iterators.concat(
                        best.iterator(), best.contains(offer.node()) ? Collections.emptyIterator() : parents);
        SchedulerApplicationAttempt application = prefersPlaces(asks) ? requests.scheduled(asks.attempt()) : null;
        return application == null
                ? order
                : new Opportunities<>(Iterators.transform(order, offer::visit), asks, application, asks.key());
    }

    private static boolean prefersPlaces(AppPlacementAllocator<?> asks) {
        return asks.getUniqueLocationAsks() > 1;
    }

    /**
     * Takes nodes until as many fit as are ranked.
     *
     * @return those that fit, the best first; empty if the parent's order is to stay
     */
    private <N extends SchedulerNode> List<N> best(InterferenceAppPlacementAllocator<N> asks, Iterator<N> nodes) {
        // After a decline the parent has gone on until here, and what follows is timed by itself.
        ThreadState thread = threads.current();
        gate.idle(thread.decides());
        thread.wentOnSince().ifPresent(gate::caused);
        return gate.timed(() -> gate.decide(() -> ranked(asks, nodes), List.of()));
    }

    private <N extends SchedulerNode> List<N> ranked(InterferenceAppPlacementAllocator<N> asks, Iterator<N> nodes) {
        long began = gate.begin();
        ThreadState thread = threads.current();
        thread.forget();
        Optional<Request> request = requests.of(asks);
        if (request.isEmpty()) {
            return List.of();
        }
        commits.accountForSome();
        Map<String, N> byName = new HashMap<>();
        Instant now = clock.instant();
        Ranking ranking =
                placement.ranking().rank(request.get(), now, () -> candidates(asks, nodes, byName, now, began));
        thread.set(asks, Commits.Origin.of(ranking));
        return ranking.reorders()
                ? ranking.verdicts().stream()
                        .map(verdict -> byName.get(verdict.node()))
                        .toList()
                : List.of();
    }

    private <N extends SchedulerNode> List<NodeCandidate> candidates(
            AppPlacementAllocator<N> asks, Iterator<N> nodes, Map<String, N> byName, Instant now, long began) {
        Resource ask = asks.getPendingAsk(ResourceRequest.ANY).getPerAllocationResource();
        boolean prefersPlaces = prefersPlaces(asks);
        int most = placement.ranking().maxCandidates();
        List<NodeCandidate> candidates = new ArrayList<>();
        // Of a full cluster hardly a node fits, and multi-node placement offers all of them.
        while (candidates.size() < most && !gate.isHalfOver(began) && nodes.hasNext()) {
            N node = nodes.next();
            if (node.getReservedContainer() == null && fitting.fits(ask, node)) {
                String id = names.of(node.getNodeID());
                byName.put(id, node);
                candidates.add(new NodeCandidate(
                        id,
                        true,
                        prefersPlaces ? locality(asks, node) : Locality.NO_PREFERENCE,
                        placement.accounts().load(id, now),
                        () -> placement.accounts().company(id, () -> containers(node), now),
                        placement.accounts().measuredAt(id)));
            }
        }
        return candidates;
    }

    private static Collection<String> containers(SchedulerNode node) {
        List<String> ids = new ArrayList<>();
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            ids.add(container.getContainerId().toString());
        }
        return ids;
    }

    private static Locality locality(AppPlacementAllocator<?> asks, SchedulerNode node) {
        if (asks.getOutstandingAsksCount(node.getNodeName()) > 0) {
            return Locality.NODE_LOCAL;
        }
        return asks.getOutstandingAsksCount(node.getRackName()) > 0 ? Locality.RACK_LOCAL : Locality.OFF_SWITCH;
    }
}
