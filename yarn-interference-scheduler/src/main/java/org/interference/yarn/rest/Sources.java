package org.interference.yarn.rest;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.interference.yarn.advice.Amount;
import org.interference.yarn.capacity.CapacityReport;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.learn.Attribution;
import org.interference.yarn.learn.FinishedTasks;
import org.interference.yarn.learn.OnlineAdaptiveModule;
import org.interference.yarn.learn.Traffic;
import org.interference.yarn.learn.cluster.Characterisation;
import org.interference.yarn.place.Placement;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.relocate.RelocationReport;

/**
 * Everything that the REST answers are made of.
 *
 * @param ingest what nodes have reported
 * @param placement what is decided, and why
 * @param capacity how large nodes are, and should be
 * @param relocation which containers should leave their nodes
 */
public record Sources(
        Ingest ingest,
        Cluster cluster,
        Learnt learnt,
        Placement placement,
        Control control,
        Supplier<CapacityReport> capacity,
        Supplier<RelocationReport> relocation,
        InstantSource clock) {

    /**
     * The cluster as the ResourceManager knows it, with or without the plugin.
     *
     * @param nodes their names
     * @param rooms what is free of each node that takes containers, by the node's name
     * @param tasks who runs in a container, by container id; empty if the ResourceManager does not know it
     */
    public record Cluster(
            Supplier<SortedSet<String>> nodes,
            Supplier<List<Room>> rooms,
            Function<String, Optional<Task>> tasks,
            Scheduling scheduling) {}

    /** What the scheduler can be asked for. */
    public interface Scheduling {
        /** Returns how large containers can be. */
        ContainerSizes sizes();

        /** Returns whether there is a queue, by the name that an application's has. */
        boolean hasQueue(String queue);

        /** Returns what runs and waits on the nodes that run. */
        Demand demand();
    }

    /**
     * What nodes have and what is asked of them.
     *
     * @param all of the nodes; no vcores anywhere where the scheduler does not count them
     * @param waiting in the order in which their applications came
     */
    public record Demand(int nodes, Amount all, Amount free, List<Waiting> waiting, List<Running> running) {}

    /** Containers that an application waits for. */
    public record Waiting(TaskIdentity task, Amount each, int count) {}

    /**
     * A container that runs.
     *
     * @param since how long it is there
     */
    public record Running(String container, TaskIdentity task, Amount size, Duration since) {}

    /** The memory of the smallest container, of which others have a multiple, and that of the largest. */
    public record ContainerSizes(long smallestMb, long largestMb) {}

    /**
     * What was learnt of tasks and of what they do to each other.
     *
     * @param attribution who hurts whom
     * @param traffic who talks to whom
     * @param characterisation empty before there are profiles that differ
     */
    public record Learnt(
            ProfileRepository profiles,
            FinishedTasks finished,
            Attribution attribution,
            Traffic traffic,
            Supplier<OnlineAdaptiveModule.Report> model,
            Supplier<Optional<Characterisation>> characterisation,
            Supplier<Store> store) {}

    /** The profile store: where it is, and what is wrong with it, if anything is. */
    public record Store(String file, Optional<String> problem) {}

    /** What is free of a node; no vcores where the scheduler does not count them. */
    public record Room(String node, long freeMemoryMb, OptionalInt freeVcores) {}

    /** Who runs in a container. */
    public record Task(String application, TaskIdentity identity, boolean applicationMaster) {}
}
