package org.interference.yarn.rest;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.ws.rs.core.Response;
import org.interference.yarn.degradation.DegradationTable;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.plan.Annealing;
import org.interference.yarn.plan.Answer;
import org.interference.yarn.plan.Budget;
import org.interference.yarn.plan.Degradation;
import org.interference.yarn.plan.ExactSearch;
import org.interference.yarn.plan.HillClimb;
import org.interference.yarn.plan.Interference;
import org.interference.yarn.plan.Machine;
import org.interference.yarn.plan.Plan;
import org.interference.yarn.plan.PlanException;
import org.interference.yarn.plan.Planner;
import org.interference.yarn.plan.RoundRobin;
import org.interference.yarn.plan.Solver;
import org.interference.yarn.plan.TableInterference;
import org.interference.yarn.plan.Tier;
import org.interference.yarn.plan.file.PlanJson;
import org.interference.yarn.plan.file.ServiceTier;
import org.interference.yarn.plan.file.Services;
import org.interference.yarn.plan.file.ServicesFile;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * Plans for services, on this cluster as it is if the file names no machines: what is free of each node that is measured, beside what runs
 * there, which stays.
 */
final class PlanAnswers {
    private static final int MOST_MACHINES = 1000;
    private static final int MOST_TIERS = 2000;
    /** Of all tiers. With the numbers of tiers and of amounts it bounds what a problem takes of the heap, however small its file is. */
    private static final int MOST_INSTANCES = 5000;

    private static final int MOST_AMOUNTS = 16;
    /** The whole plan, the one for interference alone, and the one for affinity alone. */
    private static final int SEARCHES = 3;
    /** As wrong as the predictor may have been lately: what delay-max-error is unless it is set. */
    private static final double CALIBRATED = 0.15;

    private static final Map<String, Solver> SOLVERS =
            List.of(new RoundRobin(), new HillClimb(), new Annealing(), new ExactSearch()).stream()
                    .collect(Collectors.toMap(Solver::name, solver -> solver));

    private final Sources sources;
    private final Viewer viewer;

    PlanAnswers(Sources sources, Viewer viewer) {
        this.sources = sources;
        this.viewer = viewer;
    }

    /** Returns the names of the solvers in order. */
    static List<String> solvers() {
        return SOLVERS.keySet().stream().sorted().toList();
    }

    /** Where interference comes from. */
    enum Source {
        /** Published factors by class. */
        TABLE,
        /** The predictor, which must have been right lately. */
        LEARNED
    }

    /**
     * How to plan.
     *
     * @param contains what is in the names of the nodes that are planned with
     * @param application whose containers are moved: where they are now is compared, and what they take is free; empty for a service that
     *     does not run yet
     */
    record Options(
            String solver, Duration time, long seed, Source source, String contains, Optional<String> application) {}

    /**
     * Returns the plan as JSON.
     *
     * @throws RequestException if there is none, in one sentence
     */
    String plan(String file, Options options) {
        Solver solver = SOLVERS.get(options.solver());
        if (solver == null) {
            throw RequestException.bad(
                    "solver is '%s' but must be one of %s".formatted(options.solver(), String.join(", ", solvers())));
        }
        try {
            Case planned = of(ServicesFile.read(file), options);
            Budget each =
                    Budget.time(sources.planning().ticker(), options.time().dividedBy(SEARCHES));
            Answer answer = Planner.answer(
                    planned.services().problem(planned.interference()), solver, each, options.seed(), planned.today());
            return PlanJson.write(planned.services().name(), Json.lowerCase(options.source()), answer);
        } catch (PlanException e) {
            throw RequestException.bad(e.getMessage());
        }
    }

    /** What is to be solved. */
    private record Case(Services services, Interference interference, Optional<Plan> today) {}

