package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.fixture.Reports.T0;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.interference.yarn.fixture.CoRuns;
import org.interference.yarn.learn.TrainingRound.Trigger;
import org.interference.yarn.predict.BoostedTrainer;
import org.interference.yarn.predict.ComposedPredictor;
import org.interference.yarn.predict.Composition;
import org.interference.yarn.predict.Example;
import org.interference.yarn.predict.LinearTrainer;
import org.interference.yarn.predict.Model;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.predict.Trainer;
import org.interference.yarn.signal.InterferenceVector;
import org.junit.jupiter.api.Test;

class OnlineAdaptiveModuleTest {
    private static final int LEAST = 100;
    private static final String KIND = "sort";

    private final Random random = new Random(7);
    private final List<InterferenceVector> kinds = CoRuns.kinds(random, 8);
    private final ComposedPredictor predictor = new ComposedPredictor();
    private final List<ModelVersion> stored = new ArrayList<>();
    private final OnlineAdaptiveModule module =
            module(List.of(new LinearTrainer(), new BoostedTrainer(PriorPredictor.PUBLISHED)));
    private Instant now = T0;

    private OnlineAdaptiveModule module(List<Trainer> trainers) {
        return module(predictor, trainers);
    }

    private OnlineAdaptiveModule module(ComposedPredictor kept) {
        return module(kept, List.of(new LinearTrainer(), new BoostedTrainer(PriorPredictor.PUBLISHED)));
    }

    private OnlineAdaptiveModule module(ComposedPredictor kept, List<Trainer> trainers) {
        return new OnlineAdaptiveModule(
                kept,
                trainers,
                version -> {
                    stored.add(version);
                    return List.of();
                },
                1000,
                LEAST,
                new Random(1));
    }

    @Test
    void onDayOneThePriorAnswers() {
        Situation asked = CoRuns.examples(random, kinds, 1).get(0).situation();

        assertThat(predictor.current().predict(asked)).isEqualTo(new PriorPredictor().predict(asked));
        assertThat(module.due(now)).isEmpty();
        assertThat(module.report().champion()).isEmpty();
    }

    @Test
    void nothingIsTrainedBeforeThereIsEnough() {
        observe(module, CoRuns.examples(random, kinds, LEAST - 1));
        assertThat(module.due(now)).isEmpty();

        observe(module, CoRuns.examples(random, kinds, LEAST));

        assertThat(module.due(now)).contains(Trigger.FIRST);
    }

    @Test
    void modelThatIsBetterThanThePriorBecomesTheChampion() {
        List<Example> later = CoRuns.examples(random, kinds, 200);
        observe(module, CoRuns.examples(random, kinds, 600));
        double before = error(predictor.current(), later);

        TrainingRound round = module.train(Trigger.FIRST, now);

        assertThat(round.version()).contains(1);
        assertThat(error(predictor.current(), later)).isLessThan(0.10).isLessThan(before / 2);
        assertThat(stored).extracting(ModelVersion::number).containsExactly(1);
    }

    /** A champion that never looks at caches does not stand on them, and one of shares of the CPU does on those. */
    @Test
    void championSaysWhatItsAnswersStandOn() {
        observe(module, CoRuns.examples(random, kinds, 600));

        module.train(Trigger.FIRST, now);

        Map<String, Double> importance =
                module.report().champion().orElseThrow().importance();
        assertThat(importance.getOrDefault("own.futex", 0.0)).isZero();
        assertThat(importance.get("beside.cpu")).isGreaterThan(0.02);
        assertThat(importance.keySet()).isSubsetOf(Situation.NAMES);
    }

    @Test
    void intervalsHoldOfWhatHappensAfterThem() {
        observe(module, CoRuns.examples(random, kinds, 600));
        module.train(Trigger.FIRST, now);

        observe(module, CoRuns.examples(random, kinds, 3000));
        module.publish();

        assertThat(module.report().cover().orElseThrow()).isBetween(0.88, 0.92);
        assertThat(predictor.current().of(KIND).spread().orElseThrow()).isBetween(0.02, 0.3);
        assertThat(predictor.current().of("never seen").spread())
                .isEqualTo(module.report().calibration().cluster().spread());
    }

