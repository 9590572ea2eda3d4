package org.interference.yarn.relocate;

import java.time.Duration;
import java.util.Optional;

/**
 * What is won and what is lost if a container starts again elsewhere, in seconds of tasks alone. Immutable.
 *
 * <p>Let {@code R} be the kind's run time alone, {@code a} the run time until its grace is over, in which it goes on working, and {@code L} the lower end of the
 * interval of its slowdown. What it has done by then is at most {@code a / L}; it would stay for at least {@code (R - a / L) L} more. {@code T} is that, or the time
 * for which its neighbours run, if they end sooner: nobody comes in their place, as nobody is relocated while anybody waits. In that time the nodes would surely get done {@code (g' - g) T} more, where {@code g'} is the lower end of what the node gains that takes it, and {@code g} the upper end of what its own
 * node gains by it. Lost is what it has done, and its restart.
 *
 * @param saved lower bound, negative if staying is better
 * @param lost upper bound, {@code >= 0}
 * @param seconds the time {@code T} for which it would have stayed with its neighbours, {@code >= 0}
 * @param progress upper bound of the share of its work that is done when it is asked, from 0 to 1
 */
public record WorkAccount(double saved, double lost, double seconds, double progress) {
    /**
     * How long an ApplicationMaster has to save what it can, YARN's own default. Most save nothing (MapReduce's default policy, Spark), so that
     * the container works on until it is killed, and that is lost as well.
     */
    static final Duration GRACE = Duration.ofSeconds(15);

    /** Until a container that starts again works: YARN's allocation by heartbeats, localisation, and the start of a Java machine. */
    static final double RESTART_SECONDS = 10;

    /** Returns the account of a container of which all is known; empty if its run time alone is not, what it does where it is, or where it could go. */
    public static Optional<WorkAccount> of(Candidate candidate) {
        double alone = candidate.kind().map(Candidate.Kind::runSeconds).orElse(0.0);
        return candidate
                .staying()
                .filter(staying -> alone > 0 && Double.isFinite(staying.gain().atMost()))
                .flatMap(staying -> candidate.target().map(target -> of(candidate, staying, target, alone)));
    }

    private static WorkAccount of(
            Candidate candidate, Candidate.Staying staying, Candidate.Target target, double alone) {
        double least = Math.max(1, staying.slowdown() / Math.exp(staying.margin()));
        double done = Math.min(alone, candidate.ran().plus(GRACE).toMillis() / 1000.0 / least);
        double seconds = Math.min((alone - done) * least, staying.company().orElse(Double.POSITIVE_INFINITY));
        return new WorkAccount(
                (target.gain().atLeast() - staying.gain().atMost()) * seconds,
                done + RESTART_SECONDS,
                seconds,
                Math.min(1, candidate.ran().toMillis() / 1000.0 / least / alone));
    }
}
