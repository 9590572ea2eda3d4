package org.interference.yarn.profile;

/** Whether a task shared its node. */
public enum Company {
    /** For nine tenths of its time nobody else pressed on any resource. */
    ALONE,
    /** Somebody did. */
    CONTENDED,
    /** Nobody looked while it ran. */
    UNKNOWN
}
