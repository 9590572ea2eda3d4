package org.interference.yarn.profile;

/** How far a profile can be relied on. */
public enum ProfileState {
    /** There is none. */
    UNKNOWN,
    /** It stands on too few samples to be used. */
    PROBING,
    /** It is used. */
    KNOWN,
    /** Nothing was added for so long that it is used only before a coarser one. */
    STALE
}
