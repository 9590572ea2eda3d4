package org.interference.yarn.place.yarn;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.interference.yarn.place.DecidedVisit;
import org.interference.yarn.place.Gate;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.Offered;
import org.interference.yarn.place.Ranking;

/**
 * What one of YARN's scheduling threads has decided last, until it makes a proposal of it, and in the visit that goes on. Only for that
 * thread.
 */
final class ThreadState {
    private final DeclinedAsks declined = new DeclinedAsks();
    private final DecidedVisit visited = new DecidedVisit();
    private Optional<Commits.Origin> origin = Optional.empty();
    private Optional<Offered> offered = Optional.empty();
    private OptionalLong goesOnSince = OptionalLong.empty();
    private OptionalLong restsSince = OptionalLong.empty();
    private long visitBegan;
    private boolean decided;
    private ApplicationAttemptId attempt;
    private SchedulerRequestKey key;

    /** Returns whom it declined a node in this visit. */
    DeclinedAsks declined() {
        return declined;
    }

    /** Returns what it decided about a node in this visit. */
    DecidedVisit visited() {
        return visited;
    }

    /** Begins another visit, at that moment of {@link Gate#begin}. */
    void visiting(long now) {
        declined.forget();
        visited.forget();
        goesOnSince = OptionalLong.empty();
        visitBegan = now;
        decided = false;
    }

    /** Ends the visit: one in which nothing was decided, and nobody got anything, is a part of the time in which there is nothing to do. */
    void visited(boolean allocated) {
        if (decided || allocated) {
            restsSince = OptionalLong.empty();
        } else if (restsSince.isEmpty()) {
            restsSince = OptionalLong.of(visitBegan);
        }
    }

    /** Notes that something is to be decided in this visit. Returns for how long before it there was nothing to do, in nanoseconds. */
    long decides() {
        decided = true;
        long rested = restsSince.isPresent() ? visitBegan - restsSince.getAsLong() : 0;
        restsSince = OptionalLong.empty();
        return rested;
    }

    /** Notes that a request was declined a node at that moment of {@link Gate#begin}: the parent goes on to the next one. */
    void goesOn(long since) {
        goesOnSince = OptionalLong.of(since);
    }

    /** Returns since when the parent has gone on because a request was declined a node, and forgets it; empty if it has not. */
    OptionalLong wentOnSince() {
        OptionalLong since = goesOnSince;
        goesOnSince = OptionalLong.empty();
        return since;
    }

    /** Notes that from that moment of {@link Gate#begin} on it has nothing to do. */
    void rests(long since) {
        restsSince = OptionalLong.of(since);
    }

    /** Returns since when it has had nothing to do, and forgets it; empty if it had something. */
    OptionalLong restedSince() {
        OptionalLong since = restsSince;
        restsSince = OptionalLong.empty();
        return since;
    }

    /** Notes from where the next proposal for {@code who} comes. */
    void set(InterferenceAppPlacementAllocator<?> who, Commits.Origin what) {
        attempt = who.attempt();
        key = who.key();
        origin = Optional.of(what);
        offered = Optional.empty();
    }

    /** Notes what was decided when a node was offered to {@code who}, after all else. */
    void offered(InterferenceAppPlacementAllocator<?> who, Offered what) {
        if (origin.isPresent() && who.attempt().equals(attempt) && who.key().equals(key)) {
            offered = Optional.of(what);
            if (what.mode() == Mode.ON && origin.get().reason() == Ranking.Reason.PARENT_SINGLE_NODE) {
                origin = Optional.of(Commits.Origin.of(Ranking.Reason.MATCHED, who));
            }
        }
    }

    /** Forgets what was decided last. */
    void forget() {
        origin = Optional.empty();
        offered = Optional.empty();
    }

    /** Returns from where {@code container} comes, which it has just proposed, and forgets it. */
    Commits.Origin origin(SchedulerContainer<?, ?> container) {
        Optional<Commits.Origin> taken = origin.filter(known -> isOf(container)).map(known -> known.with(offered));
        forget();
        return taken.orElseGet(Commits.Origin::notRanked);
    }

    private boolean isOf(SchedulerContainer<?, ?> container) {
        return container
                        .getSchedulerApplicationAttempt()
                        .getApplicationAttemptId()
                        .equals(attempt)
                && container.getSchedulerRequestKey().equals(key);
    }
}
