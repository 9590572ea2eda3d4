package org.interference.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.fixture.CoRuns;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.ingest.ReferenceNode;
import org.interference.yarn.learn.cluster.Characterisation;
import org.interference.yarn.predict.ComposedPredictor;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.store.LocalDirectory;
import org.interference.yarn.signal.InterferenceVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterOrderTest {
    @TempDir
    private Path directory;

    /** The order numbers the clusters, and of very many kinds the first ones take part: strangers see both. */
    @Test
    void orderInWhichKindsAreComparedSaysNothingOfTheirNames() throws InterruptedException {
        List<String> names = new ArrayList<>();
        ProfileRepository profiles = new ProfileRepository(1);
        for (InterferenceVector load : CoRuns.kinds(new Random(1), 40)) {
            names.add("job-%02d".formatted(names.size()));
            TaskKey key = new TaskKey(TaskKey.Level.NAME, names.get(names.size() - 1));
            profiles.restore(List.of(TaskProfile.empty(key).with(Tasks.sample(load, Duration.ofSeconds(10)))));
        }

        List<String> first = compared(profiles, 1);
        List<String> second = compared(profiles, 2);

        assertThat(first).containsExactlyInAnyOrderElementsOf(names).isNotEqualTo(names);
        assertThat(second).containsExactlyInAnyOrderElementsOf(names).isNotEqualTo(names);
        assertThat(first).as("nobody outside of the process can work it out").isNotEqualTo(second);
    }

    private List<String> compared(ProfileRepository profiles, long seed) throws InterruptedException {
        ExecutorService training = Executors.newSingleThreadExecutor();
        Adaptation adaptation = new Adaptation(
                new ComposedPredictor(),
                profiles,
                () -> 0,
                new ReferenceNode(),
                new ModelFiles(directory.toString(), location -> new LocalDirectory(directory), () -> T0),
                training,
                (name, writing) -> {},
                Faults.unlogged(),
                () -> T0,
                new Random(seed));

        adaptation.tick(List.of(), T0);
        training.shutdown();
        assertThat(training.awaitTermination(1, TimeUnit.MINUTES)).isTrue();

        return adaptation.characterisation().orElseThrow().points().stream()
                .map(Characterisation.Point::key)
                .toList();
    }
}