    private Case of(Services file, Options options) {
        refuseTooMuch(file);
        Map<String, TaskProfile> profiles = profiles(file, options.application());
        Services services = new Services(
                file.name(),
                file.machines(),
                file.tiers().stream().map(tier -> learned(tier, profiles)).toList());
        Map<String, InterferenceVector> loads = new HashMap<>();
        Map<String, SlowdownPredictor> predictors = new HashMap<>();
        SlowdownPredictor predictor = sources.planning().predictor();
        profiles.forEach((tier, profile) -> {
            loads.put(tier, profile.load());
            predictors.put(tier, predictor.of(profile.key().text()));
        });
        Optional<Plan> today = Optional.empty();
        if (file.machines().isEmpty()) {
            Live live = new Live(services, options);
            services = services.on(live.machines());
            live.loads.forEach((occupant, load) -> {
                loads.put(occupant, load);
                predictors.put(occupant, predictor.of(""));
            });
            today = live.today();
        }
        refuseTooMuch(services);
        if (options.source() == Source.TABLE) {
            return new Case(services, new TableInterference(), today);
        }
        refuseUnlessCalibrated(file, profiles.keySet(), predictor.error());
        return new Case(services, new PredictedInterference(loads, predictors), today);
    }

    private static void refuseTooMuch(Services services) {
        long instances = services.tiers().stream()
                .mapToLong(tier -> tier.tier().instances())
                .sum();
        long amounts = Stream.concat(
                        services.tiers().stream().flatMap(tier -> tier.tier().size().keySet().stream()),
                        services.machines().stream()
                                .flatMap(machine -> Stream.concat(
                                        machine.capacity().keySet().stream(),
                                        machine.occupants().stream().flatMap(held -> held.size().keySet().stream()))))
                .distinct()
                .count();
        if (services.tiers().size() > MOST_TIERS
                || services.machines().size() > MOST_MACHINES
                || instances > MOST_INSTANCES
                || amounts > MOST_AMOUNTS) {
            throw RequestException.bad(
                    "at most %d tiers with %d instances of %d amounts, and %d machines, are planned here; name some nodes with"
                                    .formatted(MOST_TIERS, MOST_INSTANCES, MOST_AMOUNTS, MOST_MACHINES)
                            + " contains, or plan with bin/interference plan --nodes");
        }
    }

    private static void refuseUnlessCalibrated(Services file, Set<String> profiled, OptionalDouble error) {
        file.tiers().stream()
                .map(tier -> tier.tier().name())
                .filter(tier -> !profiled.contains(tier))
                .findFirst()
                .ifPresent(tier -> {
                    throw RequestException.bad(
                            "tier '%s' names no profile, and what was learnt is of profiles; ask for degradation=table"
                                    .formatted(tier));
                });
        if (!(error.orElse(Double.POSITIVE_INFINITY) <= CALIBRATED)) {
            throw new RequestException(
                    Response.Status.CONFLICT,
                    "the predictor is not calibrated (%s, at most %s is); ask for degradation=table"
                            .formatted(
                                    error.isPresent()
                                            ? "its error was %.2f lately".formatted(error.getAsDouble())
                                            : "nothing was compared with what happened yet",
                                    CALIBRATED));
        }
    }

    /** Returns, by tier, what was learnt of those that name a profile. */
    private Map<String, TaskProfile> profiles(Services services, Optional<String> application) {
        if (services.tiers().stream().allMatch(tier -> tier.profile().isEmpty())) {
            return Map.of();
        }
        Set<String> own = keysOf(application);
        // Keys of different levels have the same text if they were brought in so, and a tag is whatever its user likes:
        // the coarser one counts.
        Map<String, TaskProfile> known = sources.profiles().all().stream()
                .collect(Collectors.toMap(
                        profile -> own.contains(profile.key().text())
                                ? profile.key().text()
                                : viewer.key(profile.key().text()),
                        profile -> profile,
                        BinaryOperator.maxBy(
                                Comparator.comparing(profile -> profile.key().level()))));
        Map<String, TaskProfile> profiles = new LinkedHashMap<>();
        for (ServiceTier tier : services.tiers()) {
            if (tier.profile().isEmpty()) {
                continue;
            }
            TaskProfile profile = known.get(tier.profile().get());
            if (profile == null) {
                throw RequestException.bad("tier '%s' names the profile '%s', and there is none"
                        .formatted(tier.tier().name(), tier.profile().get()));
            }
            profiles.put(tier.tier().name(), profile);
        }
        return profiles;
    }

    /** Returns under what the tasks of an application are filed that runs, and that its viewer may view: those keys they may name. */
    private Set<String> keysOf(Optional<String> application) {
        if (application.isEmpty() || viewer.mayViewAll()) {
            return Set.of();
        }
        return sources.ingest().all().stream()
                .flatMap(sample -> sample.running().keySet().stream())
                .filter(container -> ContainerAnswers.applicationOf(container).equals(application.get()))
                .flatMap(container -> sources.tasks().apply(container).stream())
                .flatMap(task -> task.identity().keys().stream())
                .map(TaskKey::text)
                .collect(Collectors.toSet());
    }

