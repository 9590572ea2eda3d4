package org.interference.yarn.app;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.interference.yarn.learn.Experience;
import org.interference.yarn.learn.ModelStore;
import org.interference.yarn.learn.ModelVersion;
import org.interference.yarn.learn.cluster.Characterisation;
import org.interference.yarn.signal.Capacities;

/** Where what was learnt beside the profiles outlives the process. Thread-safe; nothing but {@link #load} throws. */
public interface LearntStore extends ModelStore {
    /**
     * Reads what an earlier life left.
     *
     * @throws IOException if it cannot be read now: then nothing is known of it, and it is as it was
     */
    Learnt load() throws IOException;

    /**
     * Keeps {@code experience} in place of the last one.
     *
     * @return what went wrong, as sentences
     */
    List<String> save(Experience experience);

    /** Returns which profiles were alike when that was last saved; empty if it never was, or cannot be read. */
    Optional<Characterisation> characterisation();

    /**
     * Returns in which node's shares profiles are, and what was learnt of tasks; unknown if that was never kept, or is nothing that can be understood.
     *
     * @throws IOException if it cannot be read now
     */
    Capacities reference() throws IOException;

    /**
     * Keeps it.
     *
     * @return what went wrong, as sentences
     */
    List<String> save(Capacities reference);

    /** Keeps which profiles are alike; a failure is only logged, because it can be found again. */
    void save(Characterisation characterisation);

    /**
     * What an earlier life left. Immutable.
     *
     * @param versions oldest first
     * @param problem what could not be understood, as a sentence
     */
    record Learnt(List<ModelVersion> versions, Experience experience, Optional<String> problem) {
        public static final Learnt NOTHING = new Learnt(List.of(), Experience.NONE, Optional.empty());

        public Learnt {
            versions = List.copyOf(versions);
            Objects.requireNonNull(experience, "experience is null");
            Objects.requireNonNull(problem, "problem is null");
        }
    }
}
