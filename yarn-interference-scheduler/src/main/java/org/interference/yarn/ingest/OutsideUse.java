package org.interference.yarn.ingest;

/** What is made of the load of a node that is of none of its containers. */
public enum OutsideUse {
    /** It is one more neighbour of each of them. */
    NEIGHBOUR,
    IGNORED
}
