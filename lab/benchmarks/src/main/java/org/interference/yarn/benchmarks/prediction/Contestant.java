package org.interference.yarn.benchmarks.prediction;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.interference.yarn.learn.Label;
import org.interference.yarn.learn.ModelStore;
import org.interference.yarn.learn.Observation;
import org.interference.yarn.learn.OnlineAdaptiveModule;
import org.interference.yarn.learn.TrainingRound;
import org.interference.yarn.predict.BoostedTrainer;
import org.interference.yarn.predict.ComposedPredictor;
import org.interference.yarn.predict.Domain;
import org.interference.yarn.predict.Example;
import org.interference.yarn.predict.LearnedPredictor;
import org.interference.yarn.predict.LinearTrainer;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.predict.Trainer;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Scale;

/** Who is compared. */
enum Contestant {
    PRIOR,
    LINEAR,
    BOOSTED,
    /** As installed, by the labels that the scheduler makes itself. */
    COMPOSED,
    /** As installed, by the work that was done, which a scheduler does not see. */
    EXACT,
    SMILE_BOOSTED,
    SMILE_FOREST,
    SMILE_MONOTONE,
    SMILE_RIDGE;

    private static final int BUFFER = 10_000;
    private static final int LEAST_EXAMPLES = 100;
    static final int SECONDS_BETWEEN = 10;

    /** Whether it is one of Smile's regressions, by exact labels. */
    boolean isSmiles() {
        return this == SMILE_BOOSTED || this == SMILE_FOREST || this == SMILE_MONOTONE || this == SMILE_RIDGE;
    }

    /**
     * Returns the predictor after it has seen {@code training}, in the order in which that was measured.
     *
     * @param profiles the levels that each kind has alone
     */
    SlowdownPredictor trained(
            CorunTable table, List<CorunTable.Row> training, Map<String, InterferenceVector> profiles) {
        return switch (this) {
            case PRIOR -> new PriorPredictor();
            case LINEAR -> learned(new LinearTrainer(), table, training, profiles);
            case BOOSTED -> learned(new BoostedTrainer(PriorPredictor.PUBLISHED), table, training, profiles);
            case SMILE_BOOSTED -> learned(SmileTrainer.BOOSTED, table, training, profiles);
            case SMILE_FOREST -> learned(SmileTrainer.FOREST, table, training, profiles);
            case SMILE_MONOTONE -> learned(SmileTrainer.MONOTONE, table, training, profiles);
            case SMILE_RIDGE -> learned(SmileTrainer.RIDGE, table, training, profiles);
            case COMPOSED -> composed(asObserved(training, profiles));
            case EXACT -> composed(observations(table, training, profiles));
        };
    }

    private static LearnedPredictor learned(
            Trainer trainer,
            CorunTable table,
            List<CorunTable.Row> training,
            Map<String, InterferenceVector> profiles) {
        List<Example> examples = observations(table, training, profiles).stream()
                .map(observation -> new Example(
                        observation.kind(),
                        observation.situation(),
                        observation.label().slowdown(),
                        1))
                .toList();
        return new LearnedPredictor(trainer.name(), trainer.train(examples), Domain.of(examples));
    }

    /** Returns the predictor as installed, after it has lived through {@code observations}. */
    static ComposedPredictor composed(List<Observation> observations) {
        ComposedPredictor predictor = new ComposedPredictor();
        feed(module(predictor), observations);
        return predictor;
    }

    static OnlineAdaptiveModule module(ComposedPredictor predictor) {
        return new OnlineAdaptiveModule(
                predictor,
                List.of(new LinearTrainer(), new BoostedTrainer(PriorPredictor.PUBLISHED)),
                ModelStore.NONE,
                BUFFER,
                LEAST_EXAMPLES,
                new Random(20_190_301));
    }

    /** Lets the module live through {@code observations}, one every 10 s: it trains when it finds that it is time. */
    static void feed(OnlineAdaptiveModule module, List<Observation> observations) {
        Instant now = Instant.EPOCH;
        for (Observation observation : observations) {
            now = now.plusSeconds(SECONDS_BETWEEN);
            live(module, observation, now);
        }
        module.train(TrainingRound.Trigger.MORE_OBSERVATIONS, now);
        module.publish();
    }

    /** Lets the module live through one observation. */
    static void live(OnlineAdaptiveModule module, Observation observation, Instant now) {
        module.observe(observation);
        module.due(now).ifPresent(trigger -> module.train(trigger, now));
    }

    /** Returns what an experiment teaches that counts the work of each task, in the order in which that was measured. */
    static List<Observation> observations(
            CorunTable table, List<CorunTable.Row> rows, Map<String, InterferenceVector> profiles) {
        return labelled(rows, profiles, row -> Optional.of(new Label(table.slowdown(row), Label.Source.WORK_RATE, 1)));
    }

    /** Returns what the scheduler would learn of the same, likewise. */
    static List<Observation> asObserved(List<CorunTable.Row> rows, Map<String, InterferenceVector> profiles) {
        return labelled(rows, profiles, new ProductLabels()::next);
    }

    /**
     * As above, going on from what {@code labels} have learnt on other nodes.
     *
     * @param toReference from the node where the rows were measured to the reference node
     */
    static List<Observation> asObserved(
            List<CorunTable.Row> rows,
            Map<String, InterferenceVector> profiles,
            ProductLabels labels,
            Scale toReference) {
        return labelled(rows, profiles, row -> labels.next(row, toReference));
    }

    private static List<Observation> labelled(
            List<CorunTable.Row> rows,
            Map<String, InterferenceVector> profiles,
            Function<CorunTable.Row, Optional<Label>> labels) {
        List<Observation> observations = new ArrayList<>();
        rows.stream()
                .sorted(Comparator.comparingLong(CorunTable.Row::atSeconds))
                .forEach(row -> labels.apply(row)
                        .ifPresent(label -> observations.add(new Observation(
                                Instant.ofEpochSecond(row.atSeconds()), row.kind(), situation(row, profiles), label))));
        return observations;
    }

    static Situation situation(CorunTable.Row row, Map<String, InterferenceVector> profiles) {
        return Situation.of(profiles.get(row.kind()), neighbours(row.others(), profiles));
    }

    static Neighbours neighbours(List<String> kinds, Map<String, InterferenceVector> profiles) {
        List<InterferenceVector> levels = new ArrayList<>();
        kinds.forEach(kind -> levels.add(profiles.get(kind)));
        return Neighbours.of(levels);
    }
}
