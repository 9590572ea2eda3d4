package org.interference.yarn.rest;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.learn.Attribution;
import org.interference.yarn.learn.FinishedTasks;
import org.interference.yarn.learn.OnlineAdaptiveModule;
import org.interference.yarn.learn.cluster.Characterisation;
import org.interference.yarn.place.Placement;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskIdentity;

/**
 * Everything that the REST answers are made of.
 *
 * @param attribution who hurts whom
 * @param characterisation empty before there are profiles that differ
 * @param clusterNodes the nodes that the ResourceManager knows, with or without the plugin
 * @param tasks who runs in a container, by container id; empty if the ResourceManager does not know it
 * @param rooms what is free of each node that takes containers, by the node's name
 */
public record Sources(
        Ingest ingest,
        ProfileRepository profiles,
        Placement placement,
        FinishedTasks finished,
        Attribution attribution,
        Supplier<OnlineAdaptiveModule.Report> model,
        Supplier<Optional<Characterisation>> characterisation,
        Supplier<Store> store,
        Supplier<SortedSet<String>> clusterNodes,
        Function<String, Optional<Task>> tasks,
        InstantSource clock,
        Control control,
        Supplier<List<Room>> rooms) {

    /** The profile store: where it is, and what is wrong with it, if anything is. */
    public record Store(String file, Optional<String> problem) {}

    /** What is free of a node; no vcores where the scheduler does not count them. */
    public record Room(String node, long freeMemoryMb, OptionalInt freeVcores) {}

    /** Who runs in a container. */
    public record Task(String application, TaskIdentity identity, boolean applicationMaster) {}
}
