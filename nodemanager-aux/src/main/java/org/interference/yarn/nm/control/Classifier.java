package org.interference.yarn.nm.control;

/** Tells from what a container used whether it is CPU-intensive or I/O-intensive. Pure. */
@FunctionalInterface
public interface Classifier {
    /** Returns the class of a container that used {@code window}; unclassified where that does not tell. */
    Classified classify(Usage window);
}
