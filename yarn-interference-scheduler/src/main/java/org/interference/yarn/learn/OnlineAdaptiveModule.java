package org.interference.yarn.learn;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import org.interference.yarn.predict.Calibration;
import org.interference.yarn.predict.ComposedPredictor;
import org.interference.yarn.predict.Composition;
import org.interference.yarn.predict.Domain;
import org.interference.yarn.predict.Example;
import org.interference.yarn.predict.LearnedPredictor;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.predict.Trainer;

/**
 * Keeps a {@link ComposedPredictor} right (DESIGN.md section 5.3; the thesis's Online Adaptive Module, section 5.3.2): takes
 * observations, watches the live error, calibrates, says when to train, trains, and lets the better model win. Thread-safe.
 *
 * <p>{@link #observe} is short. {@link #train} takes seconds and holds the lock only to begin and to end; it is for a thread of
 * its own, one at a time. A challenger wins only if on the held-out observations, which no model was trained on, it is clearly better
 * than the prior and than the champion: in the mean of the paired differences, by more than their standard error. A champion that there
 * has become clearly worse than the prior goes.
 */
public final class OnlineAdaptiveModule {
    /** Below this many held-out observations nothing is compared. */
    static final int LEAST_HELD_OUT = 20;

    /** The next round comes when so much more was observed since the last drift, or as much as the buffer holds. */
    private static final double GROWTH = 1.2;

    private static final int VERSIONS_KEPT = 20;

    private static final int ROUNDS_KEPT = 50;
    static final int MOST_KINDS = 2000;
    /** In logarithms of a slowdown: a rise of the mean error by 5 % is no drift; thirty errors larger by 15 % are one. */
    private static final double DRIFT_TOLERANCE = 0.05;

    private static final double DRIFT_THRESHOLD = 3.0;
    /** A larger error says no more: on a cliff, as of a disk queue, a single one is ten times as large as all others. */
    private static final double LARGEST_MISS = 0.5;

    private final ComposedPredictor predictor;
    private final List<Trainer> trainers;
    private final ModelStore store;
    private final int leastExamples;
    private final SampleBuffer buffer;
    private final int bufferSize;
    private final LiveCalibration calibration = new LiveCalibration(MOST_KINDS);
    private final PageHinkley drift = new PageHinkley(DRIFT_TOLERANCE, DRIFT_THRESHOLD);
    private final Deque<ModelVersion> versions = new ArrayDeque<>();
    private final Deque<TrainingRound> rounds = new ArrayDeque<>();
    private final Deque<Reign> reigns = new ArrayDeque<>();
    private final Accuracy accuracy = new Accuracy();
    private Optional<ModelVersion> champion = Optional.empty();
    private Optional<Instant> lastRound = Optional.empty();
    private Optional<String> loadProblem = Optional.empty();
    private Optional<String> saveProblem = Optional.empty();
    private long observedAtLastRound;
    private boolean drifted;
    private boolean asked;
    private long drifts;
    private long trainings;

    /**
     * @param predictor what this keeps right; nobody else may change it
     * @param trainers the challengers' makers
     * @param bufferSize how many observations are kept to train on
     * @param leastExamples before there are as many, nothing is trained
     * @param random decides what is held out and what is forgotten
     */
    public OnlineAdaptiveModule(
            ComposedPredictor predictor,
            List<Trainer> trainers,
            ModelStore store,
            int bufferSize,
            int leastExamples,
            Random random) {
        this.predictor = predictor;
        this.trainers = List.copyOf(trainers);
        this.store = store;
        this.bufferSize = bufferSize;
        this.leastExamples = leastExamples;
        this.buffer = new SampleBuffer(bufferSize, random);
    }

