package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.interference.yarn.nm.collect.ListedContainer;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.collect.Sampled;
import org.interference.yarn.nm.collect.WatchedContainer;
import org.interference.yarn.nm.control.Change;
import org.interference.yarn.nm.control.ContainerObservation;
import org.interference.yarn.nm.control.ControlPlan;
import org.interference.yarn.nm.control.Controller;
import org.interference.yarn.nm.control.DiskUse;
import org.interference.yarn.nm.control.Usage;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.ControlStatus;

/**
 * One node's controller with its hands: it takes the newest report, plans, and makes the changes. A change that fails is told to
 * {@link Events}, taken back, and its container left alone; nothing is thrown. Ticks and {@link #close} come from one thread; the
 * others may be called from any.
 */
public final class NodeController implements AutoCloseable {
    /** YARN numbers an attempt's first container so; with few exceptions it is the application master. */
    private static final String MASTERS_NUMBER = "_000001";

    /** A sample fails now and then; without any, nobody is confined. */
    private static final int MOST_MISSES = 3;

    private final Controller controller;
    private final Optional<ContainerGroups> groups;
    private final Supplier<Optional<Sampled>> newest;
    private final Supplier<? extends Collection<ListedContainer>> containers;
    private final ProcFiles files;
    private final List<String> disks;
    private final Topology topology;
    private final InstantSource clock;
    private final Events events;
    private volatile Map<String, ControlStatus> statuses = Map.of();
    private volatile long stepsBack;
    private volatile List<String> notUndone = List.of();
    private int misses;
    /** What was changed for these could not be taken back yet. */
    private final Set<String> owed = new HashSet<>();
    /** The first process of each container, at the last tick. */
    private Map<String, Long> pids = Map.of();

    /** Told on the thread that ticks; must not throw. */
    public interface Events {
        /** Something was planned: it has been done, or in a dry run it would have been. */
        void changed(Change change);

        /** An operator should read this. */
        void remarked(String remark);

        /** Something was not done, and what happens instead. */
        void failed(String what, Throwable cause);
    }

    /**
     * @param groups empty in a dry run
     * @param newest the newest sample
     * @param containers asked at every tick for the containers that are not over
     * @param disks the devices that containers write to, as {@code MAJOR:MINOR}
     */
    public NodeController(
            Controller controller,
            Optional<ContainerGroups> groups,
            Supplier<Optional<Sampled>> newest,
            Supplier<? extends Collection<ListedContainer>> containers,
            ProcFiles files,
            List<String> disks,
            InstantSource clock,
            Events events) {
        this.controller = controller;
        this.groups = groups;
        this.newest = newest;
        this.containers = containers;
        this.files = files;
        this.disks = List.copyOf(disks);
        this.topology = new Topology(files);
        this.clock = clock;
        this.events = events;
    }

    /** Looks, decides and acts once. */
    public void tick() {
        try {
            Optional<Sampled> sampled = newest.get();
            misses = sampled.isPresent() ? 0 : misses + 1;
            if (misses > 0 && misses <= MOST_MISSES) {
                return;
            }
            controller.cores(topology.cores());
            Map<String, WatchedContainer> watched = watched(containers.get());
            withoutThoseBegunAnew(watched);
            List<ContainerObservation> observations = observations(sampled, watched);
            forgetOthers(observations.stream()
                    .map(ContainerObservation::container)
                    .collect(Collectors.toCollection(HashSet::new)));
            ControlPlan plan = controller.tick(clock.instant(), observations, diskUse());
            plan.changes().forEach(change -> make(change, watched.get(change.container())));
            plan.remarks().forEach(events::remarked);
            statuses = controller.statuses();
            stepsBack = controller.stepsBack();
        } catch (Throwable e) {
            // An error, too: nobody else hears of it, and containers would stay as they are confined.
            events.failed("This tick of the node's controller did nothing", e);
        }
    }

    private static Map<String, WatchedContainer> watched(Collection<ListedContainer> listed) {
        Map<String, WatchedContainer> watched = new TreeMap<>();
        for (ListedContainer container : listed) {
            container
                    .rootPid()
                    .ifPresent(pid -> watched.put(container.id(), new WatchedContainer(container.id(), pid)));
        }
        return watched;
    }

    /** One that was launched again is nowhere where its first process was put: for this tick it is not there, so that it is begun anew, too. */
    private void withoutThoseBegunAnew(Map<String, WatchedContainer> watched) {
        Map<String, Long> now = new HashMap<>();
        watched.forEach((id, container) -> now.put(id, container.rootPid()));
        watched.keySet().removeIf(id -> pids.containsKey(id) && !pids.get(id).equals(now.get(id)));
        pids = now;
    }

    private void forgetOthers(Set<String> running) {
        if (groups.isPresent()) {
            running.removeAll(owed);
            try {
                groups.get().retain(running);
                owed.clear();
            } catch (IOException e) {
                events.failed(
                        "What was changed for a container that is no longer controlled stays until the next try", e);
            }
            notUndone = groups.get().leftovers().stream().map(Path::toString).toList();
        }
    }

    private List<ContainerObservation> observations(Optional<Sampled> newest, Map<String, WatchedContainer> watched) {
        List<ContainerObservation> observations = new ArrayList<>();
        for (ContainerReport report :
                newest.map(sampled -> sampled.report().containers()).orElse(List.of())) {
            String id = report.container();
            if (!report.ended() && watched.containsKey(id)) {
                Usage total = Usage.of(report, newest.orElseThrow().cpuSeconds(id));
                observations.add(new ContainerObservation(id, id.endsWith(MASTERS_NUMBER), report.launch(), total));
            }
        }
        return observations;
    }

    private Optional<DiskUse> diskUse() throws IOException {
        return Disks.use(files.diskStats(), disks, files.turning(disks));
    }

    private void make(Change change, WatchedContainer container) {
        try {
            if (groups.isPresent()) {
                groups.get().apply(change, container.rootPid());
            }
            events.changed(change);
        } catch (IOException | RuntimeException e) {
            controller.giveUp(change.container(), String.valueOf(e.getMessage()));
            events.failed("A container is left alone by the node's controller", e);
            takeBack(change.container());
        }
    }

    private void takeBack(String container) {
        try {
            groups.orElseThrow().release(container);
        } catch (IOException | RuntimeException e) {
            owed.add(container);
            controller.giveUp(container, "cannot be given back what was taken: " + e.getMessage());
            events.failed("What was changed for a container stays until the next try", e);
        }
    }

    /** Returns what the controller makes of each container. */
    public Map<String, ControlStatus> statuses() {
        return statuses;
    }

    /** Returns the files and groups that an earlier controller changed and that could not be undone yet. */
    public List<String> notUndone() {
        return notUndone;
    }

    /** Whether something that was changed is on trial, which the next tick may take back; asked on the thread that ticks. */
    public boolean isTrying() {
        return controller.isTrying();
    }

    /** Returns how often the controller took a policy back. */
    public long stepsBack() {
        return stepsBack;
    }

    /** Undoes everything that was changed. */
    @Override
    public void close() {
        statuses = Map.of();
        if (groups.isPresent()) {
            try {
                groups.get().close();
            } catch (IOException e) {
                events.failed("Something that the node's controller changed stays; the next start undoes it", e);
            }
        }
    }
}
