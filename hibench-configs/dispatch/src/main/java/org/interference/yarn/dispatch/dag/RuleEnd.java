package org.interference.yarn.dispatch.dag;

/**
 * How one start of a rule ended. Immutable.
 *
 * @param where the container and its node, or that it ran here
 * @param said why it did not succeed; empty if it did
 */
public record RuleEnd(Rule rule, Outcome outcome, String where, String said) {
    /** What it means for the rule. */
    public enum Outcome {
        /** The command succeeded, and every target is in the workflow's folder. */
        SUCCEEDED,
        FAILED,
        /** YARN took the container back, which is not the rule's fault. */
        LOST
    }
}
