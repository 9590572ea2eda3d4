package org.interference.yarn.benchmarks.prediction;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.interference.yarn.lab.stats.Quantiles;
import org.interference.yarn.learn.Observation;
import org.interference.yarn.predict.BoostedTrainer;
import org.interference.yarn.predict.Example;
import org.interference.yarn.predict.LinearTrainer;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.Trainer;

/** What learning costs: processor time of one thread. */
final class CostPart {
    private static final int EXAMPLES = 10_000;
    private static final int ROUNDS = 5;
    private static final double NANOS = 1e9;
    private static final double JITTER = 0.05;

    private CostPart() {}

    static void measure(CorunTable table, ObjectNode results) {
        List<Example> examples = examples(table);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        List<Double> seconds = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            long start = threads.getCurrentThreadCpuTime();
            for (Trainer trainer : List.of(new LinearTrainer(), new BoostedTrainer(PriorPredictor.PUBLISHED))) {
                trainer.train(examples);
            }
            seconds.add((threads.getCurrentThreadCpuTime() - start) / NANOS);
        }
        PredictionFigures.put(results, "retrain_seconds_10k", Quantiles.median(seconds));
        PredictionFigures.put(results, "retrain_seconds_10k_first", seconds.get(0));
    }

    /** As many as the buffer holds: those measured, again and again, no two with the same figures. */
    private static List<Example> examples(CorunTable table) {
        List<Observation> measured = Contestant.observations(table, table.rows(), table.profiles(repetition -> true));
        Random random = new Random(1);
        List<Example> examples = new ArrayList<>();
        while (examples.size() < EXAMPLES) {
            Observation one = measured.get(examples.size() % measured.size());
            double[] figures = one.situation()
                    .figures()
                    .map(figure -> figure * (1 + JITTER * random.nextDouble()))
                    .toArray();
            examples.add(
                    new Example(Situation.of(figures), one.label().slowdown() * (1 + JITTER * random.nextDouble()), 1));
        }
        return examples;
    }
}
