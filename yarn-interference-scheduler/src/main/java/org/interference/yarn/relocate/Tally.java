package org.interference.yarn.relocate;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What relocation has done so far. Immutable.
 *
 * @param asked how many containers were asked to leave
 * @param left how many of them have left, by themselves or by being killed, with their work undone
 * @param finished how many of them ended with their work done in their grace
 * @param helped of how many it was measured that they got more done than was lost
 * @param harmed of how many that they did not
 * @param lostSeconds upper bound of the work that those had done which have left, and of their restarts, in seconds of tasks alone
 * @param reasons how often each was given
 * @param backedOffUntil empty while nothing is held off
 */
public record Tally(
        long asked,
        long left,
        long finished,
        long helped,
        long harmed,
        double lostSeconds,
        Map<Judgement.Reason, Long> reasons,
        Optional<Instant> backedOffUntil) {
    public static final Tally NONE = new Tally(0, 0, 0, 0, 0, 0, Map.of(), Optional.empty());

    public Tally {
        reasons = Map.copyOf(reasons);
    }

    Tally oneAsked() {
        return new Tally(asked + 1, left, finished, helped, harmed, lostSeconds, reasons, backedOffUntil);
    }

    Tally oneLeft(double lost) {
        return new Tally(asked, left + 1, finished, helped, harmed, lostSeconds + lost, reasons, backedOffUntil);
    }

    Tally oneFinished() {
        return new Tally(asked, left, finished + 1, helped, harmed, lostSeconds, reasons, backedOffUntil);
    }

    Tally outcome(boolean didHelp) {
        return new Tally(
                asked,
                left,
                finished,
                didHelp ? helped + 1 : helped,
                didHelp ? harmed : harmed + 1,
                lostSeconds,
                reasons,
                backedOffUntil);
    }

    Tally with(Map<Judgement.Reason, Long> counts, Optional<Instant> until) {
        return new Tally(asked, left, finished, helped, harmed, lostSeconds, counts, until);
    }
}
