package org.interference.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.fault.Part;
import org.interference.yarn.fixture.CoRuns;
import org.interference.yarn.ingest.ReferenceNode;
import org.interference.yarn.learn.Experience;
import org.interference.yarn.learn.ModelVersion;
import org.interference.yarn.learn.Observation;
import org.interference.yarn.learn.OnlineAdaptiveModule;
import org.interference.yarn.predict.ComposedPredictor;
import org.interference.yarn.predict.Domain;
import org.interference.yarn.predict.Example;
import org.interference.yarn.predict.LearnedPredictor;
import org.interference.yarn.predict.LinearTrainer;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.store.LocalDirectory;
import org.interference.yarn.profile.store.StoreDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdaptationTest {
    private static final String OBSERVATIONS = "observations-00000001.jsonl";
    private static final String MODEL = "model-00000007.json";

    @TempDir
    private Path directory;

    private final Random random = new Random(1);
    private final List<Example> examples = CoRuns.examples(random, CoRuns.kinds(random, 6), 300);
    private final Faults faults = new Faults(() -> T0, (message, error) -> {});
    private final Experience stored = ExperienceJsonTest.experience(new Random(1));
    private final Observation meanwhile = stored.samples().recent().get(0).observation();
    /** Files whose blocks nobody has yet. */
    private final Set<String> missing = new HashSet<>();

    private boolean full;

    private final ModelFiles files = new ModelFiles("models", location -> withoutMissing(), () -> T0);
    private final Adaptation adaptation = new Adaptation(
            new ComposedPredictor(),
            new ProfileRepository(1),
            () -> 0,
            new ReferenceNode(),
            files,
            new AtOnce(),
            (name, writing) -> writing.run(),
            faults,
            () -> T0,
            random);

    private StoreDirectory withoutMissing() {
        StoreDirectory local = new LocalDirectory(directory);
        return (StoreDirectory) Proxy.newProxyInstance(
                StoreDirectory.class.getClassLoader(),
                new Class<?>[] {StoreDirectory.class},
                (proxy, method, given) -> {
                    if (method.getName().equals("read") && missing.contains(given[0])) {
                        throw new IOException("could not obtain block of " + given[0]);
                    }
                    if (full && given != null && Arrays.asList(given).contains(MODEL)) {
                        throw new IOException("no space for " + MODEL);
                    }
                    try {
                        return method.invoke(local, given);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static final class AtOnce extends AbstractExecutorService {
        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return false;
        }
    }

    /** The file system has left its safe mode before all of its disks were back. */
    @Test
    void whatCannotBeReadYetIsNotReplacedAndIsUsedOnceItCan() throws IOException {
        files.save(stored);
        files.save(version(7));
        for (String name : List.of(OBSERVATIONS, MODEL)) {
            missing.add(name);
            assertThat(adaptation.load()).as(name).isFalse();
            adaptation.module().observe(meanwhile);
            adaptation.tick(List.of(), T0);
            adaptation.save();

            assertThat(directory.toFile().list()).containsExactlyInAnyOrder(OBSERVATIONS, MODEL);
            assertThat(report().problem().orElseThrow()).contains(name, "kept in memory");
            missing.clear();
        }
        assertThat(faults.counts()).containsEntry(Part.STORE, 2L);

        assertThat(adaptation.load()).isTrue();
        adaptation.tick(List.of(), T0);

        long all = stored.samples().total() + 2;
        assertThat(report().problem()).isEmpty();
        assertThat(report().champion()).map(ModelVersion::number).hasValue(7);
        assertThat(report().observed()).isEqualTo(all);
        adaptation.save();
        assertThat(files.load().experience().samples().total()).isEqualTo(all);
    }

    @Test
    void modelThatWonBeforeAnEmptyStoreOpenedIsWrittenThen() throws IOException {
        adaptation.module().restore(List.of(version(1)), Experience.NONE.samples(), Optional.empty());
        assertThat(adaptation.load()).isTrue();

        adaptation.tick(List.of(), T0);

        assertThat(files.load().versions()).extracting(ModelVersion::number).containsExactly(1);
    }

    @Test
    void modelThatCouldNotBeWrittenIsWrittenOnceItCan() throws IOException {
        adaptation.module().restore(List.of(version(7)), Experience.NONE.samples(), Optional.empty());
        assertThat(adaptation.load()).isTrue();
        full = true;
        adaptation.tick(List.of(), T0);
        assertThat(report().problem().orElseThrow()).contains(MODEL);
        assertThat(files.load().versions()).isEmpty();
        full = false;

        adaptation.save();

        assertThat(files.load().versions()).extracting(ModelVersion::number).containsExactly(7);
        assertThat(report().problem()).isEmpty();
    }

    private OnlineAdaptiveModule.Report report() {
        return adaptation.module().report();
    }

    private ModelVersion version(int number) {
        LinearTrainer trainer = new LinearTrainer();
        LearnedPredictor predictor = new LearnedPredictor(trainer.name(), trainer.train(examples), Domain.of(examples));
        return new ModelVersion(number, T0, predictor, examples.size(), 60, 0.05, 0.4, Map.of());
    }
}
