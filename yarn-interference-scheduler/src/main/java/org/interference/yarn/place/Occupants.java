package org.interference.yarn.place;

/** Who is in the containers of the cluster. Thread-safe. */
interface Occupants {
    /** Nobody knows, and nobody asks. */
    Occupants UNKNOWN = new Occupants() {
        @Override
        public boolean matter() {
            return false;
        }

        @Override
        public Occupant of(String container) {
            return Occupant.ANONYMOUS;
        }

        @Override
        public double weight(String queue, Wishes wishes) {
            return 1;
        }
    };

    /** Returns whether anybody counts more or less than others; nothing else is asked before. */
    boolean matter();

    /**
     * Returns who is in a container that a node has reported; asked once while it runs, and again if nobody knew. Takes no lock of YARN's, as
     * it is asked under one of ours.
     */
    Occupant of(String container);

    /** Returns how many times a slowdown in {@code queue} of an application with {@code wishes} counts, as the settings are now. */
    double weight(String queue, Wishes wishes);

    /** Returns how many times a slowdown of {@code occupant} counts. */
    default double weight(Occupant occupant) {
        return weight(occupant.queue(), occupant.wishes());
    }
}
