package org.interference.yarn.sim.engine;

/** What a policy may decide that stock YARN would not. Only policies of one freedom can be compared by what they know. */
public enum Freedom {
    /** Nothing: a stock scheduler. */
    STOCK,
    /** Which node the next container goes to. */
    NODE,
    /** Which application gets the node that has just reported, within a slack of fairness. */
    MATCH,
    /** As {@link #MATCH}, and to leave the node as it is for a while: what the plugin does. */
    LEAVE
}
