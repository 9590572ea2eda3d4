package org.interference.yarn.benchmarks.prediction;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.signal.InterferenceVector;

/**
 * Which of several nodes is chosen for a task. A node holds what was measured beside the task: one kind, or two. What the task gains there
 * is as in placement: what it gets done, less what its neighbours get done less, in tasks alone.
 *
 * <p>Kinds that were seen are asked about one repetition, and learnt of in the others; what is the best node there is partly
 * noise, and {@code memory}, the median of the others, shows how much. Kinds that were not are asked about the median of all.
 */
final class RankPart {
    private static final int[] NODES = {2, 4, 8};
    private static final int DRAWS = 400;
    private static final long SEED = 20_190_301;

    private RankPart() {}

    /** @param gain in tasks alone */
    private record Node(List<String> tasks, double gain) {}

    static void measure(CorunTable table, ObjectNode results) {
        Map<String, InterferenceVector> profiles = table.profiles(repetition -> true);
        List<Split.Fold> folds = Split.UNSEEN_TASKS.folds(table);
        List<String> kinds = List.copyOf(table.kinds());
        Map<String, Double> all = table.slowdowns(repetition -> true);
        for (Contestant contestant : Contestant.values()) {
            ObjectNode json = results.withObject("/" + AccuracyPart.lowerCase(contestant));
            Tally seen = new Tally();
            for (int asked : table.repetitions()) {
                Map<String, InterferenceVector> known = table.profiles(repetition -> repetition != asked);
                List<CorunTable.Row> training = table.rows().stream()
                        .filter(row -> row.repetition() != asked)
                        .toList();
                SlowdownPredictor predictor = contestant.trained(table, training, known);
                choose(nodes(table, of(table, asked)), predicted(kind -> predictor, known), seen);
            }
            seen.put(json, "");
            Map<String, SlowdownPredictor> predictors = new HashMap<>();
            for (int i = 0; i < kinds.size(); i++) {
                predictors.put(
                        kinds.get(i), contestant.trained(table, folds.get(i).training(), profiles));
            }
            Tally unseen = new Tally();
            choose(nodes(table, all), predicted(predictors::get, profiles), unseen);
            unseen.put(json, "unseen_tasks_");
        }
        Tally memory = new Tally();
        Tally random = new Tally();
        for (int asked : table.repetitions()) {
            Map<String, Double> others = table.slowdowns(repetition -> repetition != asked);
            Map<String, List<Node>> nodes = nodes(table, of(table, asked));
            choose(nodes, (kind, tasks) -> gain(others, kind, tasks).orElse(0), memory);
            // The nodes are shuffled, so the first is any.
            choose(nodes, (kind, tasks) -> 0, random);
        }
        memory.put(results.withObject("/memory"), "");
        random.put(results.withObject("/random"), "");
    }

    private static Map<String, Double> of(CorunTable table, int asked) {
        return table.slowdowns(repetition -> repetition == asked);
    }

    /** Says what a task would gain on a node. */
    private interface Gain {
        double of(String kind, List<String> tasks);
    }

    private interface ForKind {
        SlowdownPredictor of(String kind);
    }

    private static Gain predicted(ForKind predictors, Map<String, InterferenceVector> profiles) {
        Map<String, Double> known = new HashMap<>();
        return (kind, tasks) ->
                known.computeIfAbsent(kind + " " + tasks, key -> gain(predictors.of(kind), kind, tasks, profiles));
    }

    /** How often a choice was right, and how much less it gained than the best. Not thread-safe. */
    private static final class Tally {
        private final Map<Integer, List<Double>> regrets = new TreeMap<>();

        void add(int size, double regret) {
            regrets.computeIfAbsent(size, key -> new ArrayList<>()).add(regret);
        }

        void put(ObjectNode json, String prefix) {
            double sum = 0;
            for (Map.Entry<Integer, List<Double>> entry : regrets.entrySet()) {
                List<Double> ofSize = entry.getValue();
                double mean =
                        ofSize.stream().mapToDouble(each -> each).average().orElseThrow();
                long right = ofSize.stream().filter(each -> each == 0).count();
                PredictionFigures.put(json, prefix + "rank_" + entry.getKey(), (double) right / ofSize.size());
                PredictionFigures.put(json, prefix + "regret_" + entry.getKey(), mean);
                sum += mean / regrets.size();
            }
            PredictionFigures.put(json, prefix + "regret", sum);
        }
    }

