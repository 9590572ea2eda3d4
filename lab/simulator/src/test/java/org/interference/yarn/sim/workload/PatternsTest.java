package org.interference.yarn.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PatternsTest {
    /** Of 1,875 jobs. */
    private static final int SLOTS = 1000;

    static List<Long> seeds() {
        return new Random(34).longs(20).boxed().toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void jobsOfALoadThatDriftsComeFasterInTheEnd(long seed) {
        List<SimJob> jobs = Patterns.poisson(SimTaskKinds.all(), 30, 90).jobs(new Random(seed), SLOTS);

        // A tenth of the jobs at about 33 %, and one at about 87 %.
        int tenth = jobs.size() / 10;
        double first = seconds(jobs, 0, tenth);
        double last = seconds(jobs, jobs.size() - tenth - 1, jobs.size() - 1);
        assertThat(first / last).isBetween(1.7, 4.1);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aLoadThatDoesNotDriftIsTheSameAsOne(long seed) {
        assertThat(Patterns.poisson(SimTaskKinds.all(), 80, 80).jobs(new Random(seed), 32))
                .isEqualTo(new PoissonArrivals("poisson", 0.8, SimTaskKinds.all()).jobs(new Random(seed), 32));
    }

    /** So many applications ran what another one of them runs now, and the others what they run now. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void applicationsThatHaveChangedRanWhatOthersOfThemRunNow(long seed) {
        Pattern now = Patterns.poisson(SimTaskKinds.all(), 80, 80);
        Pattern past = Patterns.beforeChanges(now, SimTaskKinds.all(), 40);

        Map<String, String> ran = new TreeMap<>();
        past.jobs(new Random(seed), SLOTS)
                .forEach(job -> ran.put(job.name(), job.tasks().get(0).kind().name()));

        Map<String, String> changed = ran.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(entry.getValue()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        assertThat(changed).hasSize((int) Math.round(SimTaskKinds.all().size() * 0.4));
        assertThat(new TreeSet<>(changed.values())).isEqualTo(new TreeSet<>(changed.keySet()));
    }

    private static double seconds(List<SimJob> jobs, int from, int to) {
        return jobs.get(to).submitted().minus(jobs.get(from).submitted()).toMillis() / 1000.0;
    }
}
