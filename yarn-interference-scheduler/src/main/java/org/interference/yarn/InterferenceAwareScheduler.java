package org.interference.yarn;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSAssignment;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.OpenCapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSet;
import org.interference.yarn.app.SchedulerPlugin;
import org.interference.yarn.app.Surroundings;
import org.interference.yarn.capacity.yarn.NodeSizes;
import org.interference.yarn.place.yarn.InterferenceAppPlacementAllocator;
import org.interference.yarn.place.yarn.NodeOffers;
import org.interference.yarn.place.yarn.PlacementHost;
import org.interference.yarn.place.yarn.YarnPlacement;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.rest.Sources;

/**
 * The CapacityScheduler, with containers placed by predicted interference. The class that
 * {@code yarn.resourcemanager.scheduler.class} names.
 *
 * <p>It only tells the plugin what happens; every decision of queues, limits and commits stays the parent's. Whatever
 * fails, or is set wrongly, leaves it running as the parent.
 */
public class InterferenceAwareScheduler extends OpenCapacityScheduler implements PlacementHost, RestHost {
    private final SchedulerPlugin plugin = new SchedulerPlugin("CapacityScheduler");
    private final NodeOffers<FiCaSchedulerNode> offers = new NodeOffers<>(this::isOpen);
    /** Whether threads of its own visit nodes, and not the one that handles events. */
    private volatile boolean asynchronous;

    @Override
    public void serviceInit(Configuration conf) throws Exception {
        plugin.create(conf, rmContext, this::surroundings);
        super.serviceInit(conf);
    }

    /** Returns the time and the threads that the plugin is to use; asked once, at start. */
    protected Surroundings surroundings() {
        return Surroundings.ofThisMachine();
    }

    @Override
    public void serviceStart() throws Exception {
        plugin.start();
        super.serviceStart();
    }

    @Override
    public void serviceStop() throws Exception {
        super.serviceStop();
        plugin.stop();
    }

    /** {@code yarn rmadmin -refreshQueues}: also reads the plugin's settings of the place stage. */
    @Override
    public void reinitialize(Configuration conf, RMContext context, boolean validation) throws IOException {
        Runnable ours = validation ? () -> {} : plugin.read(conf, context);
        super.reinitialize(conf, context, validation);
        ours.run();
    }

    @Override
    protected Optional<CandidateNodeSet<FiCaSchedulerNode>> offer(
            FiCaSchedulerNode node, CandidateNodeSet<FiCaSchedulerNode> parents) {
        return plugin.placement()
                .map(placement -> offers.offer(node, parents, placement))
                .orElse(Optional.of(parents));
    }

    @Override
    protected void visiting() {
        plugin.placement().ifPresent(YarnPlacement::visiting);
    }

    @Override
    protected void visited(boolean allocated) {
        if (!asynchronous) {
            asynchronous = true;
        }
        plugin.placement().ifPresent(placement -> placement.visited(allocated));
    }

    @Override
    protected void unwanted(FiCaSchedulerNode node) {
        offers.unwanted(node);
    }

    @Override
    public ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> createResourceCommitRequest(
            CSAssignment assignment) {
        ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request =
                super.createResourceCommitRequest(assignment);
        plugin.placement().ifPresent(placement -> {
            placement.proposals().proposed(request, offers::proposed);
            if (request == null) {
                // It was chosen all the same.
                assignment
                        .getAssignmentInformation()
                        .getAllocationDetails()
                        .forEach(chosen -> offers.forget(chosen.rmContainer.getAllocatedNode()));
            }
        });
        return request;
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // As the parent declares it.
    public boolean tryCommit(Resource cluster, ResourceCommitRequest request, boolean updatePending) {
        boolean committed = false;
        try {
            committed = super.tryCommit(cluster, request, updatePending);
            return committed;
        } finally {
            conclude(request, committed);
        }
    }

    private void conclude(ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> request, boolean committed) {
        plugin.placement().ifPresent(placement -> placement.proposals().concluded(request, committed, offers::forget));
    }

    @Override
    public void recoverContainersOnNode(List<NMContainerStatus> reports, RMNode node) {
        super.recoverContainersOnNode(reports, node);
        plugin.recovered(this, reports);
    }

    @Override
    protected void completedContainerInternal(
            RMContainer container, ContainerStatus status, RMContainerEventType event) {
        // A reservation that ends was never a task.
        boolean ran = container.getState() != RMContainerState.RESERVED;
        super.completedContainerInternal(container, status, event);
        if (ran) {
            plugin.completed(container, status);
        }
    }

    @Override
    public void handle(SchedulerEvent event) {
        plugin.handle(event, !asynchronous, () -> super.handle(event));
        if (event instanceof NodeRemovedSchedulerEvent removed) {
            offers.forget(removed.getRemovedRMNode().getNodeID());
        }
    }

    @Override
    public Optional<YarnPlacement> placement() {
        return plugin.placement();
    }

    @Override
    public boolean keepsOffGrown(InterferenceAppPlacementAllocator<?> asks, SchedulerNode node, Resource container) {
        return sizes().map(sizes -> sizes.room().keepsOff(asks, node, container))
                .orElse(false);
    }

    @Override
    public boolean keepsToConfigured(
            InterferenceAppPlacementAllocator<?> asks, SchedulerNode node, Resource container) {
        return sizes().map(sizes -> sizes.room().keepsToConfigured(asks, node, container))
                .orElse(false);
    }

    @Override
    public boolean keepsFrom(ApplicationAttemptId application, SchedulerNode node) {
        return plugin.relocations()
                .map(relocations -> relocations.keeps(application, node.getNodeID()))
                .orElse(false);
    }

    /** Returns the sizes of the nodes; empty while the plugin is not running. */
    protected Optional<NodeSizes> sizes() {
        return plugin.sizes();
    }

    @Override
    public Optional<Sources> restSources() {
        return plugin.restSources();
    }
}