    /**
     * Takes over what an earlier life stored: the newest version is the champion, and it is corrected by what it was not trained on. That
     * may be long after this life began: its observations are kept, and versions that it has made give way to stored ones.
     *
     * @param broken what could not be understood, as a sentence
     */
    public synchronized void restore(
            Collection<ModelVersion> stored, Experience.Samples samples, Optional<String> broken) {
        List<Observation> meanwhile = buffer.newest();
        if (versions.isEmpty() || !stored.isEmpty()) {
            versions.clear();
            reigns.clear();
            stored.stream()
                    .sorted(Comparator.comparingInt(ModelVersion::number))
                    .forEach(versions::addLast);
            champion = Optional.ofNullable(versions.peekLast());
            reigns.addLast(new Reign(Instant.MIN, champion.map(ModelVersion::number)));
        }
        loadProblem = broken;
        saveProblem = Optional.empty();
        buffer.restore(samples);
        meanwhile.forEach(buffer::add);
        Set<Observation> heldOut = new HashSet<>(buffer.heldOut(Integer.MAX_VALUE));
        for (Observation observation : buffer.newest()) {
            Optional<LearnedPredictor> untaught = champion.filter(version ->
                            heldOut.contains(observation) || observation.at().isAfter(version.trainedAt()))
                    .map(ModelVersion::predictor);
            calibration.observe(untaught, observation);
        }
        publish();
        expectErrorsAs(buffer.heldOut(LEAST_HELD_OUT));
    }

    /** Takes note that what an earlier life stored cannot be taken over yet; {@code problem} says why, as a sentence. */
    public synchronized void notRestored(String problem) {
        loadProblem = Optional.of(problem);
    }

    /** Returns the observations that are kept, for a next life. */
    public synchronized Experience.Samples samples() {
        return buffer.samples();
    }

    /** Takes note that the store did not keep something, or that it did: then {@code failures} is empty. */
    public synchronized void stored(List<String> failures) {
        saveProblem = failures.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", failures));
    }

    /** Learns from one observation. What it changes is in the predictor's answers after the next {@link #publish}. */
    public synchronized void observe(Observation observation) {
        Calibration.Correction correction = calibration.current(observation.kind());
        Composition asked =
                new Composition(champion.map(ModelVersion::predictor), new Calibration(correction, Map.of()));
        if (asked.predict(observation.situation()) instanceof Prediction.Slowdown answer) {
            calibration.answered(answer.factor(), observation);
            if (Composition.PRIOR.predict(observation.situation()) instanceof Prediction.Slowdown prior) {
                accuracy.add(answer.factor(), prior.factor(), observation.label(), observation.at());
            }
            double miss = miss(answer, observation);
            // The prior's errors vary so much that they show nothing; while it answers, more observations are what
            // helps.
            if (champion.isPresent() && drift.rises(miss)) {
                drifted = true;
                drifts++;
                buffer.drifted();
                calibration.forget();
            }
        }
        calibration.observe(champion.map(ModelVersion::predictor), observation);
        buffer.add(observation);
    }

    /** Returns the absolute error in logarithms, at most {@value #LARGEST_MISS}. */
    private static OptionalDouble miss(Composition asked, Observation observation) {
        return asked.predict(observation.situation()) instanceof Prediction.Slowdown answer
                ? OptionalDouble.of(miss(answer, observation))
                : OptionalDouble.empty();
    }

    private static double miss(Prediction.Slowdown answer, Observation observation) {
        double miss = Math.abs(Math.log(answer.factor() / observation.label().slowdown()));
        return Math.min(LARGEST_MISS, miss);
    }

    /** Lets the predictor answer by what was learnt so far. */
    public synchronized void publish() {
        predictor.use(new Composition(champion.map(ModelVersion::predictor), calibration.current()));
    }

    /** Returns why it is time to train, if it is. */
    public synchronized Optional<TrainingRound.Trigger> due(Instant now) {
        if (asked) {
            return Optional.of(TrainingRound.Trigger.ASKED);
        }
        boolean tooSoon = lastRound.isPresent()
                && lastRound.get().plus(TrainingRound.LEAST_INTERVAL).isAfter(now);
        if (tooSoon || buffer.size() < leastExamples) {
            return Optional.empty();
        }
        long news = buffer.total() - observedAtLastRound;
        if (drifted && news >= LEAST_HELD_OUT) {
            return Optional.of(TrainingRound.Trigger.DRIFT);
        }
        if (lastRound.isEmpty()) {
            return Optional.of(TrainingRound.Trigger.FIRST);
        }
        double enough = Math.min(bufferSize, (GROWTH - 1) * (observedAtLastRound - buffer.totalAtDrift()));
        return news >= Math.max(LEAST_HELD_OUT, enough)
                ? Optional.of(TrainingRound.Trigger.MORE_OBSERVATIONS)
                : Optional.empty();
    }

