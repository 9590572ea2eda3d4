package org.interference.yarn.nm.control;

/** Tells from what a container used whether it is CPU-intensive or I/O-intensive. Pure. */
@FunctionalInterface
public interface Classifier {
    /**
     * Returns the class of a container; unclassified where its use does not tell.
     *
     * @param window what it used since the last cleaning
     */
    Classified classify(Usage window);

    /** Returns of which part of an interval there must be counts before it is asked: of less, a container's begin decides its class. */
    default double leastOfInterval() {
        return 0.8;
    }

    /** Returns how many ticks in a row must say so before a class changes: each change moves processes. */
    default int agreements() {
        return 2;
    }
}
