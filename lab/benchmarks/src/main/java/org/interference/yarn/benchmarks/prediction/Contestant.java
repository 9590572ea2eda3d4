package org.interference.yarn.benchmarks.prediction;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
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

/** Who is compared. */
enum Contestant {
    PRIOR,
    LINEAR,
    BOOSTED,
    COMPOSED,
    SMILE_BOOSTED,
    SMILE_FOREST,
    SMILE_RIDGE;

    private static final int BUFFER = 10_000;
    private static final int LEAST_EXAMPLES = 100;
    static final int SECONDS_BETWEEN = 10;

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
            case SMILE_RIDGE -> learned(SmileTrainer.RIDGE, table, training, profiles);
            case COMPOSED -> {
                ComposedPredictor predictor = new ComposedPredictor();
                OnlineAdaptiveModule module = module(predictor);
                feed(module, observations(table, training, profiles));
                yield predictor;
            }
        };
    }

    private static LearnedPredictor learned(
            Trainer trainer,
            CorunTable table,
            List<CorunTable.Row> training,
            Map<String, InterferenceVector> profiles) {
        List<Example> examples = observations(table, training, profiles).stream()
                .map(observation ->
                        new Example(observation.situation(), observation.label().slowdown(), 1))
                .toList();
        return new LearnedPredictor(trainer.name(), trainer.train(examples), Domain.of(examples));
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

    static List<Observation> observations(
            CorunTable table, List<CorunTable.Row> rows, Map<String, InterferenceVector> profiles) {
        return rows.stream()
                .sorted(Comparator.comparingLong(CorunTable.Row::atSeconds))
                .map(row -> new Observation(
                        Instant.ofEpochSecond(row.atSeconds()),
                        row.kind(),
                        situation(row, profiles),
                        new Label(table.slowdown(row), Label.Source.WORK_RATE, 1)))
                .toList();
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
