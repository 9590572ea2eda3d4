package org.interference.yarn.learn;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.interference.yarn.profile.TaskIdentity;

/**
 * A container that YARN has seen end. Immutable.
 *
 * @param node host and port, as YARN writes a node id
 * @param ending how it ended
 * @param given what it was given; empty where that is not known
 * @param ran for how long YARN has known it; empty where that is not known
 */
public record CompletedContainer(
        String container,
        String application,
        String node,
        TaskIdentity task,
        boolean applicationMaster,
        Ending ending,
        Optional<Given> given,
        Optional<Duration> ran) {
    /** Until a container begins to work, its files are copied; and its end is told with a heartbeat. */
    private static final Duration STARTING = Duration.ofMinutes(5);

    /** How a container ended, as far as its counters say something of the next task. */
    public enum Ending {
        /** Its work was done. */
        DONE,
        /** Before its work was done: its counters say nothing. */
        CUT_SHORT,
        /** With its application or soon before it: whether its work was done is what became of that. */
        WITH_APPLICATION,
        /** As {@link #CUT_SHORT}, and because it took more memory than it was given: that says that the next task needs more, too. */
        EXHAUSTED
    }

    /**
     * What YARN gave a container.
     *
     * @param vcores whether or not the scheduler counts them
     */
    public record Given(double memoryBytes, int vcores) {}

    public CompletedContainer {
        Objects.requireNonNull(ending, "ending is null");
        Objects.requireNonNull(given, "given is null");
        Objects.requireNonNull(ran, "ran is null");
    }

    /** A container of which it is not known what it was given. */
    public CompletedContainer(
            String container,
            String application,
            String node,
            TaskIdentity task,
            boolean applicationMaster,
            boolean cutShort) {
        this(
                container,
                application,
                node,
                task,
                applicationMaster,
                cutShort ? Ending.CUT_SHORT : Ending.DONE,
                Optional.empty(),
                Optional.empty());
    }

    /** Returns whether it was ended before its work was done, so that its counters say nothing of the next task. */
    public boolean cutShort() {
        return ending == Ending.CUT_SHORT || ending == Ending.EXHAUSTED;
    }

    /** Returns whether one that its node has observed for so long was observed from about its beginning: a NodeManager that starts anew observes anew. */
    boolean isWhole(Duration observed) {
        return ran.isEmpty()
                || ran.get().minus(observed).compareTo(STARTING) < 0
                || observed.multipliedBy(2).compareTo(ran.get()) >= 0;
    }

    CompletedContainer ended(Ending known) {
        return new CompletedContainer(container, application, node, task, applicationMaster, known, given, ran);
    }
}
