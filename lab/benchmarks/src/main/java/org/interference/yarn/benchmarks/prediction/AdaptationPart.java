package org.interference.yarn.benchmarks.prediction;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.interference.yarn.lab.stats.Quantiles;
import org.interference.yarn.learn.Label;
import org.interference.yarn.learn.Observation;
import org.interference.yarn.learn.OnlineAdaptiveModule;
import org.interference.yarn.predict.ComposedPredictor;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.signal.InterferenceVector;

/** How soon the composed predictor knows a new kind of task, and a world that has changed, from one observation to the next. */
final class AdaptationPart {
    /** As close to the settled error as counts as settled. */
    private static final double SETTLED = 1.2;

    private static final long SEED = 20_190_301;
    /** The world after a change: slowdowns to this power. What is measured is replayed, nothing else is invented. */
    private static final double CHANGE = 1.5;

    private static final int WINDOW = 50;
    /** Later than all that was fed before. */
    private static final Instant AFTERWARDS = Instant.EPOCH.plus(Duration.ofDays(365));

    private AdaptationPart() {}

    static void measure(CorunTable table, ObjectNode results) {
        newKinds(table, results, Contestant.COMPOSED, Contestant::asObserved);
        newKinds(table, results, Contestant.EXACT, (rows, profiles) -> Contestant.observations(table, rows, profiles));
        changes(table, results);
    }

    /** What is taken for the slowdowns of some rows. */
    private interface Teacher {
        List<Observation> of(List<CorunTable.Row> rows, Map<String, InterferenceVector> profiles);
    }

    private static void newKinds(CorunTable table, ObjectNode results, Contestant contestant, Teacher teacher) {
        Map<String, InterferenceVector> profiles = table.profiles(repetition -> true);
        List<Integer> needed = new ArrayList<>();
        int last = table.repetitions().last();
        List<String> kinds = List.copyOf(table.kinds());
        List<Split.Fold> folds = Split.UNSEEN_TASKS.folds(table);
        for (int i = 0; i < kinds.size(); i++) {
            String kind = kinds.get(i);
            // Also of its runs alone, which say what it uses undisturbed.
            List<Observation> lesson = new ArrayList<>(teacher
                    .of(
                            table.rows().stream()
                                    .filter(row -> row.kind().equals(kind) && row.repetition() != last)
                                    .toList(),
                            profiles)
                    .stream()
                    .filter(observation -> !observation.situation().isAlone())
                    .toList());
            Collections.shuffle(lesson, new Random(SEED));
            List<Observation> asked = Contestant.observations(
                    table,
                    folds.get(i).asked().stream()
                            .filter(row -> row.repetition() == last)
                            .toList(),
                    profiles);
            ComposedPredictor predictor = new ComposedPredictor();
            OnlineAdaptiveModule module = Contestant.module(predictor);
            Contestant.feed(module, teacher.of(folds.get(i).training(), profiles));
            List<Double> errors = new ArrayList<>();
            errors.add(error(predictor, asked));
            Instant now = AFTERWARDS;
            for (Observation observation : lesson) {
                now = now.plusSeconds(Contestant.SECONDS_BETWEEN);
                Contestant.live(module, observation, now);
                module.publish();
                errors.add(error(predictor, asked));
            }
            double settled = errors.get(errors.size() - 1);
            int first = errors.size() - 1;
            while (first > 0 && errors.get(first - 1) <= SETTLED * settled) {
                first--;
            }
            needed.add(first);
        }
        ObjectNode json = results.withObject("/" + AccuracyPart.lowerCase(contestant));
        PredictionFigures.put(json, "jobs_to_learn_median", Quantiles.median(needed));
        json.put("jobs_to_learn", Collections.max(needed));
    }

    private static void changes(CorunTable table, ObjectNode results) {
        Map<String, InterferenceVector> profiles = table.profiles(repetition -> true);
        List<Observation> world = new ArrayList<>(Contestant.observations(table, table.rows(), profiles));
        Random random = new Random(SEED);
        List<Observation> before = new ArrayList<>();
        List<Observation> after = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Collections.shuffle(world, random);
            (i == 0 ? before : after).addAll(world);
        }
        String kind = table.kinds().first();
        recovery(before, after, observation -> true).ifPresent(n -> results.put("recovery_observations_hardware", n));
        recovery(before, after, observation -> observation.kind().equals(kind))
                .ifPresent(n -> results.put("recovery_observations_data_size_of_one_kind", n));
    }

    private interface Affected {
        boolean test(Observation observation);
    }

    /**
     * Returns how many affected observations after the change it takes until the mean error over the next {@value #WINDOW} of
     * them is within 1.2 times the one it settles at; empty if there are too few.
     */
    private static OptionalInt recovery(List<Observation> before, List<Observation> after, Affected affected) {
        ComposedPredictor predictor = new ComposedPredictor();
        OnlineAdaptiveModule module = Contestant.module(predictor);
        Contestant.feed(module, before);
        List<Double> errors = new ArrayList<>();
        Instant now = AFTERWARDS;
        for (Observation same : after) {
            now = now.plusSeconds(Contestant.SECONDS_BETWEEN);
            Observation observation = affected.test(same) ? changed(same) : same;
            if (affected.test(same)) {
                errors.add(error(predictor, List.of(observation)));
            }
            Contestant.live(module, observation, now);
            module.publish();
        }
        int window = Math.min(WINDOW, errors.size() / 4);
        if (window == 0) {
            return OptionalInt.empty();
        }
        double settled = mean(errors, errors.size() - errors.size() / 3, errors.size());
        for (int i = 0; i + window <= errors.size(); i++) {
            if (mean(errors, i, i + window) <= SETTLED * settled) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    private static Observation changed(Observation same) {
        Label label = same.label();
        return new Observation(
                same.at(),
                same.kind(),
                same.situation(),
                new Label(Math.pow(label.slowdown(), CHANGE), label.source(), label.weight()));
    }

    private static double mean(List<Double> values, int from, int to) {
        return values.subList(from, to).stream()
                .mapToDouble(each -> each)
                .average()
                .orElse(Double.NaN);
    }

    private static double error(ComposedPredictor predictor, List<Observation> asked) {
        return asked.stream()
                .mapToDouble(observation -> {
                    double measured = observation.label().slowdown();
                    return predictor.of(observation.kind()).predict(observation.situation())
                                    instanceof Prediction.Slowdown answer
                            ? Math.abs(answer.factor() - measured) / measured
                            : Math.abs(1 - measured) / measured;
                })
                .average()
                .orElse(Double.NaN);
    }
}