    @Test
    void modelThatIsWorseThanThePriorNeverAnswers() {
        OnlineAdaptiveModule foolish = module(List.of(always(5)));
        List<Example> examples = CoRuns.examples(random, kinds, 600);
        observe(foolish, examples);

        TrainingRound round = foolish.train(Trigger.FIRST, now);
        foolish.publish();

        assertThat(round.version()).isEmpty();
        assertThat(round.errors().get("prior")).isLessThan(round.errors().get("always"));
        assertThat(foolish.report().champion()).isEmpty();
        assertThat(predictor.current().champion()).isEmpty();
    }

    @Test
    void labelsThatAreAllTheSameTeachNothingAndThePriorAnswers() {
        observe(
                module,
                CoRuns.examples(random, kinds, 600).stream()
                        .map(example -> new Example(example.situation(), 1.5, 1))
                        .toList());

        TrainingRound round = module.train(Trigger.FIRST, now);
        module.publish();

        assertThat(round.version()).isEmpty();
        assertThat(round.reason()).startsWith("every label is 1.50, of ").endsWith(": nothing can be learnt from that");
        Situation asked = CoRuns.examples(random, kinds, 1).get(0).situation();
        assertThat(predictor.current().of("never seen").predict(asked)).isEqualTo(new PriorPredictor().predict(asked));
    }

    @Test
    void whatIsLearntOfOneKindAloneSaysNothingOfAnother() {
        List<InterferenceVector> one = kinds.subList(0, 1);
        observe(module, CoRuns.examples(random, one, 600));
        TrainingRound round = module.train(Trigger.FIRST, now);
        assertThat(round.version()).contains(1);

        for (InterferenceVector other : kinds.subList(1, kinds.size())) {
            Situation asked = Situation.of(other, Neighbours.of(one));

            assertThat(predictor.current().of("never seen").predict(asked))
                    .isEqualTo(new PriorPredictor().predict(asked));
        }
    }

    @Test
    void aClockThatIsSetBackDoesNotHoldTrainingUp() {
        observe(module, CoRuns.examples(random, kinds, 600));
        module.train(Trigger.FIRST, now);
        observe(module, CoRuns.examples(random, kinds, 600));
        assertThat(module.due(now.plusSeconds(29))).isEmpty();

        assertThat(module.due(now.minusSeconds(86_400))).contains(Trigger.MORE_OBSERVATIONS);
    }

    /** As when the store could not be read until a training ran. */
    @Test
    void whatWonBeforeStoredModelsCameReplacesNoneOfThem() {
        observe(module, CoRuns.examples(random, kinds, 600));
        module.train(Trigger.FIRST, now);
        ModelVersion first = stored.remove(0);
        AtomicReference<OnlineAdaptiveModule> late = new AtomicReference<>();
        LinearTrainer linear = new LinearTrainer();
        late.set(module(List.of(new Trainer() {
            @Override
            public String name() {
                return linear.name();
            }

            @Override
            public Model train(List<Example> examples) {
                late.get().restore(List.of(first), Experience.NONE.samples(), Optional.empty());
                return linear.train(examples);
            }
        })));
        observe(late.get(), CoRuns.examples(random, kinds, 600));

        TrainingRound round = late.get().train(Trigger.FIRST, now);

        assertThat(round.version()).isEmpty();
        assertThat(round.reason()).contains("linear won").contains("another champion came meanwhile");
        assertThat(stored).isEmpty();
        assertThat(late.get().report().versions()).containsExactly(first);
        assertThat(late.get().report().champion()).hasValue(first);
    }

