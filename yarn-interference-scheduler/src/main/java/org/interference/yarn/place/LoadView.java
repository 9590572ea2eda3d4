package org.interference.yarn.place;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.interference.yarn.signal.InterferenceVector;

/**
 * What one scheduling pass sees of the load of each node: one answer per node, whatever arrives meanwhile. Each node is
 * read when it is first asked for, so a pass pays only for the nodes that it looks at. For one pass, on one thread.
 */
public final class LoadView {
    private final Function<String, Optional<List<InterferenceVector>>> read;
    private final Map<String, Optional<List<InterferenceVector>>> seen = new HashMap<>();

    LoadView(Function<String, Optional<List<InterferenceVector>>> read) {
        this.read = read;
    }

    /** Returns the load of each container on {@code node}, measured or expected; empty without a fresh sample. */
    public Optional<List<InterferenceVector>> load(String node) {
        return seen.computeIfAbsent(node, read);
    }
}
