package org.interference.yarn.learn;

import java.util.List;

/** Where model versions outlive the process. One thread saves at a time; nothing throws. */
public interface ModelStore {
    /** Keeps nothing. */
    ModelStore NONE = version -> List.of();

    /**
     * Keeps {@code version}.
     *
     * @return what went wrong, as sentences
     */
    List<String> save(ModelVersion version);
}
