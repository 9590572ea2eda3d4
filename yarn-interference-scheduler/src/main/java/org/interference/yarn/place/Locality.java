package org.interference.yarn.place;

/** How near a node is to the data that a request prefers. */
public enum Locality {
    /** The request prefers no place. */
    NO_PREFERENCE,
    NODE_LOCAL,
    RACK_LOCAL,
    OFF_SWITCH
}
