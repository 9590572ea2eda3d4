package org.interference.yarn.app;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.learn.Experience;
import org.interference.yarn.learn.FinishedTask;
import org.interference.yarn.learn.OnlineAdaptiveModule;
import org.interference.yarn.learn.SlowdownObserver;
import org.interference.yarn.learn.TrainingRound;
import org.interference.yarn.learn.cluster.Characterisation;
import org.interference.yarn.learn.cluster.Characteriser;
import org.interference.yarn.predict.BoostedTrainer;
import org.interference.yarn.predict.ComposedPredictor;
import org.interference.yarn.predict.LinearTrainer;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.ProfileState;
import org.interference.yarn.signal.InterferenceVector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learning, wired: one thread looks, another trains. It goes on whatever predictor is used, so that
 * its accuracy is known before it is switched on.
 */
final class Adaptation {
    private static final Logger LOG = LoggerFactory.getLogger(Adaptation.class);
    /** Ten thousand examples are trained on in seconds and take some 5 MB. */
    private static final int BUFFER = 10_000;

    private static final int LEAST_EXAMPLES = 100;
    /** Training takes at most this part of one processor's time. */
    private static final int ROUNDS_IN_WHICH_ONE_TRAINS = 20;

    private static final Duration BETWEEN_CHARACTERISATIONS = Duration.ofMinutes(10);
    /** So much is forgotten when the process is killed; what is saved is up to 7 MB. */
    private static final Duration BETWEEN_SAVES = Duration.ofMinutes(5);

    private final OnlineAdaptiveModule module;
    private final SlowdownObserver observer;
    private final LearntStore store;
    private final InstantSource clock;
    private final ExecutorService training;
    private Future<?> round;
    private volatile Instant nextRound = Instant.MIN;
    private volatile Optional<Characterisation> characterisation = Optional.empty();
    private Instant nextCharacterisation = Instant.MIN;
    private Instant nextSave = Instant.MIN;
    /** How many observations there were when they were last saved. */
    private volatile long totalSaved;

    private final ProfileRepository profiles;

    /**
     * @param predictor what is kept right
     * @param training where trainings run, one at a time
     */
    Adaptation(
            ComposedPredictor predictor,
            ProfileRepository profiles,
            LearntStore store,
            ExecutorService training,
            InstantSource clock,
            Random random) {
        this.profiles = profiles;
        this.store = store;
        this.module = new OnlineAdaptiveModule(
                predictor, List.of(new LinearTrainer(), new BoostedTrainer()), store, BUFFER, LEAST_EXAMPLES, random);
        this.observer = new SlowdownObserver(profiles);
        this.training = training;
        this.clock = clock;
    }

    void load() {
        LearntStore.Learnt learnt = store.load();
        module.restore(learnt.versions(), learnt.experience().samples(), learnt.problem());
        observer.restore(learnt.experience());
        totalSaved = learnt.experience().samples().total();
        use(store.characterisation());
    }

    /** Looks at what shares a node. From one thread, which also {@link #tick}s. */
    void look(NodeSample node, Instant now) {
        observer.look(node, now);
    }

    /** Learns from what has finished; begins a training if it is time. */
    void tick(List<FinishedTask> finished, Instant now) {
        observer.finished(finished).forEach(module::observe);
        observer.sweep(now);
        module.publish();
        Optional<TrainingRound.Trigger> due = module.due(now);
        if (due.isPresent() && (round == null || round.isDone()) && !now.isBefore(nextRound)) {
            round = training.submit(() -> train(due.get(), now));
        }
        if (!now.isBefore(nextCharacterisation)) {
            nextCharacterisation = now.plus(BETWEEN_CHARACTERISATIONS);
            // Its outcome is never asked for: characterise() catches everything.
            Future<?> unused = training.submit(this::characterise);
        }
        if (!now.isBefore(nextSave)) {
            nextSave = now.plus(BETWEEN_SAVES);
            unsaved().ifPresent(experience -> {
                // As above.
                Future<?> unused = training.submit(() -> save(experience));
            });
        }
    }

    /** Keeps what is not kept yet. From the thread that {@link #tick}s, or once that has ended. */
    void save() {
        unsaved().ifPresent(this::save);
    }

    private Optional<Experience> unsaved() {
        Experience experience = observer.experience(module.samples());
        return Optional.of(experience).filter(seen -> seen.samples().total() > totalSaved);
    }

    @SuppressWarnings("CatchThrowable") // Learning goes on in memory.
    private void save(Experience experience) {
        try {
            List<String> failures = store.save(experience);
            module.stored(failures);
            if (failures.isEmpty()) {
                totalSaved = experience.samples().total();
            }
        } catch (Throwable e) {
            LOG.error("observations cannot be saved; they are kept in memory", e);
        }
    }

    @SuppressWarnings("CatchThrowable") // Placement goes on by the model that there is.
    private void train(TrainingRound.Trigger trigger, Instant now) {
        try {
            TrainingRound done = module.train(trigger, now);
            Duration took = Duration.between(now, clock.instant());
            nextRound = now.plus(took.multipliedBy(ROUNDS_IN_WHICH_ONE_TRAINS));
            LOG.info("trained on {} examples ({}): {}", done.examples(), trigger, done.reason());
        } catch (Throwable e) {
            LOG.error("training failed; the model stays", e);
        }
    }

    @SuppressWarnings("CatchThrowable") // Nothing is decided by it.
    private void characterise() {
        try {
            SortedMap<String, InterferenceVector> loads = new TreeMap<>();
            profiles.all().stream()
                    .filter(profile -> !profile.key().level().isCoarse())
                    .filter(profile -> profiles.state(profile) == ProfileState.KNOWN)
                    .forEach(profile -> loads.put(profile.key().text(), profile.load()));
            Optional<Characterisation> found = Characteriser.of(loads);
            found.ifPresent(store::save);
            use(found);
        } catch (Throwable e) {
            LOG.error("profiles cannot be clustered; the last clusters stay", e);
        }
    }

    private void use(Optional<Characterisation> found) {
        characterisation = found;
        profiles.classify(profile -> found.flatMap(clusters -> clusters.nearest(profile.load())
                .map(clusters.clusters()::get)
                .map(cluster -> profile.of(cluster.name(), cluster.load()))));
    }

    Optional<Characterisation> characterisation() {
        return characterisation;
    }

    OnlineAdaptiveModule module() {
        return module;
    }
}
