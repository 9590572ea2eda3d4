package org.interference.yarn.sim.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How large each collection of the plugin may be. */
final class Bounds {
    /** Whatever is not named here: of a life of some hundred containers nothing needs more. */
    private static final int OTHERS = 1100;

    private static final Map<String, Integer> MOST = Map.of("Commits.waiting", 100);

    private Bounds() {}

    static List<History.Size> of(Object scheduler, int second) {
        List<History.Size> sizes = new ArrayList<>();
        Plugins.sizes(scheduler)
                .forEach((what, size) ->
                        sizes.add(new History.Size(second, what, size, MOST.getOrDefault(what, OTHERS))));
        return sizes;
    }
}
