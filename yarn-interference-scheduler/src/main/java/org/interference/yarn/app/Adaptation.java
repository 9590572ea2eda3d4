package org.interference.yarn.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.IntSupplier;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.fault.Part;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.ingest.ReferenceNode;
import org.interference.yarn.learn.Experience;
import org.interference.yarn.learn.FinishedTask;
import org.interference.yarn.learn.ModelVersion;
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
import org.interference.yarn.signal.Capacities;
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

    private static final String REFERENCE = "reference node";
    private static final String OBSERVATIONS = "observations";

    private final OnlineAdaptiveModule module;
    private final SlowdownObserver observer;
    private final LearntStore store;
    private final Faults faults;
    private final InstantSource clock;
    private final ExecutorService training;
    private final BiConsumer<String, Runnable> writing;
    /** What the store had, until the thread that looks takes it over. */
    private final AtomicReference<Loaded> loaded = new AtomicReference<>();
    /** Before what the store has is known here, nothing may replace it there. */
    private volatile boolean mayWrite;

    private Future<?> round;
    private volatile Instant nextRound = Instant.MIN;
    private volatile Optional<Characterisation> characterisation = Optional.empty();
    private Instant nextCharacterisation = Instant.MIN;
    private Instant nextSave = Instant.MIN;
    /** How many observations there were when they were last saved. */
    private volatile long totalSaved;

    private final ProfileRepository profiles;
    private final IntSupplier clusters;
    private final ReferenceNode reference;
    private volatile Capacities referenceSaved = Capacities.UNKNOWN;
    /** The newest model, as long as the store does not have it; null once it has. */
    private final AtomicReference<ModelVersion> modelToSave = new AtomicReference<>();
    /** Secret; the same for as long as the process lives, so that the same kinds give the same clusters. */
    private final String order;

    /**
     * @param predictor what is kept right
     * @param clusters into how many profiles that are alike are put; 0: as many as look best
     * @param reference in whose shares profiles are
     * @param training where trainings run, one at a time
     * @param writing has something written to {@code store}, under a name, once that is possible
     */
    Adaptation(
            ComposedPredictor predictor,
            ProfileRepository profiles,
            IntSupplier clusters,
            ReferenceNode reference,
            LearntStore store,
            ExecutorService training,
            BiConsumer<String, Runnable> writing,
            Faults faults,
            InstantSource clock,
            Random random) {
        this.faults = faults;
        this.profiles = profiles;
        this.clusters = clusters;
        this.reference = reference;
        this.store = store;
        this.module = new OnlineAdaptiveModule(
                predictor,
                List.of(new LinearTrainer(), new BoostedTrainer(predictor.prior())),
                this::save,
                BUFFER,
                LEAST_EXAMPLES,
                random);
        this.observer = new SlowdownObserver(profiles);
        this.order = Long.toHexString(random.nextLong());
        this.training = training;
        this.writing = writing;
        this.clock = clock;
    }

    private record Loaded(
            LearntStore.Learnt learnt, Optional<Characterisation> characterisation, Capacities reference) {}

    /**
     * Reads what an earlier life left; it is used at the next {@link #tick}. From any thread.
     *
     * @return false if it cannot be read now; until it was, nothing is saved
     */
    boolean load() {
        try {
            loaded.set(new Loaded(store.load(), store.characterisation(), store.reference()));
            return true;
        } catch (IOException | RuntimeException e) {
            module.notRestored(String.valueOf(e.getMessage()));
            faults.note(Part.STORE, e);
            return false;
        }
    }

    /** Takes over what was loaded, if anything was. From the thread that {@link #tick}s, or before there is one. */
    void takeOver() {
        Loaded found = loaded.getAndSet(null);
        if (found == null) {
            return;
        }
        reference.restore(found.reference());
        referenceSaved = found.reference();
        Experience experience = found.learnt().experience();
        module.restore(
                found.learnt().versions(), experience.samples(), found.learnt().problem());
        observer.restore(experience);
        totalSaved = experience.samples().total();
        if (characterisation.isEmpty()) {
            use(found.characterisation());
        }
        mayWrite = true;
        if (found.learnt().versions().isEmpty()) {
            // Of this life, if there is one; a failure is said later.
            module.report().champion().ifPresent(this::save);
        }
    }

    private List<String> save(ModelVersion version) {
        if (!mayWrite) {
            return List.of("the store is not open; model version %d is kept in memory".formatted(version.number()));
        }
        modelToSave.set(version);
        writing.accept(OnlineAdaptiveModule.MODEL, this::saveModel);
        return List.of();
    }

    /** One that could not be written is tried again. */
    private void saveModel() {
        ModelVersion version = modelToSave.get();
        if (version == null) {
            return;
        }
        List<String> failures = store.save(version);
        module.stored(OnlineAdaptiveModule.MODEL, failures);
        if (failures.isEmpty()) {
            // But for one that has come meanwhile.
            modelToSave.compareAndSet(version, null);
        }
    }

    /** Looks at what shares a node. For every report as it comes, from any thread. */
    void look(NodeSample node, Instant now) {
        observer.look(node, now);
    }

    /** Learns from what has finished; begins a training if it is time. */
    void tick(List<FinishedTask> finished, Instant now) {
        takeOver();
        observer.finished(finished).forEach(module::observe);
        keepReference();
        module.publish();
        Optional<TrainingRound.Trigger> due = module.due(now);
        if (due.isPresent() && (round == null || round.isDone()) && !now.isBefore(nextRound)) {
            round = training.submit(() -> faults.safely(Part.LEARNING, () -> train(due.get(), now)));
        }
        if (!now.isBefore(nextCharacterisation)) {
            nextCharacterisation = now.plus(BETWEEN_CHARACTERISATIONS);
            // Its outcome is never asked for: whatever it throws is noted.
            Future<?> unused = training.submit(() -> faults.safely(Part.LEARNING, this::characterise));
        }
        if (!now.isBefore(nextSave)) {
            nextSave = now.plus(BETWEEN_SAVES);
            save();
        }
    }

    /** At once: what is kept of tasks is in its shares. */
    private void keepReference() {
        Capacities known = reference.capacities();
        if (mayWrite && !known.equals(referenceSaved)) {
            // Until it is kept: of several under one name the newest is written.
            writing.accept(REFERENCE, () -> save(known));
        }
    }

    private void save(Capacities known) {
        List<String> failures = store.save(known);
        module.stored(REFERENCE, failures);
        if (failures.isEmpty()) {
            referenceSaved = known;
        }
    }

    /** Has what is not kept yet written. From the thread that {@link #tick}s, or once that has ended. */
    void save() {
        if (modelToSave.get() != null) {
            writing.accept(OnlineAdaptiveModule.MODEL, this::saveModel);
        }
        unsaved().ifPresent(experience -> writing.accept(OBSERVATIONS, () -> save(experience)));
    }

    /** Forgets containers that nobody reports any more. */
    void sweep(Instant now) {
        observer.sweep(now);
    }

    private Optional<Experience> unsaved() {
        if (!mayWrite) {
            return Optional.empty();
        }
        Experience experience = observer.experience(module.samples());
        return Optional.of(experience).filter(seen -> seen.samples().total() > totalSaved);
    }

    private void save(Experience experience) {
        List<String> failures = store.save(experience);
        module.stored(OBSERVATIONS, failures);
        if (failures.isEmpty()) {
            totalSaved = experience.samples().total();
        }
    }

    private void train(TrainingRound.Trigger trigger, Instant now) {
        TrainingRound done = module.train(trigger, now);
        Duration took = Duration.between(now, clock.instant());
        nextRound = now.plus(took.multipliedBy(ROUNDS_IN_WHICH_ONE_TRAINS));
        LOG.info("trained on {} examples ({}): {}", done.examples(), trigger, done.reason());
    }

    private void characterise() {
        Map<String, InterferenceVector> loads = new HashMap<>();
        profiles.all().stream()
                .filter(profile -> !profile.key().level().isCoarse())
                .filter(profile -> profiles.state(profile) == ProfileState.KNOWN)
                .forEach(profile -> loads.put(profile.key().text(), profile.load()));
        Optional<Characterisation> found = Characteriser.of(mixed(loads), clusters.getAsInt());
        found.filter(clusters -> mayWrite)
                .ifPresent(clusters -> writing.accept("characterisation", () -> store.save(clusters)));
        use(found);
    }

    /**
     * Puts kinds in an order that nobody outside can work out. Which of very many take part, and what number a cluster has, is shown to
     * everybody: by the order of their names it would tell of those.
     */
    private SortedMap<String, InterferenceVector> mixed(Map<String, InterferenceVector> loads) {
        Map<String, UUID> places = new HashMap<>();
        loads.keySet()
                .forEach(
                        key -> places.put(key, UUID.nameUUIDFromBytes((order + key).getBytes(StandardCharsets.UTF_8))));
        SortedMap<String, InterferenceVector> mixed = new TreeMap<>(Comparator.comparing(places::get));
        mixed.putAll(loads);
        return mixed;
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
