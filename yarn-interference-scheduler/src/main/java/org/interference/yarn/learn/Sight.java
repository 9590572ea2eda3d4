package org.interference.yarn.learn;

import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * How much one report says of who is beside whom on its node. Immutable.
 *
 * @param unmeasured containers of which nothing is measured
 * @param unclear those, and the ones whose use of processors or disks is not measured: of them nobody can say that they press on nothing
 */
record Sight(int unmeasured, int unclear) {
    static Sight of(NodeSample sample) {
        int unmeasured = sample.unmeasured();
        int unclear = unmeasured;
        for (InterferenceVector load : sample.running().values()) {
            unclear += isClear(load) ? 0 : 1;
        }
        return new Sight(unmeasured, unclear);
    }

    /** Returns whether it is known of everybody beside a container with these levels, which is measured, whether he presses on processors and disks. */
    boolean isClearBeside(InterferenceVector own) {
        return unclear == (isClear(own) ? 0 : 1);
    }

    private static boolean isClear(InterferenceVector load) {
        return load.level(Signal.CPU).isPresent() && load.level(Signal.BLK).isPresent();
    }
}
