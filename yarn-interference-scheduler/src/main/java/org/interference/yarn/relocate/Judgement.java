package org.interference.yarn.relocate;

import java.util.Optional;

/**
 * What is decided about one candidate, and why. Immutable.
 *
 * @param account empty where it could not be made
 */
public record Judgement(Candidate candidate, Reason reason, Optional<WorkAccount> account) {
    /** Why it goes, or stays. The name is also the counter. */
    public enum Reason {
        /** It is to leave: more is surely saved than is lost. */
        GOES("more work is surely saved than is lost"),
        MASTER("an ApplicationMaster never leaves"),
        NOT_RESTARTABLE(
                "nobody says that such a task starts again: neither its framework is known to, nor has its application the tag ifc-restartable"),
        QUEUE_GONE("the scheduler has no such queue any more"),
        NO_PROFILE("nothing is known of its kind of task"),
        FEW_SAMPLES("too few tasks of its kind were measured"),
        OTHER_HARDWARE("its kind was learnt on a machine of another size than it runs on"),
        NO_RUN_TIME("how long its kind of task runs is not known"),
        NOT_MEASURED("its node has no fresh report, or nobody can predict what it costs there"),
        ERROR_UNKNOWN("nobody knows how wrong the predictor is"),
        NO_TARGET("no other node is known to have room for it that nobody waits for"),
        NEARLY_DONE("three quarters of its work are done"),
        SUITS("it gets as much done where it is, as far as is known"),
        COSTS_MORE("what it has done and its restart cost more than is surely saved"),
        ASKED("it has been asked to leave"),
        CAME_INSTEAD("it came in place of one that was asked to leave"),
        BACKED_OFF("the last relocation did not help"),
        CLUSTER_LIMIT("as many of the cluster as may be have been asked in this minute"),
        QUEUE_LIMIT("as many of its queue as may be have been asked in this minute"),
        APPLICATION_LIMIT("one of its application has been asked in this minute");

        private final String sentence;

        Reason(String sentence) {
            this.sentence = sentence;
        }

        /** Returns it for people. */
        public String sentence() {
            return sentence;
        }
    }

    /** Returns whether it is to leave. */
    public boolean goes() {
        return reason == Reason.GOES;
    }

    /** Returns the same with another reason. */
    Judgement because(Reason other) {
        return new Judgement(candidate, other, account);
    }

    /** Returns by how much more is saved than lost, in seconds of tasks alone; negative infinity without an account. */
    double surplus() {
        return account.map(known -> known.saved() - known.lost()).orElse(Double.NEGATIVE_INFINITY);
    }
}
