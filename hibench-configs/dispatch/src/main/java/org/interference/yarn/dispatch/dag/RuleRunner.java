package org.interference.yarn.dispatch.dag;

/** Runs rules. Every start is answered by one {@link RuleEnd}, from whatever thread. */
public interface RuleRunner {
    /** Starts the rule as soon as there is room for it, and returns at once. */
    void start(Rule rule);

    /**
     * Ends what still runs; nothing is started after it.
     *
     * @param complete whether the workflow is over, rather than stopped
     */
    void close(boolean complete);
}
