package org.interference.yarn.plan;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.interference.yarn.degradation.Resource;

/** The two cases that the thesis evaluates (tables 6.4 and 6.5), with the tiers of the authors' program. */
final class Thesis {
    static final Problem CASE_1 = problem(
            tier("#1", 0.3, Resource.CPU, 1.15, Map.of("#2", 1.57)),
            tier("#2", 0.3, Resource.CPU, 1.15, Map.of()),
            tier("#3", 0.3, Resource.DISK, 2.25, Map.of("#4", 1.05)),
            tier("#4", 0.3, Resource.DISK, 2.25, Map.of()));

    static final Problem CASE_2 = problem(
            tier("#1", 0.2, Resource.CPU, 1.33, Map.of("#2", 1.57)),
            tier("#2", 0.2, Resource.DISK, 2.25, Map.of()),
            tier("#3", 0.2, Resource.CACHE, 1.26, Map.of("#4", 1.57)),
            tier("#4", 0.2, Resource.DISK, 2.25, Map.of()),
            tier("#5", 0.2, Resource.MEMORY, 1.74, Map.of("#6", 1.57)),
            tier("#6", 0.2, Resource.CACHE, 1.26, Map.of()));

    private Thesis() {}

    static Tier tier(String name, double size, Resource resource, double factor, Map<String, Double> affinities) {
        return new Tier(name, Map.of("size", size), Degradation.NONE.with(resource, factor), affinities, 1);
    }

    static Machine machine(String name, double capacity) {
        return new Machine(name, Map.of("size", capacity));
    }

    private static Problem problem(Tier... tiers) {
        return Problem.of(List.of(tiers), List.of(machine("A", 1), machine("B", 1)), new TableInterference());
    }

    /** Returns the plan that has these tiers, as in "1 2 4", on the first machine and the others on the second. */
    static Plan plan(Problem problem, String onFirst) {
        List<String> first =
                Arrays.stream(onFirst.split(" ")).map(number -> "#" + number).toList();
        Map<String, List<String>> plan = new LinkedHashMap<>();
        for (Tier tier : problem.tiers()) {
            plan.put(tier.name(), List.of(first.contains(tier.name()) ? "A" : "B"));
        }
        return new Plan(plan);
    }

    /** Returns every arrangement of the instances, whether it fits or not. */
    static List<Plan> allPlans(Problem problem) {
        int machines = problem.machines().size();
        int instances = problem.instances();
        return IntStream.range(0, (int) Math.pow(machines, instances))
                .mapToObj(code -> {
                    Arrangement arrangement = new Arrangement(problem);
                    int rest = code;
                    for (int instance = 0; instance < instances; instance++) {
                        arrangement.place(instance, rest % machines);
                        rest /= machines;
                    }
                    return arrangement.plan();
                })
                .distinct()
                .toList();
    }
}
