package org.interference.yarn.sim.faults;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.interference.yarn.profile.TaskProfile;

/** How large each collection of the plugin may be. */
final class Bounds {
    /** Whatever is not named here: of a life of some hundred containers nothing needs more. */
    private static final int OTHERS = 1100;

    private static final Map<String, Integer> MOST = Map.of("Commits.waiting", 100);

    /** Of a life that began as its act did: its end, and what it was in its first ten minutes. */
    private static final int SAMPLES_OF_A_SHORT_LIFE = 3;

    private static final int SECONDS_OF_A_SAMPLE = 600;
    /** Those that were allocated and not taken any more. */
    private static final int CONTAINERS_NOT_COUNTED = 10;

    private Bounds() {}

    /**
     * Returns what is known of each kind of task, which is no more than containers can teach, and no level that none can have.
     *
     * @param containers that were got until {@code second}
     */
    static List<LifeHistory.Size> taught(Collection<TaskProfile> profiles, int containers, int second) {
        int most = (containers + CONTAINERS_NOT_COUNTED) * (SAMPLES_OF_A_SHORT_LIFE + second / SECONDS_OF_A_SAMPLE);
        List<LifeHistory.Size> sizes = new ArrayList<>();
        for (TaskProfile profile : profiles) {
            sizes.add(new LifeHistory.Size(second, "samples of a kind", (int) profile.samples(), most));
            profile.signals()
                    .forEach((signal, levels) -> sizes.add(new LifeHistory.Size(
                            second, "level of a kind", (int) Math.ceil(levels.mean()), (int) signal.highest())));
        }
        return sizes;
    }

    static List<LifeHistory.Size> of(Object scheduler, int second) {
        List<LifeHistory.Size> sizes = new ArrayList<>();
        Plugins.sizes(scheduler)
                .forEach((what, size) ->
                        sizes.add(new LifeHistory.Size(second, what, size, MOST.getOrDefault(what, OTHERS))));
        return sizes;
    }
}
