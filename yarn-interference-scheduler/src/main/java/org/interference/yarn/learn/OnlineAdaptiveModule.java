package org.interference.yarn.learn;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.interference.yarn.predict.Calibration;
import org.interference.yarn.predict.ComposedPredictor;
import org.interference.yarn.predict.Composition;
import org.interference.yarn.predict.Example;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.Trainer;

/**
 * Keeps a {@link ComposedPredictor} right (ADR-0012; the thesis's Online Adaptive Module, section 5.3.2): takes
 * observations, watches the live error, calibrates, says when to train, trains, and lets the better model win
 * ({@link ModelComparison}). Thread-safe.
 *
 * <p>{@link #observe} is short. {@link #train} takes seconds and holds the lock only to begin and to end; it is for a thread of
 * its own, one at a time.
 */
public final class OnlineAdaptiveModule {
    /** Below this many held-out observations nothing is compared. */
    static final int LEAST_HELD_OUT = 20;

    /** What {@link #stored} calls the champion. */
    public static final String MODEL = "model";

    private static final int VERSIONS_KEPT = 20;

    private static final int ROUNDS_KEPT = 50;
    static final int MOST_KINDS = 2000;

    private final ComposedPredictor predictor;
    private final List<Trainer> trainers;
    private final ModelStore store;
    private final SampleBuffer buffer;
    private final TrainingSchedule schedule;
    private LiveCalibration calibration;
    private final DriftDetector drift = new DriftDetector();
    private final Deque<ModelVersion> versions = new ArrayDeque<>();
    private final Deque<TrainingRound> rounds = new ArrayDeque<>();
    private final Deque<Reign> reigns = new ArrayDeque<>();
    private final Accuracy accuracy = new Accuracy();
    private Optional<ModelVersion> champion = Optional.empty();
    private Optional<String> loadProblem = Optional.empty();
    private final Map<String, String> saveProblems = new TreeMap<>();
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
        this.calibration = new LiveCalibration(predictor.prior(), MOST_KINDS);
        this.trainers = List.copyOf(trainers);
        this.store = store;
        this.buffer = new SampleBuffer(bufferSize, random);
        this.schedule = new TrainingSchedule(buffer, bufferSize, leastExamples);
    }

    /**
     * Takes over what an earlier life stored: the newest version is the champion, and it is corrected by what it was not trained on, which
     * says, too, how wrong it is. That may be long after this life began: its observations are kept, and versions that it has made give
     * way to stored ones.
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
        saveProblems.clear();
        buffer.restore(samples);
        meanwhile.forEach(buffer::add);
        // What it has been taught of this life is among the newest.
        calibration = new LiveCalibration(predictor.prior(), MOST_KINDS);
        Set<Observation> heldOut = new HashSet<>(buffer.heldOut(Integer.MAX_VALUE));
        for (Observation observation : buffer.newest()) {
            boolean isTaught = champion.isPresent()
                    && !heldOut.contains(observation)
                    && !observation.at().isAfter(champion.get().trainedAt());
            if (!isTaught) {
                answer(observation).ifPresent(answer -> calibration.wouldHaveAnswered(answer, observation));
            }
            calibration.observe(isTaught ? Optional.empty() : champion.map(ModelVersion::predictor), observation);
        }
        publish();
        drift.expect(predictor.current(), buffer.heldOut(LEAST_HELD_OUT));
    }

    /** Takes note that what an earlier life stored cannot be taken over yet; {@code problem} says why, as a sentence. */
    public synchronized void notRestored(String problem) {
        loadProblem = Optional.of(problem);
    }

    /** Returns the observations that are kept, for a next life. */
    public synchronized Experience.Samples samples() {
        return buffer.samples();
    }

    /**
     * Takes note that the store did not keep something, or that it did: then {@code failures} is empty.
     *
     * @param what the same each time that it is stored
     */
    public synchronized void stored(String what, List<String> failures) {
        if (failures.isEmpty()) {
            saveProblems.remove(what);
        } else {
            saveProblems.put(what, String.join("; ", failures));
        }
    }

    /** Learns from one observation. What it changes is in the predictor's answers after the next {@link #publish}. */
    public synchronized void observe(Observation observation) {
        answer(observation).ifPresent(answer -> {
            calibration.answered(answer, observation);
            if (predictor.prior().predict(observation.situation()) instanceof Prediction.Slowdown prior) {
                accuracy.add(answer.factor(), prior.factor(), observation.label(), observation.at());
            }
            // The prior's errors vary so much that they show nothing; while it answers, more observations are what
            // helps.
            if (champion.isPresent() && drift.shows(answer, observation)) {
                schedule.drifted();
                buffer.drifted();
                calibration.forget();
            }
        });
        calibration.observe(champion.map(ModelVersion::predictor), observation);
        buffer.add(observation);
    }

    /** What is said of {@code observation} by what was learnt so far. */
    private Optional<Prediction.Slowdown> answer(Observation observation) {
        String kind = observation.kind();
        Calibration.Correction correction = calibration.current(kind);
        Composition asked = composed(new Calibration(correction, Map.of())).of(kind);
        return asked.predict(observation.situation()) instanceof Prediction.Slowdown answer
                ? Optional.of(answer)
                : Optional.empty();
    }

    /** Lets the predictor answer by what was learnt so far. */
    public synchronized void publish() {
        predictor.use(composed(calibration.current()));
    }

    private Composition composed(Calibration corrections) {
        return new Composition(predictor.prior(), champion.map(ModelVersion::predictor), corrections);
    }

    /** Returns why it is time to train, if it is. */
    public synchronized Optional<TrainingRound.Trigger> due(Instant now) {
        return schedule.due(now);
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
            schedule.begins(now);
        }
        Optional<String> useless = useless(examples, heldOut);
        if (useless.isPresent()) {
            return concluded(new TrainingRound(
                    now, trigger, examples.size(), heldOut.size(), Map.of(), Optional.empty(), useless.get()));
        }
        ModelComparison compared =
                ModelComparison.of(predictor.prior(), trainers, examples, heldOut, before.map(ModelVersion::predictor));
        Optional<ModelVersion> winner =
                compared.version(predictor.prior(), nextNumber(), now, examples.size(), heldOut);
        boolean overtaken = compared.dethrones() && !crown(before, winner, heldOut, now);
        return concluded(new TrainingRound(
                now,
                trigger,
                examples.size(),
                heldOut.size(),
                compared.errors(),
                overtaken ? Optional.empty() : winner.map(ModelVersion::number),
                overtaken
                        ? compared.reason() + "; nothing follows from that, as another champion came meanwhile"
                        : compared.reason()));
    }

    /** Returns why nothing can be learnt from these, if so. */
    private static Optional<String> useless(List<Example> examples, List<Observation> heldOut) {
        if (examples.isEmpty() || heldOut.size() < LEAST_HELD_OUT) {
            return Optional.of("%d observations are held out, and %d are needed to compare by"
                    .formatted(heldOut.size(), LEAST_HELD_OUT));
        }
        return examples.stream().mapToDouble(Example::slowdown).distinct().count() > 1
                ? Optional.empty()
                : Optional.of("every label is %.2f, of %d: nothing can be learnt from that"
                        .formatted(examples.get(0).slowdown(), examples.size()));
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
        // Whether it is kept is said once it is written; that it cannot be, at once.
        winner.map(store::save).filter(failures -> !failures.isEmpty()).ifPresent(failures -> stored(MODEL, failures));
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
                heldOut.forEach(observation -> calibration.observeLearned(version.predictor(), observation)));
        publish();
        drift.expect(predictor.current(), heldOut);
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
        return schedule.ask();
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
                drift.drifts(),
                trainings,
                calibration.priorError(),
                calibration.learnedError(),
                calibration.usedError(),
                calibration.cover(),
                calibration.current(),
                accuracy.hours(),
                List.copyOf(reigns),
                saveProblems.isEmpty() ? loadProblem : Optional.of(String.join("; ", saveProblems.values())));
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
     * @param cover what share of observations fell into the 90 % interval that was told before they were known
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
            OptionalDouble cover,
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
