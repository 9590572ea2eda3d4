package org.interference.yarn.benchmarks.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.interference.yarn.degradation.Level;
import org.interference.yarn.degradation.Resource;
import org.interference.yarn.plan.Degradation;
import org.interference.yarn.plan.Machine;
import org.interference.yarn.plan.Problem;
import org.interference.yarn.plan.TableInterference;
import org.interference.yarn.plan.Tier;

/**
 * Services by a seed: three to eight tiers each, which talk along a chain and sometimes across it. A tier lives on one resource, and
 * uses a second one a little or not at all; levels are mixed. Machines are equal, and three quarters full.
 */
final class GeneratedServices {
    private static final double FULL = 0.75;
    private static final List<Resource> RESOURCES = List.of(Resource.values());
    private static final List<Level> USED = List.of(Level.LOW, Level.MODERATE, Level.HIGH);
    private static final double[] MEMORY_MB = {1024, 2048, 2048, 4096, 8192};
    private static final double[] CORES = {1, 1, 2, 2, 4};

    private GeneratedServices() {}

    static Problem of(int tiers, int machines, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Tier> all = new ArrayList<>();
        while (all.size() < tiers) {
            addService(all, Math.min(random.nextInt(3, 9), tiers - all.size()), random);
        }
        Map<String, Double> capacity = new LinkedHashMap<>();
        for (String amount : List.of("memory-mb", "vcores")) {
            double needed =
                    all.stream().mapToDouble(tier -> tier.size().get(amount)).sum();
            capacity.put(amount, needed / machines / FULL);
        }
        List<Machine> nodes = IntStream.range(0, machines)
                .mapToObj(i -> new Machine("node" + i, capacity))
                .toList();
        return Problem.of(all, nodes, new TableInterference());
    }

    private static void addService(List<Tier> all, int size, SplittableRandom random) {
        int first = all.size();
        for (int i = 0; i < size; i++) {
            Map<String, Double> affinities = new LinkedHashMap<>();
            if (i > 0) {
                affinities.put("tier" + (first + i - 1), talk(random));
            }
            if (i > 1 && random.nextInt(3) == 0) {
                affinities.put("tier" + (first + random.nextInt(i - 1)), talk(random));
            }
            Map<String, Double> amounts = new LinkedHashMap<>();
            amounts.put("memory-mb", MEMORY_MB[random.nextInt(MEMORY_MB.length)]);
            amounts.put("vcores", CORES[random.nextInt(CORES.length)]);
            all.add(new Tier("tier" + (first + i), amounts, degradation(random), affinities, 1));
        }
    }

    private static double talk(SplittableRandom random) {
        return USED.get(random.nextInt(USED.size())).affinity();
    }

    private static Degradation degradation(SplittableRandom random) {
        Resource lives = RESOURCES.get(random.nextInt(RESOURCES.size()));
        Resource uses = RESOURCES.get(random.nextInt(RESOURCES.size()));
        Degradation degradation = Degradation.NONE;
        if (random.nextBoolean()) {
            degradation = degradation.with(uses, Level.LOW.degradation(uses));
        }
        return degradation.with(lives, USED.get(random.nextInt(USED.size())).degradation(lives));
    }
}
