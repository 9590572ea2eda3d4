package org.interference.yarn.sim.policy;

import org.interference.yarn.relocate.Tally;

/** What became of relocation in one run, and what the published policies would have done. Not thread-safe. */
public final class RelocationHistory {
    private Tally tally = Tally.NONE;
    private int moves;
    private int wrong;

    void tell(Tally last) {
        tally = last;
    }

    void move(boolean getsLessDone) {
        moves++;
        wrong += getsLessDone ? 1 : 0;
    }

    /** Returns what our own rule has done. */
    public Tally tally() {
        return tally;
    }

    /** Returns how many moves the published policies asked for. */
    public int moves() {
        return moves;
    }

    /** Returns after how many of them the two nodes would get less done, by the world's truth, even if the move itself cost nothing. */
    public int wrong() {
        return wrong;
    }
}