    /** Trains every challenger and lets the best win. For one thread at a time, and never a scheduling one. */
    public TrainingRound train(TrainingRound.Trigger trigger, Instant now) {
        List<Example> examples;
        List<Observation> heldOut;
        Optional<ModelVersion> before;
        synchronized (this) {
            examples = buffer.training();
            heldOut = buffer.heldOut(LEAST_HELD_OUT);
            before = champion;
            observedAtLastRound = buffer.total();
            lastRound = Optional.of(now);
            drifted = false;
            asked = false;
        }
        if (examples.isEmpty() || heldOut.size() < LEAST_HELD_OUT) {
            String reason = "%d observations are held out, and %d are needed to compare by"
                    .formatted(heldOut.size(), LEAST_HELD_OUT);
            return concluded(new TrainingRound(
                    now, trigger, examples.size(), heldOut.size(), Map.of(), Optional.empty(), reason));
        }
        Domain domain = Domain.of(examples);
        Map<String, LearnedPredictor> challengers = new LinkedHashMap<>();
        for (Trainer trainer : trainers) {
            challengers.put(trainer.name(), new LearnedPredictor(trainer.name(), trainer.train(examples), domain));
        }
        Map<String, Misses> misses = new LinkedHashMap<>();
        Misses priors = Misses.of(Optional.empty(), heldOut);
        misses.put(PriorPredictor.NAME, priors);
        Optional<Misses> champions = before.map(version -> Misses.of(Optional.of(version.predictor()), heldOut));
        champions.ifPresent(its -> misses.put("champion", its));
        challengers.forEach((name, challenger) -> misses.put(name, Misses.of(Optional.of(challenger), heldOut)));
        LearnedPredictor best = challengers.values().stream()
                .min(Comparator.comparingDouble(
                        challenger -> misses.get(challenger.name()).mean()))
                .orElseThrow();
        Misses its = misses.get(best.name());
        boolean wins = its.areClearlyFewerThan(priors)
                && champions.map(its::areClearlyFewerThan).orElse(true);
        Optional<ModelVersion> winner = wins
                ? Optional.of(new ModelVersion(
                        nextNumber(), now, best, examples.size(), heldOut.size(), its.mean(), priors.mean()))
                : Optional.empty();
        boolean championFails =
                !wins && champions.map(priors::areClearlyFewerThan).orElse(false);
        String reason = "%s %s: its error is %.4f, the prior's %.4f%s%s"
                .formatted(
                        best.name(),
                        wins ? "won" : "is not clearly better",
                        its.mean(),
                        priors.mean(),
                        champions
                                .map(of -> ", the champion's %.4f".formatted(of.mean()))
                                .orElse(""),
                        championFails ? "; the champion goes, as the prior is clearly better" : "");
        Map<String, Double> errors = new LinkedHashMap<>();
        misses.forEach((name, of) -> errors.put(name, of.mean()));
        if ((winner.isPresent() || championFails) && !crown(before, winner, heldOut, now)) {
            return concluded(new TrainingRound(
                    now,
                    trigger,
                    examples.size(),
                    heldOut.size(),
                    errors,
                    Optional.empty(),
                    reason + "; nothing follows from that, as another champion came meanwhile"));
        }
        return concluded(new TrainingRound(
                now, trigger, examples.size(), heldOut.size(), errors, winner.map(ModelVersion::number), reason));
    }

    private synchronized int nextNumber() {
        return versions.isEmpty() ? 1 : versions.peekLast().number() + 1;
    }

