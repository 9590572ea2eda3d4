package org.interference.yarn.predict;

import java.util.List;

/** Makes a model of examples. Deterministic: the same examples in the same order give the same model. Thread-safe. */
public interface Trainer {
    /** Returns the name of the models it makes. */
    String name();

    /**
     * Fits a model, on the calling thread alone.
     *
     * @param examples at least one; those of {@link Domain#of} are within it
     */
    Model train(List<Example> examples);
}
