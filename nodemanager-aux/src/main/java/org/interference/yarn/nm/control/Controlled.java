package org.interference.yarn.nm.control;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.interference.yarn.signal.ControlStatus;
import org.interference.yarn.signal.WorkClass;

/** One container in the controller's memory: what it used, what it is taken for, and what is in force for it. */
final class Controlled {
    private ContainerObservation newest;
    private Usage counted = Usage.NONE;
    private Usage window;
    /** Whether the newest sample is another one than at the tick before. */
    private boolean sampled = true;
    /** Whether a whole window of it is known, against which a change can be judged. */
    private boolean hasBaseline;

    private Classified classified = Classified.not("not observed for an interval yet");
    private Usage sinceCleaning = Usage.NONE;
    private int against;
    private Optional<String> givenUp = Optional.empty();
    private Optional<CoreSet> cores = Optional.empty();
    private OptionalLong disk = OptionalLong.empty();
    private Instant since;

    Controlled(ContainerObservation first, Instant now) {
        this.newest = first;
        this.window = first.total();
        this.since = now;
    }

    void observe(ContainerObservation next) {
        // Between two samples nothing is new, and what was used last still stands.
        sampled = next.total().seconds() > newest.total().seconds();
        window = sampled ? next.total().since(newest.total()) : window;
        hasBaseline |= sampled;
        newest = next;
    }

    boolean sampled() {
        return sampled;
    }

    boolean hasBaseline() {
        return hasBaseline;
    }

    /** Counts anew for the class. */
    void clean() {
        counted = newest.total();
    }

    void classify(Classifier classifier, double leastSeconds, Instant now) {
        Usage use = newest.total().since(counted);
        if (use.seconds() < leastSeconds) {
            return;
        }
        sinceCleaning = use;
        Classified next = classifier.classify(use);
        boolean first = classified.workClass() == WorkClass.UNCLASSIFIED;
        if (next.workClass() == classified.workClass() || first || ++against >= classifier.agreements()) {
            since = next.workClass() == classified.workClass() ? since : now;
            classified = next;
            against = 0;
        }
    }

    /** Whether its cores may be changed by a rule that is guarded, or by one that is not. */
    boolean mayBeConfined(boolean guarded) {
        return givenUp.isEmpty() && (!guarded || (hasBaseline && !newest.applicationMaster()));
    }

    boolean mayBeLimited() {
        return givenUp.isEmpty();
    }

    void giveUp(String why) {
        givenUp = Optional.of(why);
        cores = Optional.empty();
        disk = OptionalLong.empty();
    }

    void cores(Optional<CoreSet> next, Instant now) {
        cores = next;
        since = now;
    }

    void disk(OptionalLong next, Instant now) {
        disk = next;
        since = now;
    }

    ContainerObservation newest() {
        return newest;
    }

    /** What it used since the tick before. */
    Usage window() {
        return window;
    }

    /** What it used since the last cleaning, of which its class is; nothing before that is known. */
    Usage sinceCleaning() {
        return sinceCleaning;
    }

    Classified classified() {
        return classified;
    }

    Optional<CoreSet> cores() {
        return cores;
    }

    OptionalLong disk() {
        return disk;
    }

    /** What it has read and written; empty unless both are counted. */
    OptionalDouble bytes() {
        return newest.total().diskBytes();
    }

    ControlStatus status() {
        String reason = givenUp.map(why -> "given up: " + why).orElseGet(classified::reason);
        String master = newest.applicationMaster() && cores.isEmpty() ? "; an application master is not confined" : "";
        return new ControlStatus(
                classified.workClass(),
                reason + master,
                cores.map(CoreSet::toString).orElse(""),
                disk,
                since);
    }
}