    /** What a file says of its tier counts more than what was learnt of such tasks. */
    private static ServiceTier learned(ServiceTier tier, Map<String, TaskProfile> profiles) {
        TaskProfile profile = profiles.get(tier.tier().name());
        if (profile == null || tier.describesDegradation()) {
            return tier;
        }
        Tier told = tier.tier();
        return tier.with(
                new Tier(told.name(), told.size(), degradation(profile.load()), told.affinities(), told.instances()));
    }

    /** The nodes of this cluster, and what is on them. */
    private final class Live {
        private final Map<String, InterferenceVector> loads = new HashMap<>();
        private final Map<String, List<String>> places = new LinkedHashMap<>();
        private final List<Machine> machines = new ArrayList<>();
        private final Services services;
        private final Options options;

        Live(Services services, Options options) {
            this.services = services;
            this.options = options;
            Instant now = sources.clock().instant();
            for (Sources.Room room : sources.planning().rooms().get()) {
                if (room.node().contains(options.contains())) {
                    add(room, sources.ingest().fresh(room.node(), now));
                }
            }
            if (machines.isEmpty()) {
                throw RequestException.bad("no node has anything free");
            }
        }

        private void add(Sources.Room room, Optional<NodeSample> sample) {
            Map<String, InterferenceVector> staying =
                    new LinkedHashMap<>(sample.map(NodeSample::running).orElse(Map.of()));
            double memory = room.freeMemoryMb();
            double cores = room.freeCores();
            for (String container : ofApplication(staying.keySet())) {
                Optional<Tier> tier = tier(container);
                if (tier.isPresent()) {
                    staying.remove(container);
                    places.computeIfAbsent(tier.get().name(), first -> new ArrayList<>())
                            .add(room.node());
                    memory += tier.get().size().getOrDefault("memory-mb", 0.0);
                    cores += tier.get().size().getOrDefault("vcores", 0.0);
                }
            }
            if (memory <= 0 || cores <= 0) {
                return;
            }
            List<Tier> occupants = List.of();
            InterferenceVector load = InterferenceVector.sum(staying.values());
            if (!load.isEmpty()) {
                String name = "what runs on " + room.node();
                Degradation degradation = degradation(load);
                occupants = List.of(new Tier(name, Map.of(), degradation, Map.of(), 1));
                loads.put(name, load);
            }
            machines.add(new Machine(room.node(), Map.of("memory-mb", memory, "vcores", cores), occupants));
        }

        private Set<String> ofApplication(Collection<String> containers) {
            return options.application().isEmpty()
                    ? Set.of()
                    : containers.stream()
                            .filter(container -> ContainerAnswers.applicationOf(container)
                                    .equals(options.application().get()))
                            .collect(Collectors.toCollection(HashSet::new));
        }

        /** Returns the tier that a container is an instance of, by the keys that a profile of it may be filed under. */
        private Optional<Tier> tier(String container) {
            Optional<TaskIdentity> identity = sources.tasks().apply(container).map(Sources.Task::identity);
            return identity.flatMap(task -> services.tiers().stream()
                    .filter(tier ->
                            task.keys().stream().anyMatch(key -> tier.profile().equals(Optional.of(key.text()))))
                    .map(ServiceTier::tier)
                    .findFirst());
        }

        List<Machine> machines() {
            return machines;
        }

        /** Returns where everything is; empty unless all of it runs. */
        Optional<Plan> today() {
            boolean whole = services.tiers().stream()
                    .map(ServiceTier::tier)
                    .allMatch(
                            tier -> places.getOrDefault(tier.name(), List.of()).size() == tier.instances());
            return whole ? Optional.of(new Plan(places)) : Optional.empty();
        }
    }

    /** Returns what a task with this load does to others that use the same resources; its use of the network is not in it. */
    private static Degradation degradation(InterferenceVector load) {
        return new Degradation(
                DegradationTable.factor(load, Signal.CPU),
                DegradationTable.factor(load, Signal.MBW),
                DegradationTable.factor(load, Signal.BLK),
                DegradationTable.factor(load, Signal.LLOCC));
    }
}