    /** As shares of what was observed, its errors would be the smaller ones. */
    @Test
    void modelThatMissesEveryCliffDoesNotReplaceThePrior() {
        OnlineAdaptiveModule careless = module(List.of(always(1)));
        List<Example> steep = new ArrayList<>();
        for (Example example : CoRuns.examples(random, kinds, 12_000)) {
            if (new PriorPredictor().predict(example.situation()) instanceof Prediction.Slowdown prior
                    && prior.factor() >= 3) {
                double slowdown = prior.factor() * (steep.size() % 2 == 0 ? 8 : 0.5);
                steep.add(new Example(example.situation(), slowdown, 1));
            }
        }
        assertThat(steep).hasSizeGreaterThan(2 * LEAST);
        observe(careless, steep);

        TrainingRound round = careless.train(Trigger.FIRST, now);

        assertThat(round.version()).isEmpty();
        assertThat(round.errors().get("prior")).isLessThan(round.errors().get("always"));
    }

    @Test
    void championThatIsNotClearlyBeatenStays() {
        OnlineAdaptiveModule steady = module(List.of(new LinearTrainer()));
        observe(steady, CoRuns.examples(random, kinds, 900));
        steady.train(Trigger.FIRST, now);
        observe(steady, CoRuns.examples(random, kinds, 50));

        TrainingRound second = steady.train(Trigger.MORE_OBSERVATIONS, now);

        assertThat(second.version()).isEmpty();
        assertThat(steady.report().champion().orElseThrow().number()).isEqualTo(1);
        assertThat(second.reason()).contains("is not clearly better");
    }

    @Test
    void abruptChangeIsNoticedAndUnlearnt() {
        observe(module, CoRuns.examples(random, kinds, 800));
        module.train(Trigger.FIRST, now);
        observe(module, CoRuns.examples(random, kinds, 200));
        assertThat(module.report().drifts()).isZero();

        // From now on everything suffers twice as much, in logarithms.
        observe(module, squared(CoRuns.examples(random, kinds, 150)));
        assertThat(module.report().drifts()).isPositive();
        now = now.plusSeconds(60);
        assertThat(module.due(now)).contains(Trigger.DRIFT);
        module.train(Trigger.DRIFT, now);
        observe(module, squared(CoRuns.examples(random, kinds, 100)));
        module.publish();

        assertThat(error(predictor.of(KIND), squared(CoRuns.examples(random, kinds, 200))))
                .isLessThan(0.15);
    }

    @Test
    void steadyWorldIsNoDrift() {
        observe(module, CoRuns.examples(random, kinds, 500));
        module.train(Trigger.FIRST, now);

        observe(module, CoRuns.examples(random, kinds, 3000));

        assertThat(module.report().drifts()).isZero();
    }

    @Test
    void earlierVersionCanBeMadeTheChampionAgain() {
        observe(module, CoRuns.examples(random, kinds, 200));
        module.train(Trigger.FIRST, now);
        Composition first = predictor.current();
        observe(module, CoRuns.examples(random, CoRuns.kinds(random, 8), 800));
        assertThat(module.train(Trigger.MORE_OBSERVATIONS, now).version()).contains(2);

        assertThat(module.rollBack(1, now)).isTrue();

        assertThat(predictor.current().champion()).isEqualTo(first.champion());
        assertThat(module.rollBack(3, now)).isFalse();
    }

    @Test
    void newestStoredVersionAnswersAfterARestart() {
        observe(module, CoRuns.examples(random, kinds, 600));
        module.train(Trigger.FIRST, now);
        List<ModelVersion> read = new ArrayList<>(stored);
        Collections.reverse(read);
        ComposedPredictor restarted = new ComposedPredictor();
        OnlineAdaptiveModule next = new OnlineAdaptiveModule(
                restarted, List.of(new LinearTrainer()), ModelStore.NONE, 1000, LEAST, new Random(1));

        next.restore(read, Experience.NONE.samples(), Optional.empty());

        assertThat(restarted.current().champion())
                .contains(stored.get(stored.size() - 1).predictor());
        assertThat(restarted.predict(kinds.get(0), Neighbours.NONE)).isEqualTo(new Prediction.Slowdown(1));
    }

