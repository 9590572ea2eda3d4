package org.interference.yarn.benchmarks.scheduler;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingThreads;
import org.interference.yarn.benchmarks.Distribution;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.place.Decision;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.rest.Sources;

/** Containers allocated a second: every contender in every round, in turn, each on a cluster of its own. */
final class ThroughputPart {
    /**
     * What a contender allocates in a round.
     *
     * @param ofANode containers of each node, so that slots are left over when all are allocated
     * @param least a small cluster is filled so many times that it comes to these
     */
    private record Amount(int ofANode, int least) {}

    private static final Amount AMOUNT = new Amount(8, 60_000);
    /** Up to fifty times slower. */
    private static final Amount MULTI_NODE_AMOUNT = new Amount(2, 1_500);

    private static final int WARM_UP_ROUNDS = 2;
    private static final int DECISIONS_LOOKED_AT = 1000;

    /**
     * What one round of one contender came to.
     *
     * @param conflicts proposals that were refused, of each container
     * @param decided containers that the plugin decided about, of all that it recorded
     * @param contenders waiting tasks, or nodes, that the latest decisions were among, on the mean
     * @param cpuMicros processor time of the whole process, of each container
     * @param turns containers a second, of each turn
     */
    private record Round(
            double perSecond,
            double conflicts,
            double decided,
            double contenders,
            double cpuMicros,
            List<Double> turns) {}

    private ThroughputPart() {}

    static void measure(
            Family family, int nodes, List<Contender> contenders, int rounds, Path directory, Results results)
            throws IOException, YarnException {
        Amount amount = family == Family.CAPACITY_MULTI_NODE ? MULTI_NODE_AMOUNT : AMOUNT;
        Map<Contender, LoadedCluster> clusters = new EnumMap<>(Contender.class);
        Map<Contender, List<Round>> measured = new EnumMap<>(Contender.class);
        for (Contender contender : contenders) {
            clusters.put(
                    contender,
                    new LoadedCluster(family.configuration(contender), nodes, directory.resolve(contender.label())));
            measured.put(contender, new ArrayList<>());
        }
        List<Contender> order = new ArrayList<>(contenders);
        for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
            Map<Contender, Tally> tallies = new EnumMap<>(Contender.class);
            clusters.forEach((contender, cluster) -> tallies.put(contender, new Tally(cluster)));
            System.gc();
            // In short turns, so that what disturbs the machine disturbs everyone.
            while (tallies.get(order.get(0)).containers < amount.least()) {
                for (Contender contender : order) {
                    tallies.get(contender).run(amount.ofANode());
                }
                Collections.rotate(order, 1);
            }
            for (Contender contender : contenders) {
                Round figures = tallies.get(contender).round();
                System.out.printf(
                        "%s%s %d: %.0f containers/s, %.3f conflicts, %.2f decided among %.1f, %.0f us of CPU%n",
                        round < 0 ? "warm-up " : "",
                        contender.label(),
                        nodes,
                        figures.perSecond(),
                        figures.conflicts(),
                        figures.decided(),
                        figures.contenders(),
                        figures.cpuMicros());
                if (round >= 0) {
                    measured.get(contender).add(figures);
                }
            }
        }
        // Nobody stops the clusters: the process ends.
        publish(family, nodes, measured, results);
    }

    /** One contender's turns in a round. */
    private static final class Tally {
        private final LoadedCluster cluster;
        private final Map<Ranking.Reason, Long> decisionsBefore;
        private long containers;
        private long nanos;
        private long cpuNanos;
        private long conflicts;
        private final List<Double> turns = new ArrayList<>();

        private Tally(LoadedCluster cluster) {
            this.cluster = cluster;
            this.decisionsBefore = decisions(cluster);
        }

        private void run(int containersOfANode) throws IOException, YarnException {
            cluster.report();
            long conflictsBefore = SchedulingThreads.conflicts();
            long cpuBefore = cpuNanos();
            Drive.Run run = cluster.run(cluster.size() * containersOfANode);
            cpuNanos += cpuNanos() - cpuBefore;
            conflicts += SchedulingThreads.conflicts() - conflictsBefore;
            containers += run.containers();
            nanos += run.nanos();
            turns.add(run.containers() * 1e9 / run.nanos());
            cluster.release();
        }

        private Round round() {
            return new Round(
                    containers * 1e9 / nanos,
                    (double) conflicts / containers,
                    decided(decisionsBefore, decisions(cluster)),
                    cluster.plugin().map(ThroughputPart::contenders).orElse(0.0),
                    cpuNanos / 1000.0 / containers,
                    turns);
        }
    }

    /** Returns how many containers were placed for each reason so far. */
    static Map<Ranking.Reason, Long> decisions(LoadedCluster cluster) {
        return cluster.plugin()
                .map(plugin -> plugin.placement().decisions().counts())
                .orElse(Map.of());
    }

    /** Returns of which share of the containers placed between the two the plugin decided. */
    static double decided(Map<Ranking.Reason, Long> before, Map<Ranking.Reason, Long> after) {
        long all = 0;
        long ours = 0;
        for (Map.Entry<Ranking.Reason, Long> count : after.entrySet()) {
            long more = count.getValue() - before.get(count.getKey());
            all += more;
            boolean isOurs = count.getKey() == Ranking.Reason.RANKED || count.getKey() == Ranking.Reason.MATCHED;
            ours += isOurs ? more : 0;
        }
        return all == 0 ? 0 : (double) ours / all;
    }

    private static double contenders(Sources plugin) {
        return plugin.placement().decisions().newest(DECISIONS_LOOKED_AT).stream()
                .map(Decision::ranking)
                .mapToInt(ranking -> ranking.offered()
                        .map(offered -> offered.contenders().size())
                        .orElse(ranking.verdicts().size()))
                .average()
                .orElse(0);
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static void publish(Family family, int nodes, Map<Contender, List<Round>> measured, Results results) {
        List<Round> stock = measured.get(Contender.STOCK);
        measured.forEach((contender, rounds) -> {
            String who = contender.label() + "_" + nodes;
            results.put("allocations_per_s_" + who, of(rounds, Round::perSecond));
            results.put("cpu_us_per_allocation_" + who, of(rounds, Round::cpuMicros));
            if (family != Family.FAIR) {
                results.put("conflicts_per_allocation_" + who, of(rounds, Round::conflicts));
            }
            if (contender == Contender.STOCK || stock == null) {
                return;
            }
            List<Double> ratios = new ArrayList<>();
            for (int round = 0; round < rounds.size(); round++) {
                // A turn and stock's that it follows, or precedes, by a second: a pause that hits one of them is one
                // pair.
                for (int turn = 0; turn < rounds.get(round).turns().size(); turn++) {
                    ratios.add(rounds.get(round).turns().get(turn)
                            / stock.get(round).turns().get(turn));
                }
            }
            results.put("ratio_" + who, of(ratios, Double::doubleValue));
            if (contender == Contender.ON || contender == Contender.ALWAYS) {
                results.put("decided_share_" + who, of(rounds, Round::decided));
                results.put("contenders_" + who, of(rounds, Round::contenders));
            }
        });
    }

    private static <T> Distribution of(List<T> measured, ToDoubleFunction<T> figure) {
        return Distribution.of(measured.stream().mapToDouble(figure).toArray());
    }
}
