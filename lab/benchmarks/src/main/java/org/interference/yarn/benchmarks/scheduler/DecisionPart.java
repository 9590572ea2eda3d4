package org.interference.yarn.benchmarks.scheduler;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.interference.yarn.benchmarks.Results;

/** How long one container takes, from the offer of a node to the end of the commit: every contender in turn. */
final class DecisionPart {
    private static final int DECISIONS = 4000;
    private static final int WARM_UP_BLOCKS = 8;
    private static final int BLOCKS_OF_A_ROUND = 2;
    private static final double NANOS_PER_MICRO = 1000;

    private DecisionPart() {}

    static void measure(Family family, int nodes, int rounds, Path directory, Results results)
            throws IOException, YarnException {
        Map<Contender, LoadedCluster> clusters = new EnumMap<>(Contender.class);
        Map<Contender, NodeVisits> offers = new EnumMap<>(Contender.class);
        Map<Contender, LongStream.Builder> nanos = new EnumMap<>(Contender.class);
        LongStream.Builder plugins = LongStream.builder();
        for (Contender contender : Contender.values()) {
            LoadedCluster cluster =
                    new LoadedCluster(family.timed(contender), nodes, directory.resolve(contender.label()));
            clusters.put(contender, cluster);
            offers.put(contender, new NodeVisits(cluster));
            nanos.put(contender, LongStream.builder());
        }
        List<Contender> order = new ArrayList<>(clusters.keySet());
        for (int block = -WARM_UP_BLOCKS; block < rounds * BLOCKS_OF_A_ROUND; block++) {
            for (Contender contender : order) {
                clusters.get(contender).report();
                List<NodeVisits.Taken> decisions = offers.get(contender).decide(DECISIONS);
                if (block >= 0) {
                    decisions.forEach(taken -> nanos.get(contender).add(taken.all()));
                }
                if (block >= 0 && contender == Contender.ALWAYS) {
                    decisions.forEach(taken -> plugins.add(taken.plugins()));
                }
            }
            Collections.rotate(order, 1);
        }
        Map<Contender, long[]> sorted = new EnumMap<>(Contender.class);
        nanos.forEach((contender, values) ->
                sorted.put(contender, values.build().sorted().toArray()));
        long[] sortedPlugins = plugins.build().sorted().toArray();
        for (int percent : new int[] {50, 99}) {
            String name = "decision_p" + percent + "_us_" + nodes;
            System.out.printf("%s %s: %.1f%n", family.key(), name, micros(sortedPlugins, percent));
            results.put(name, micros(sortedPlugins, percent));
            double stock = micros(sorted.get(Contender.STOCK), percent);
            sorted.forEach((contender, values) -> {
                String who = "_us_p" + percent + "_" + contender.label() + "_" + nodes;
                System.out.printf("%s container%s: %.1f%n", family.key(), who, micros(values, percent));
                results.put("container" + who, micros(values, percent));
                if (contender != Contender.STOCK) {
                    results.put("added" + who, micros(values, percent) - stock);
                }
            });
        }
    }

    private static double micros(long[] sorted, int percent) {
        return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)] / NANOS_PER_MICRO;
    }
}
