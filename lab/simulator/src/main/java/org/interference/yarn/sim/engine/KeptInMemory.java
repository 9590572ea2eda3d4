package org.interference.yarn.sim.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.app.LearntStore;
import org.interference.yarn.learn.Experience;
import org.interference.yarn.learn.ModelVersion;
import org.interference.yarn.learn.cluster.Characterisation;
import org.interference.yarn.signal.Capacities;

/** What one life of a simulated cluster leaves for the next. */
final class KeptInMemory implements LearntStore {
    private final List<ModelVersion> versions;
    private Experience experience;
    private Capacities reference = Capacities.UNKNOWN;
    private Optional<Characterisation> characterisation = Optional.empty();

    KeptInMemory(Learnt before) {
        versions = new ArrayList<>(before.versions());
        experience = before.experience();
    }

    @Override
    public synchronized Learnt load() {
        return new Learnt(versions, experience, Optional.empty());
    }

    @Override
    public synchronized List<String> save(ModelVersion version) {
        versions.add(version);
        return List.of();
    }

    @Override
    public synchronized List<String> save(Experience seen) {
        experience = seen;
        return List.of();
    }

    @Override
    public synchronized Capacities reference() {
        return reference;
    }

    @Override
    public synchronized List<String> save(Capacities seen) {
        reference = seen;
        return List.of();
    }

    @Override
    public synchronized Optional<Characterisation> characterisation() {
        return characterisation;
    }

    @Override
    public synchronized void save(Characterisation found) {
        characterisation = Optional.of(found);
    }
}
