package org.interference.yarn.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.interference.yarn.degradation.Level;
import org.interference.yarn.degradation.Resource;

/** Small problems of every kind, by seed: amounts, machines that differ, occupants, instances, affinities both ways. */
final class RandomProblems {
    private static final List<Level> LEVELS = List.of(Level.values());

    private RandomProblems() {}

    static Problem of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Optional<Problem> problem = Optional.empty();
        while (problem.isEmpty()) {
            problem = drawn(random);
        }
        return problem.get();
    }

    /** Returns a problem, if its tiers are not too large. */
    private static Optional<Problem> drawn(SplittableRandom random) {
        try {
            return Optional.of(draw(random));
        } catch (PlanException e) {
            return Optional.empty();
        }
    }

    private static Problem draw(SplittableRandom random) {
        int machineCount = random.nextInt(1, 5);
        int tierCount = random.nextInt(1, 6);
        List<Machine> machines = new ArrayList<>();
        boolean equal = random.nextBoolean();
        for (int i = 0; i < machineCount; i++) {
            List<Tier> occupants = random.nextInt(4) == 0
                    ? List.of(tier(random, random.nextBoolean() ? "other" + i : "t0", tierCount, 1))
                    : List.of();
            double factor = equal ? 1 : random.nextDouble(0.7, 1.5);
            machines.add(new Machine("m" + i, Map.of("memory", 10 * factor, "cores", 8 * factor), occupants));
        }
        List<Tier> tiers = new ArrayList<>();
        for (int i = 0; i < tierCount; i++) {
            tiers.add(tier(random, "t" + i, tierCount, random.nextInt(3) == 0 ? 2 : 1));
        }
        return Problem.of(tiers, machines, new TableInterference());
    }

    private static Tier tier(SplittableRandom random, String name, int tiers, int instances) {
        Degradation degradation = Degradation.NONE;
        for (Resource resource : Resource.values()) {
            Level level = LEVELS.get(random.nextInt(LEVELS.size()));
            degradation = random.nextBoolean() ? degradation.with(resource, level.degradation(resource)) : degradation;
        }
        Map<String, Double> affinities = new LinkedHashMap<>();
        for (int other = 0; other < tiers; other++) {
            if (!name.equals("t" + other) && random.nextInt(3) == 0) {
                affinities.put(
                        "t" + other, LEVELS.get(random.nextInt(LEVELS.size())).affinity());
            }
        }
        Map<String, Double> size = Map.of("memory", random.nextDouble(0.5, 2.5), "cores", random.nextDouble(0.5, 2));
        return new Tier(name, size, degradation, affinities, instances);
    }
}
