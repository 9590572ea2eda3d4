package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import javax.ws.rs.core.Response;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.InterferenceVector;

/**
 * What services are planned with, elsewhere: what is free of each node beside what runs there and stays, and what was learnt of the kinds of
 * task that tiers name.
 */
final class PlanInputAnswers {
    /** Which counts: keys of different levels have the same text if they were brought in so, and a tag is whatever its user likes. */
    private static final BinaryOperator<TaskProfile> COARSER =
            BinaryOperator.maxBy(Comparator.comparing(profile -> profile.key().level()));

    private final Sources sources;
    private final Viewer viewer;

    PlanInputAnswers(Sources sources, Viewer viewer) {
        this.sources = sources;
        this.viewer = viewer;
    }

    /**
     * What is asked for.
     *
     * @param profiles the keys that tiers name, as the viewer sees them or as tasks of {@code application} are filed
     * @param application whose containers are moved, where they are filed under one of {@code profiles}; empty for a service that does not
     *     run yet
     * @param contains what is in the names of the nodes
     */
    record Wanted(Set<String> profiles, Optional<String> application, String contains) {}

    /** @throws RequestException if the viewer may not view the application */
    ObjectNode inputs(Wanted wanted) {
        wanted.application().filter(of -> !viewer.mayView(of)).ifPresent(of -> {
            throw new RequestException(
                    Response.Status.FORBIDDEN, "%s is not an application that you may view".formatted(of));
        });
        Instant now = sources.clock().instant();
        ObjectNode answer = Json.object();
        ArrayNode nodes = answer.putArray("nodes");
        ArrayNode containers = Json.array();
        for (Sources.Room room : sources.cluster().rooms().get()) {
            if (room.node().contains(wanted.contains())) {
                Map<String, InterferenceVector> running = sources.ingest()
                        .fresh(room.node(), now)
                        .map(NodeSample::running)
                        .orElse(Map.of());
                describe(nodes.addObject(), room, staying(running, room.node(), wanted, containers));
            }
        }
        ArrayNode profiles = answer.putArray("profiles");
        profiles(wanted).forEach((key, profile) -> {
            ObjectNode json = profiles.addObject().put("key", key);
            levels(json, profile.load());
        });
        if (wanted.application().isPresent()) {
            answer.set("containers", containers);
        }
        return answer;
    }

    private static void describe(ObjectNode json, Sources.Room room, Collection<InterferenceVector> staying) {
        json.put("node", room.node());
        ObjectNode free = json.putObject("free").put("memory-mb", room.freeMemoryMb());
        room.freeVcores().ifPresent(vcores -> free.put("vcores", vcores));
        levels(json, InterferenceVector.sum(staying));
    }

    /** In full, as a plan is computed from them. */
    private static void levels(ObjectNode json, InterferenceVector load) {
        ObjectNode levels = json.putObject("levels");
        load.levels().forEach((signal, level) -> levels.put(signal.wireName(), level));
    }

    /** Returns the loads of what stays on a node, and adds the application's containers there, moved or not, to {@code containers}. */
    private Collection<InterferenceVector> staying(
            Map<String, InterferenceVector> running, String node, Wanted wanted, ArrayNode containers) {
        Map<String, InterferenceVector> staying = new LinkedHashMap<>(running);
        for (String container : of(wanted.application(), running.keySet())) {
            Set<String> keys = keys(container);
            ObjectNode json = containers.addObject().put("container", container).put("node", node);
            ArrayNode filed = json.putArray("profiles");
            keys.forEach(filed::add);
            if (keys.stream().anyMatch(wanted.profiles()::contains)) {
                staying.remove(container);
            }
        }
        return staying.values();
    }

    /** Returns, in order, those of {@code containers} that are the application's. */
    private static Set<String> of(Optional<String> application, Collection<String> containers) {
        return application.isEmpty()
                ? Set.of()
                : containers.stream()
                        .filter(container ->
                                ContainerAnswers.applicationOf(container).equals(application.get()))
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns under what a profile of this container's task may be filed, the most specific first. */
    private Set<String> keys(String container) {
        return sources.cluster().tasks().apply(container).stream()
                .flatMap(task -> task.identity().keys().stream())
                .map(TaskKey::text)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns what was learnt by the keys that are asked for, in their order; there may be nothing of some. */
    private SortedMap<String, TaskProfile> profiles(Wanted wanted) {
        SortedMap<String, TaskProfile> known = new TreeMap<>();
        if (wanted.profiles().isEmpty()) {
            return known;
        }
        Set<String> own = ownKeys(wanted.application());
        for (TaskProfile profile : sources.learnt().profiles().all()) {
            String text = profile.key().text();
            String key = own.contains(text) ? text : viewer.key(text);
            if (wanted.profiles().contains(key)) {
                known.merge(key, profile, COARSER);
            }
        }
        return known;
    }

    /** Returns under what the tasks of an application are filed that runs, and that its viewer may view: those keys they may name. */
    private Set<String> ownKeys(Optional<String> application) {
        if (application.isEmpty() || viewer.mayViewAll()) {
            return Set.of();
        }
        List<String> running = sources.ingest().all().stream()
                .flatMap(sample -> sample.running().keySet().stream())
                .toList();
        return of(application, running).stream()
                .flatMap(container -> keys(container).stream())
                .collect(Collectors.toSet());
    }
}
