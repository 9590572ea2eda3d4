package org.interference.yarn.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.interference.yarn.fixture.CoRuns;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.predict.Calibration.Correction;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ComposedPredictorTest extends SlowdownPredictorLaws {
    private static final Random RANDOM = new Random(11);
    private static final List<InterferenceVector> KINDS = CoRuns.kinds(RANDOM, 8);
    private static final LearnedPredictor CHAMPION = champion(CoRuns.anything(RANDOM, 400));
    private static final Correction AS_IT_IS =
            new Correction(1, 1, true, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), false);

    private static LearnedPredictor champion(List<Example> examples) {
        return new LearnedPredictor("linear", new LinearTrainer().train(examples), Domain.of(examples));
    }

    @Override
    protected SlowdownPredictor predictor() {
        ComposedPredictor composed = new ComposedPredictor();
        composed.use(new Composition(
                PriorPredictor.PUBLISHED,
                Optional.of(CHAMPION),
                new Calibration(
                        new Correction(
                                1.5,
                                0.7,
                                true,
                                OptionalDouble.empty(),
                                OptionalDouble.empty(),
                                OptionalDouble.empty(),
                                false),
                        Map.of())));
        return composed;
    }

    /** Where the learned model ends and the prior begins, nothing may get better by one more neighbour. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void oneMoreNeighbourNeverLowersThePredictionAcrossTheBorderOfTheDomain(long seed) {
        Random random = new Random(seed);
        InterferenceVector task = KINDS.get(random.nextInt(KINDS.size()));
        List<InterferenceVector> neighbours = new ArrayList<>();
        double before = 1;

        for (int i = 0; i < 20; i++) {
            neighbours.add(Vectors.random(random));
            double after = factor(predictor().predict(task, Neighbours.of(neighbours)));
            assertThat(after).isGreaterThanOrEqualTo(before);
            before = after;
        }
    }

    @Test
    void beforeAnythingIsLearntThePriorAnswers() {
        InterferenceVector task = KINDS.get(0);
        Neighbours neighbours = Neighbours.of(KINDS);

        assertThat(new ComposedPredictor().predict(task, neighbours))
                .isEqualTo(new PriorPredictor().predict(task, neighbours));
    }

    @Test
    void insideItsDomainTheChampionAnswers() {
        Composition composition = composition(AS_IT_IS);
        Neighbours neighbours = Neighbours.of(KINDS.subList(0, 2));

        assertThat(composition.predict(KINDS.get(3), neighbours))
                .isEqualTo(CHAMPION.predict(KINDS.get(3), neighbours))
                .isInstanceOf(Prediction.Slowdown.class);
    }

    @Test
    void taskThatTheChampionRefusesIsThePriors() {
        InterferenceVector task = Vectors.cpu(0.5);
        Neighbours neighbours = Neighbours.of(KINDS.subList(0, 2));

        assertThat(CHAMPION.predict(task, neighbours)).isInstanceOf(Prediction.Unknown.class);
        assertThat(composition(AS_IT_IS).predict(task, neighbours))
                .isEqualTo(new PriorPredictor().predict(task, neighbours));
    }

    /** Of a kind that was never seen in company nobody knows whether the trees hold; what they begin with does. */
    @Test
    void ofAKindThatWasNeverSeenTreesAnswerOnlyWhereTheyCarryOver() {
        Neighbours neighbours = Neighbours.of(KINDS.subList(0, 2));
        Situation situation = Situation.of(KINDS.get(3), neighbours);
        for (boolean carries : new boolean[] {true, false}) {
            List<Example> examples = CoRuns.anything(RANDOM, 400).stream()
                    .map(example -> new Example("sort", example.situation(), example.slowdown(), 1))
                    .toList();
            BoostedModel grown = new BoostedTrainer(PriorPredictor.PUBLISHED).train(examples);
            BoostedModel model = new BoostedModel(grown.corrected(), grown.base(), grown.forest(), carries);
            Composition composition = new Composition(
                    PriorPredictor.PUBLISHED,
                    Optional.of(new LearnedPredictor("boosted", model, Domain.of(examples))),
                    new Calibration(AS_IT_IS, Map.of("sort", AS_IT_IS, "grep", AS_IT_IS)));
            double trees = Math.exp(Math.max(0, model.logSlowdown(situation)));
            double base = Math.exp(grown.base().logSlowdown(PriorPredictor.PUBLISHED, situation));
            assertThat(trees).isNotCloseTo(base, within(0.01));

            assertThat(factor(composition.of("sort").predict(situation))).isCloseTo(trees, within(1e-9));
            assertThat(factor(composition.of("grep").predict(situation)))
                    .isCloseTo(carries ? trees : base, within(1e-9));
        }
    }

    /** A cliff that one kind falls off beside readers is nothing that another of about the same levels, which has met none, is known to fall off. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void inCompanyThatItsKindHasNotMetATaskIsToldWhatOthersSufferedOnlyIfThatCarriesOver(boolean carries) {
        InterferenceVector task = new InterferenceVector(Map.of(Signal.CPU, 0.5, Signal.BLK, 0.4));
        Situation beside = Situation.of(task, Neighbours.of(List.of(Vectors.of(Signal.BLK, 0.9))));
        Situation computing = Situation.of(task, Neighbours.of(List.of(Vectors.of(Signal.CPU, 0.9))));
        Domain domain =
                Domain.of(List.of(new Example("falls", beside, 10, 1), new Example("met none", computing, 1.9, 1)));
        Composition composition = new Composition(
                PriorPredictor.PUBLISHED,
                Optional.of(new LearnedPredictor("cliff", new Cliff(carries), domain)),
                new Calibration(AS_IT_IS, Map.of("falls", AS_IT_IS, "met none", AS_IT_IS)));

        assertThat(factor(composition.of("falls").predict(beside))).isCloseTo(10, within(1e-9));
        assertThat(factor(composition.of("met none").predict(beside)))
                .isCloseTo(carries ? 10 : Cliff.BEYOND, within(1e-9));
        assertThat(composition.of("met none").equals(composition.of("falls")))
                .as("what was worked out for one holds for the other")
                .isEqualTo(carries);
        assertThat(composition.of("met none")).isEqualTo(composition.of("met none"));
    }

    /** Ten times beside whoever presses on the disk; not slowed down at all by anything else. */
    private record Cliff(boolean carries) implements Model {
        static final double BEYOND = 1.2;

        @Override
        public double logSlowdown(Situation situation) {
            return situation.beside(Signal.BLK) > 0.5 ? Math.log(10) : 0;
        }

        @Override
        public double logSlowdownBeyond(Situation situation) {
            return Math.log(BEYOND);
        }
    }

    /** Nor where the company ends that a kind was seen in. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void oneMoreNeighbourNeverLowersThePredictionAcrossTheBorderOfAKindsCompany(long seed) {
        Random random = new Random(seed);
        List<Example> examples = new ArrayList<>();
        for (Example example : CoRuns.examples(random, KINDS, 300)) {
            examples.add(new Example("kind-" + random.nextInt(5), example.situation(), example.slowdown(), 1));
        }
        BoostedModel grown = new BoostedTrainer(PriorPredictor.PUBLISHED).train(examples);
        Composition composition = new Composition(
                PriorPredictor.PUBLISHED,
                Optional.of(new LearnedPredictor(
                        "boosted",
                        new BoostedModel(grown.corrected(), grown.base(), grown.forest(), false),
                        Domain.of(examples))),
                new Calibration(AS_IT_IS, Map.of("kind-0", AS_IT_IS)));
        InterferenceVector task = KINDS.get(random.nextInt(KINDS.size()));
        List<InterferenceVector> neighbours = new ArrayList<>();
        double before = 1;

        for (int i = 0; i < 12; i++) {
            neighbours.add(KINDS.get(random.nextInt(KINDS.size())));
            double after = factor(composition.of("kind-0").predict(task, Neighbours.of(neighbours)));
            assertThat(after).isGreaterThanOrEqualTo(before);
            before = after;
        }
    }

    /** The node of another size, the task that wants more than any before. */
    @Test
    void outsideOfItsDomainWhatTreesBeginWithAnswers() {
        BoostedModel model = new BoostedTrainer(PriorPredictor.PUBLISHED)
                .train(CoRuns.examples(RANDOM, CoRuns.kinds(RANDOM, 8), 400));
        List<Example> light = CoRuns.examples(RANDOM, List.of(KINDS.get(3)), 100);
        Composition composition = new Composition(
                PriorPredictor.PUBLISHED,
                Optional.of(new LearnedPredictor("boosted", model, Domain.of(light))),
                new Calibration(AS_IT_IS, Map.of("sort", AS_IT_IS)));
        Situation outside = Situation.of(KINDS.get(0), Neighbours.of(KINDS.subList(1, 3)));
        assertThat(Domain.of(light).taskOutside(outside)).isPresent();

        double base = Math.exp(model.base()
                .logSlowdown(PriorPredictor.PUBLISHED, Domain.of(light).known(outside)));

        assertThat(factor(composition.of("sort").predict(outside)))
                .isCloseTo(Math.min(Domain.of(light).worst(), base), within(1e-9));
    }

    @Test
    void kindForWhichThePriorWasBetterIsThePriors() {
        Composition composition = new Composition(
                PriorPredictor.PUBLISHED,
                Optional.of(CHAMPION),
                new Calibration(
                        AS_IT_IS,
                        Map.of(
                                "sort",
                                new Correction(
                                        2,
                                        1,
                                        false,
                                        OptionalDouble.empty(),
                                        OptionalDouble.empty(),
                                        OptionalDouble.empty(),
                                        false))));
        InterferenceVector task = KINDS.get(0);
        Neighbours neighbours = Neighbours.of(KINDS.subList(0, 2));

        assertThat(factor(composition.of("sort").predict(task, neighbours)))
                .isCloseTo(Math.pow(factor(new PriorPredictor().predict(task, neighbours)), 2), within(1e-12));
        assertThat(composition.of("grep").predict(task, neighbours)).isEqualTo(CHAMPION.predict(task, neighbours));
    }

    @Test
    void pinnedPredictorDoesNotChangeWhenSomethingIsLearnt() {
        ComposedPredictor composed = new ComposedPredictor();
        SlowdownPredictor pinned = composed.of("sort");
        Neighbours neighbours = Neighbours.of(KINDS.subList(0, 2));
        Prediction before = pinned.predict(KINDS.get(0), neighbours);

        composed.use(composition(new Correction(
                3, 3, true, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), false)));

        assertThat(pinned.predict(KINDS.get(0), neighbours)).isEqualTo(before);
        assertThat(composed.of("sort").predict(KINDS.get(0), neighbours)).isNotEqualTo(before);
    }

    /** Processor time shows nothing of what memory costs, so that a model made of it may say that it costs nothing. */
    @Test
    void whatLabelsDoNotShowStaysThePriors() {
        InterferenceVector task = new InterferenceVector(Map.of(Signal.CPU, 0.2, Signal.MBW, 0.5, Signal.LLOCC, 0.5));
        Situation beside = Situation.of(task, Neighbours.of(List.of(task)));
        Correction denying = new Correction(
                0.25, 1, false, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), false);
        Correction blind = new Correction(
                0.25, 1, false, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), true);
        double memory = PriorPredictor.PUBLISHED.byMemory(beside, Pressure.NONE);

        double published = PriorPredictor.PUBLISHED.slowdown(beside, Pressure.NONE);
        double corrected = memory * Math.pow(published / memory, 0.25);
        assertThat(memory).isGreaterThan(1.2).isLessThan(published);
        assertThat(factor(composition(denying).predict(beside))).isLessThan(memory);
        assertThat(factor(composition(blind).predict(beside))).isCloseTo(corrected, within(1e-12));
        assertThat(factor(composition(blind).predict(beside.alone()))).isEqualTo(1);
        assertThat(composition(blind).slowdown(Situation.of(task, Neighbours.NONE), Pressure.of(task)))
                .isCloseTo(corrected, within(1e-12));
    }

    /** A model that has seen memory pressed, and was told that it costs nothing. */
    @Test
    void whatLabelsDoNotShowIsAFactorOfTheModels() {
        InterferenceVector task = new InterferenceVector(Map.of(Signal.CPU, 0.2, Signal.MBW, 0.5, Signal.LLOCC, 0.5));
        Situation beside = Situation.of(task, Neighbours.of(List.of(task)));
        List<Example> seen = List.of(new Example(beside, 1.5, 1), new Example(beside.alone(), 1, 1));
        LearnedPredictor learned = new LearnedPredictor("half", situation -> Math.log(1.5), Domain.of(seen));
        Correction blind = new Correction(
                1, 1, true, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), true);

        Composition composition =
                new Composition(PriorPredictor.PUBLISHED, Optional.of(learned), new Calibration(blind, Map.of()));

        assertThat(factor(composition.predict(beside)))
                .isCloseTo(1.5 * PriorPredictor.PUBLISHED.byMemory(beside, Pressure.NONE), within(1e-12));
        assertThat(factor(composition.predict(beside.alone()))).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {64, 1e9, 1e30, Double.MAX_VALUE})
    void whateverAProfileSaysThereIsAnAnswer(double level) {
        InterferenceVector absurd = new InterferenceVector(
                Arrays.stream(Signal.values()).collect(Collectors.toMap(Function.identity(), signal -> level)));
        Composition raised = new Composition(
                PriorPredictor.PUBLISHED,
                Optional.of(CHAMPION),
                new Calibration(
                        new Correction(
                                4,
                                4,
                                true,
                                OptionalDouble.empty(),
                                OptionalDouble.empty(),
                                OptionalDouble.empty(),
                                false),
                        Map.of()));

        for (InterferenceVector task : List.of(KINDS.get(0), absurd)) {
            for (List<InterferenceVector> beside : List.of(KINDS, List.of(absurd, absurd, absurd))) {
                Situation situation = Situation.of(task, Neighbours.of(beside));
                assertThat(raised.predict(situation)).isInstanceOf(Prediction.Slowdown.class);
                assertThat(Composition.PRIOR.predict(situation)).isInstanceOf(Prediction.Slowdown.class);
                assertThat(new Composition(PriorPredictor.PUBLISHED, Optional.empty(), raised.calibration())
                                .predict(situation))
                        .isInstanceOf(Prediction.Slowdown.class);
            }
        }
    }

    private static Composition composition(Correction correction) {
        return new Composition(PriorPredictor.PUBLISHED, Optional.of(CHAMPION), new Calibration(correction, Map.of()));
    }
}