    @Test
    void lifeAfterARestartIsAsIfThereHadBeenNone() {
        observe(module, CoRuns.examples(random, kinds, 400));
        for (Example example : squared(CoRuns.examples(random, kinds, 60))) {
            module.observe(observation("fragile", example));
        }
        module.publish();
        List<Example> later = CoRuns.examples(random, kinds, 200);
        ComposedPredictor restarted = new ComposedPredictor();
        OnlineAdaptiveModule next = module(restarted);

        next.restore(stored, module.samples(), Optional.empty());

        assertThat(next.samples()).isEqualTo(module.samples());
        assertThat(error(restarted.of("fragile"), later)).isEqualTo(error(predictor.of("fragile"), later));
        assertThat(next.due(now)).contains(Trigger.FIRST);
        next.train(Trigger.FIRST, now);
        module.train(Trigger.FIRST, now);
        assertThat(next.report().champion().orElseThrow().error())
                .isEqualTo(module.report().champion().orElseThrow().error());
        assertThat(error(restarted.current(), later)).isEqualTo(error(predictor.current(), later));
    }

    /** As when the store's file system came up after the ResourceManager. */
    @Test
    void whatWasObservedBeforeTheStoreCouldBeReadCountsOnce() {
        OnlineAdaptiveModule inTime = module(new ComposedPredictor());
        inTime.restore(List.of(), Experience.NONE.samples(), Optional.empty());
        OnlineAdaptiveModule late = module(new ComposedPredictor());
        for (Example example : squared(CoRuns.examples(random, kinds, 40))) {
            now = now.plusSeconds(1);
            Observation observation = observation(KIND, example);
            inTime.observe(observation);
            late.observe(observation);
        }

        late.restore(List.of(), Experience.NONE.samples(), Optional.empty());

        assertThat(late.report().calibration()).isEqualTo(inTime.report().calibration());
    }

    /** What it was trained on would say that it needs no correction. */
    @Test
    void championIsCorrectedByWhatItWasNotTrainedOnAfterARestart() {
        observe(module, CoRuns.examples(random, kinds, 800));
        module.train(Trigger.FIRST, now);
        now = now.plusSeconds(60);
        for (Example example : squared(CoRuns.examples(random, kinds, 40))) {
            module.observe(observation("fragile", example));
        }
        module.publish();
        ComposedPredictor restarted = new ComposedPredictor();

        module(restarted).restore(stored, module.samples(), Optional.empty());

        List<Example> later = squared(CoRuns.examples(random, kinds, 200));
        assertThat(error(restarted.of("fragile"), later))
                .isLessThan(error(restarted.of(KIND), later) / 2)
                .isCloseTo(error(predictor.of("fragile"), later), within(0.05));
    }

    /** Of nobody whose error is unknown is a node left, or grown. */
    @Test
    void howWrongAnswersAreIsKnownAfterARestart() {
        observe(module, CoRuns.examples(random, kinds, 800));
        module.train(Trigger.FIRST, now);
        now = now.plusSeconds(60);
        observe(module, CoRuns.examples(random, kinds, 200));
        module.publish();
        ComposedPredictor restarted = new ComposedPredictor();

        module(restarted).restore(stored, module.samples(), Optional.empty());

        assertThat(restarted.of(KIND).spread().orElseThrow())
                .isCloseTo(predictor.of(KIND).spread().orElseThrow(), within(0.05));
        List<Example> later = CoRuns.examples(random, kinds, 400);
        double covered = later.stream()
                .filter(example -> isInside(restarted.of(KIND), example))
                .count();
        assertThat(covered / later.size()).isBetween(0.82, 0.98);
    }

    /** What it was trained on would say that it is hardly ever wrong. */
    @Test
    void championThatNothingHeldOutIsLeftOfSaysNotHowWrongItIs() {
        observe(module, CoRuns.examples(random, kinds, 600));
        module.train(Trigger.FIRST, now);
        Experience.Samples seen = module.samples();
        ComposedPredictor restarted = new ComposedPredictor();

        module(restarted)
                .restore(
                        stored,
                        new Experience.Samples(
                                seen.recent(),
                                seen.reservoir(),
                                List.of(),
                                seen.total(),
                                seen.left(),
                                seen.drifts(),
                                seen.totalAtDrift()),
                        Optional.empty());

        assertThat(restarted.of(KIND).spread()).isEmpty();
    }