    private static void choose(Map<String, List<Node>> nodes, Gain expected, Tally tally) {
        Random random = new Random(SEED);
        nodes.forEach((kind, all) -> {
            for (int size : NODES) {
                for (int draw = 0; draw < DRAWS && size <= all.size(); draw++) {
                    List<Node> shuffled = new ArrayList<>(all);
                    Collections.shuffle(shuffled, random);
                    List<Node> offered = shuffled.subList(0, size);
                    double best = offered.stream().mapToDouble(Node::gain).max().orElseThrow();
                    Node chosen = offered.get(0);
                    for (Node node : offered) {
                        if (expected.of(kind, node.tasks()) > expected.of(kind, chosen.tasks())) {
                            chosen = node;
                        }
                    }
                    tally.add(size, best - chosen.gain());
                }
            }
        });
    }

    /** As {@code Ranker} reckons. */
    private static double gain(
            SlowdownPredictor predictor, String kind, List<String> tasks, Map<String, InterferenceVector> profiles) {
        double lost = 0;
        for (int i = 0; i < tasks.size(); i++) {
            List<String> others = new ArrayList<>(tasks);
            String neighbour = others.remove(i);
            double before = rate(predictor, "", neighbour, others, profiles);
            others.add(kind);
            lost += before - rate(predictor, "", neighbour, others, profiles);
        }
        return rate(predictor, kind, kind, tasks, profiles) - Math.max(0, lost);
    }

    private static double rate(
            SlowdownPredictor predictor,
            String asKind,
            String kind,
            List<String> others,
            Map<String, InterferenceVector> profiles) {
        return 1
                / Errors.answer(predictor, asKind, profiles.get(kind), Contestant.neighbours(others, profiles))
                        .slowdown();
    }

    /** Returns every node on which it was measured what the newcomer gains, by its kind. */
    private static Map<String, List<Node>> nodes(CorunTable table, Map<String, Double> slowdowns) {
        Map<String, CorunTable.Row> questions = table.rows().stream()
                .filter(row -> row.others().size() == 1 || row.others().size() == 2)
                .collect(Collectors.toMap(CorunTable.Row::question, row -> row, (one, same) -> one, TreeMap::new));
        Map<String, List<Node>> nodes = new TreeMap<>();
        for (CorunTable.Row row : questions.values()) {
            gain(slowdowns, row.kind(), row.others())
                    .ifPresent(gain -> nodes.computeIfAbsent(row.kind(), key -> new ArrayList<>())
                            .add(new Node(row.others(), gain)));
        }
        return nodes;
    }

    /** Returns what was measured; empty if something of it was not. */
    private static OptionalDouble gain(Map<String, Double> slowdowns, String kind, List<String> tasks) {
        OptionalDouble own = measured(slowdowns, kind, tasks);
        if (own.isEmpty()) {
            return OptionalDouble.empty();
        }
        double gain = 1 / own.getAsDouble();
        for (int i = 0; i < tasks.size(); i++) {
            List<String> before = new ArrayList<>(tasks);
            String neighbour = before.remove(i);
            List<String> after = new ArrayList<>(before);
            after.add(kind);
            OptionalDouble with = measured(slowdowns, neighbour, after);
            OptionalDouble without = measured(slowdowns, neighbour, before);
            if (with.isEmpty() || without.isEmpty()) {
                return OptionalDouble.empty();
            }
            gain += 1 / with.getAsDouble() - 1 / without.getAsDouble();
        }
        return OptionalDouble.of(gain);
    }

    private static OptionalDouble measured(Map<String, Double> slowdowns, String kind, List<String> others) {
        if (others.isEmpty()) {
            return OptionalDouble.of(1);
        }
        Double known = slowdowns.get(CorunTable.question(kind, others));
        return known == null ? OptionalDouble.empty() : OptionalDouble.of(known);
    }
}