    /** Returns false if the champion is not the one any more that was compared with; its number may be taken then, too. */
    private boolean crown(
            Optional<ModelVersion> before, Optional<ModelVersion> winner, List<Observation> heldOut, Instant now) {
        synchronized (this) {
            if (!champion.equals(before)) {
                return false;
            }
            winner.ifPresent(version -> {
                versions.addLast(version);
                if (versions.size() > VERSIONS_KEPT) {
                    versions.removeFirst();
                }
            });
            succeed(winner, heldOut, now);
        }
        stored(winner.map(store::save).orElse(List.of()));
        return true;
    }

    /** What the new champion was not trained on shows how it is to be corrected. */
    private void succeed(Optional<ModelVersion> next, List<Observation> heldOut, Instant now) {
        champion = next;
        reigns.addLast(new Reign(now, next.map(ModelVersion::number)));
        if (reigns.size() > ROUNDS_KEPT) {
            reigns.removeFirst();
        }
        calibration.newChampion();
        next.ifPresent(version ->
                heldOut.forEach(observation -> calibration.observe(Optional.of(version.predictor()), observation)));
        publish();
        expectErrorsAs(heldOut);
    }

    /** Errors as of these are no drift. */
    private void expectErrorsAs(List<Observation> heldOut) {
        double expected = heldOut.stream()
                .flatMapToDouble(observation -> miss(predictor.current().of(observation.kind()), observation).stream())
                .average()
                .orElse(0);
        drift.expect(expected, heldOut.size());
    }

    private synchronized TrainingRound concluded(TrainingRound round) {
        trainings++;
        rounds.addLast(round);
        if (rounds.size() > ROUNDS_KEPT) {
            rounds.removeFirst();
        }
        return round;
    }

    /**
     * Asks for a training as soon as the training thread is free.
     *
     * @return false if there is too little to train on
     */
    public synchronized boolean ask() {
        asked = buffer.size() >= leastExamples;
        return asked;
    }

    /**
     * Makes an earlier version the champion again.
     *
     * @return whether there is such a version
     */
    public synchronized boolean rollBack(int number, Instant now) {
        Optional<ModelVersion> wanted =
                versions.stream().filter(version -> version.number() == number).findFirst();
        wanted.ifPresent(version -> succeed(wanted, buffer.heldOut(LEAST_HELD_OUT), now));
        return wanted.isPresent();
    }

    /** Returns everything that an operator may ask. */
    public synchronized Report report() {
        return new Report(
                champion,
                List.copyOf(versions),
                new ArrayList<>(rounds),
                buffer.size(),
                buffer.heldOut(0).size(),
                buffer.total(),
                drifts,
                trainings,
                calibration.priorError(),
                calibration.learnedError(),
                calibration.usedError(),
                calibration.current(),
                accuracy.hours(),
                List.copyOf(reigns),
                saveProblem.or(() -> loadProblem));
    }

    /**
     * Who was the champion from a moment on.
     *
     * @param version empty: the prior answers
     */
    public record Reign(Instant since, Optional<Integer> version) {}

    /**
     * The state at one moment. Errors are live: of the latest predictions, each made before its outcome was known.
     *
     * @param versions oldest first, and so are {@code rounds}
     * @param training observations kept to train on
     * @param observed ever; {@code drifts} and {@code trainings} are of this ResourceManager's life
     * @param history oldest first
     * @param reigns oldest first; the newest 50
     * @param problem what is wrong with the store, if anything is
     */
    public record Report(
            Optional<ModelVersion> champion,
            List<ModelVersion> versions,
            List<TrainingRound> rounds,
            int training,
            int heldOut,
            long observed,
            long drifts,
            long trainings,
            OptionalDouble priorError,
            OptionalDouble learnedError,
            OptionalDouble error,
            Calibration calibration,
            List<Accuracy.Hour> history,
            List<Reign> reigns,
            Optional<String> problem) {
        /** Returns which version was the champion at {@code at}; empty if the prior answered, or if that is too long ago. */
        public Optional<Integer> champion(Instant at) {
            Optional<Integer> version = Optional.empty();
            for (Reign reign : reigns) {
                if (!reign.since().isAfter(at)) {
                    version = reign.version();
                }
            }
            return version;
        }
    }
}
