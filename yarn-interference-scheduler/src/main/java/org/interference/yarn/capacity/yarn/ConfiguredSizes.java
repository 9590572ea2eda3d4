package org.interference.yarn.capacity.yarn;

import java.util.Map;
import java.util.Optional;

/**
 * Where the configured sizes of nodes that were given others outlive the ResourceManager: a NodeManager registers with the size that it was given last, and takes it for
 * its own. Thread-safe; no method waits or throws.
 */
public interface ConfiguredSizes {
    /** Returns what an earlier ResourceManager kept, by node; empty while it is not read. */
    Optional<Map<String, KeptSize>> before();

    /** Returns what is kept for good, by node. */
    Map<String, KeptSize> kept();

    /** Has {@code sizes} kept in place of what is kept, some time later: {@link #kept} says when. */
    void keep(Map<String, KeptSize> sizes);
}
