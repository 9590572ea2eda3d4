package org.interference.yarn.sim.world;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Slowdowns that somebody has measured, by kind and by whom it had beside it. Immutable.
 *
 * <p>A company that was measured has its figure. Any other has {@code 1 + sum over the neighbours of what each adds alone}, but no less than
 * a measured company that is part of it and no more than a measured one that it is part of. A figure that is lower than that of a part of its
 * company, which is noise, is raised to it, so that one more neighbour never makes anybody faster: of two bounds that rise with the company,
 * the sum, which does too, is held between.
 */
final class CompanyTable implements GroundTruth {
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, List<Measured>> byKind = new HashMap<>();
    private final Map<String, double[]> added = new HashMap<>();

    /** How many neighbours of each kind, by its number, and what they cost. */
    private record Measured(List<Integer> company, double slowdown) {
        int size() {
            return company.stream().mapToInt(Integer::intValue).sum();
        }
    }

    /**
     * @param slowdowns by kind and by the kinds of its neighbours, one as often as it is there; each at least 1. Every kind beside every
     *     other and beside itself is among them
     */
    CompanyTable(Map<String, Map<List<String>, Double>> slowdowns) {
        slowdowns.keySet().forEach(kind -> numbers.put(kind, numbers.size()));
        slowdowns.forEach((kind, companies) -> {
            Map<List<Integer>, Double> counted = new LinkedHashMap<>();
            companies.forEach((neighbours, slowdown) -> counted.put(counts(neighbours), slowdown));
            List<Measured> rising = rising(counted);
            byKind.put(kind, rising);
            double[] alone = new double[numbers.size()];
            rising.stream()
                    .filter(measured -> measured.size() == 1)
                    .forEach(pair -> alone[pair.company().indexOf(1)] = pair.slowdown() - 1);
            added.put(kind, alone);
        });
    }

    private static List<Measured> rising(Map<List<Integer>, Double> counted) {
        List<Measured> rising = new ArrayList<>();
        counted.entrySet().stream()
                .map(entry -> new Measured(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingInt(Measured::size))
                .forEach(measured -> rising.add(new Measured(
                        measured.company(), Math.max(measured.slowdown(), least(rising, measured.company())))));
        return List.copyOf(rising);
    }

    @Override
    public double[] slowdowns(List<Load> together) {
        List<String> names = together.stream().map(load -> load.kind().name()).toList();
        List<Integer> all = counts(names);
        double[] slowdowns = new double[together.size()];
        for (int task = 0; task < slowdowns.length; task++) {
            List<Integer> company = new ArrayList<>(all);
            int own = numbers.get(names.get(task));
            company.set(own, company.get(own) - 1);
            slowdowns[task] = slowdown(names.get(task), company);
        }
        return slowdowns;
    }

    private double slowdown(String kind, List<Integer> company) {
        double sum = 1;
        for (int other = 0; other < company.size(); other++) {
            sum += company.get(other) * added.get(kind)[other];
        }
        List<Measured> measured = byKind.get(kind);
        double most = measured.stream()
                .filter(larger -> isPart(company, larger.company()))
                .mapToDouble(Measured::slowdown)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        return Math.min(most, Math.max(least(measured, company), sum));
    }

    private static double least(List<Measured> measured, List<Integer> company) {
        return measured.stream()
                .filter(smaller -> isPart(smaller.company(), company))
                .mapToDouble(Measured::slowdown)
                .max()
                .orElse(1);
    }

    private static boolean isPart(List<Integer> part, List<Integer> whole) {
        for (int kind = 0; kind < part.size(); kind++) {
            if (part.get(kind) > whole.get(kind)) {
                return false;
            }
        }
        return true;
    }

    private List<Integer> counts(List<String> kinds) {
        int[] counts = new int[numbers.size()];
        kinds.forEach(kind -> counts[numbers.get(kind)]++);
        List<Integer> boxed = new ArrayList<>(counts.length);
        for (int count : counts) {
            boxed.add(count);
        }
        return boxed;
    }
}