    @Test
    void whatWasSeenBeforeADriftCountsLessAfterARestartToo() {
        observe(module, CoRuns.examples(random, kinds, 800));
        module.train(Trigger.FIRST, now);
        observe(module, squared(CoRuns.examples(random, kinds, 300)));
        assertThat(module.report().drifts()).isPositive();
        List<Example> later = squared(CoRuns.examples(random, kinds, 200));
        ComposedPredictor restarted = new ComposedPredictor();
        OnlineAdaptiveModule next = module(restarted);
        next.restore(stored, module.samples(), Optional.empty());

        next.train(Trigger.FIRST, now.plusSeconds(60));

        assertThat(error(restarted.current(), later)).isLessThan(0.15);
    }

    @Test
    void ofMoreThanThereIsRoomForTheNewestAreTakenOver() {
        observe(module, CoRuns.examples(random, kinds, 2000));
        OnlineAdaptiveModule smaller = new OnlineAdaptiveModule(
                new ComposedPredictor(), List.of(), ModelStore.NONE, 100, LEAST, new Random(1));

        smaller.restore(List.of(), module.samples(), Optional.empty());

        Experience.Samples kept = smaller.samples();
        Experience.Samples all = module.samples();
        assertThat(kept.recent()).hasSize(50).isEqualTo(all.recent().subList(450, 500));
        assertThat(kept.reservoir()).hasSize(50);
        assertThat(kept.heldOut()).hasSize(12);
        assertThat(kept.total()).isEqualTo(2000);
    }

    @Test
    void bufferAndHistoryAreBounded() {
        for (int i = 0; i < 60; i++) {
            observe(module, CoRuns.examples(random, kinds, 100));
            module.train(Trigger.MORE_OBSERVATIONS, now);
        }

        OnlineAdaptiveModule.Report report = module.report();
        assertThat(report.observed()).isEqualTo(6000);
        assertThat(report.training()).isEqualTo(1000);
        assertThat(report.heldOut()).isEqualTo(125);
        assertThat(report.rounds()).hasSize(50);
        assertThat(report.versions()).hasSizeLessThanOrEqualTo(20);
    }

    @Test
    void kindThatSuffersMoreThanItsLoadShowsIsCorrected() {
        observe(module, CoRuns.examples(random, kinds, 800));
        module.train(Trigger.FIRST, now);
        for (Example example : squared(CoRuns.examples(random, kinds, 60))) {
            module.observe(observation("fragile", example));
            observe(module, CoRuns.examples(random, kinds, 4));
        }
        module.publish();
        List<Example> later = squared(CoRuns.examples(random, kinds, 200));

        assertThat(error(predictor.of("fragile"), later)).isLessThan(error(predictor.of(KIND), later) / 2);
    }

    private void observe(OnlineAdaptiveModule into, List<Example> examples) {
        examples.forEach(example -> into.observe(observation(KIND, example)));
    }

    private Observation observation(String kind, Example example) {
        now = now.plusMillis(1);
        return new Observation(
                now, kind, example.situation(), new Label(example.slowdown(), Label.Source.RUN_TIME, example.weight()));
    }

    private static List<Example> squared(List<Example> examples) {
        return examples.stream()
                .map(example -> new Example(example.situation(), Math.pow(example.slowdown(), 2), 1))
                .toList();
    }

    private static double error(SlowdownPredictor asked, List<Example> examples) {
        Composition composition = (Composition) asked;
        return examples.stream()
                .mapToDouble(example -> composition.predict(example.situation()) instanceof Prediction.Slowdown answer
                        ? Math.abs(answer.factor() / example.slowdown() - 1)
                        : 1)
                .average()
                .orElseThrow();
    }

    private static boolean isInside(SlowdownPredictor asked, Example example) {
        Composition composition = (Composition) asked;
        return composition.predict(example.situation()) instanceof Prediction.Slowdown answer
                && Math.abs(Math.log(answer.factor() / example.slowdown()))
                        <= composition.spread().orElseThrow();
    }

    private static Trainer always(double slowdown) {
        return new Trainer() {
            @Override
            public String name() {
                return "always";
            }

            @Override
            public Model train(List<Example> examples) {
                return situation -> Math.log(slowdown);
            }
        };
    }
}
