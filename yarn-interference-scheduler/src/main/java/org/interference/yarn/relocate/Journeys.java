package org.interference.yarn.relocate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.relocate.Judgement.Reason;

/**
 * What became of containers that were asked to leave: each leaves, one of the same stage comes instead, and when that one ends it is known whether it helped. Not
 * thread-safe; bounded by time.
 *
 * <p>Which of several tasks of a stage comes instead YARN does not say: the first that is placed after one has left is taken for it.
 */
final class Journeys {
    /** So long a stage may take to start another; then nobody knows what became of the task. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);
    /** A container that runs longer says nothing any more. */
    private static final Duration KEPT = Duration.ofDays(1);

    private final Map<String, Journey> leaving = new HashMap<>();
    /** Who was asked, and may stay: since when. */
    private final Map<String, Instant> stayed = new HashMap<>();

    private final List<Journey> left = new ArrayList<>();
    private final Map<String, Journey> instead = new HashMap<>();
    private Tally tally = Tally.NONE;

    /** @param since when it last changed: asked, left, or placed anew */
    private record Journey(Judgement judgement, Instant since, Duration waited) {
        WorkAccount account() {
            return judgement.account().orElseThrow();
        }

        Journey then(Instant now) {
            return new Journey(judgement, now, Duration.between(since, now));
        }

        boolean isOlderThan(Duration age, Instant now) {
            return now.isAfter(since.plus(age));
        }
    }

    void asked(Judgement judgement, Instant now) {
        leaving.put(judgement.candidate().container(), new Journey(judgement, now, Duration.ZERO));
        tally = tally.oneAsked();
    }

    void withdraw() {
        leaving.clear();
    }

    /** Takes back that a container was asked; it is not asked again. */
    void withdraw(String container, Instant now) {
        leaving.remove(container);
        stayed.put(container, now);
    }

    Optional<Reason> known(String container) {
        if (leaving.containsKey(container) || stayed.containsKey(container)) {
            return Optional.of(Reason.ASKED);
        }
        return instead.containsKey(container) ? Optional.of(Reason.CAME_INSTEAD) : Optional.empty();
    }

    List<String> overdue(Instant now) {
        return leaving.entrySet().stream()
                .filter(entry -> !now.isBefore(entry.getValue().since().plus(WorkAccount.GRACE)))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** Returns whether it helped; empty if that is not known by it. */
    Optional<Boolean> ended(String container, boolean done, Instant now) {
        stayed.remove(container);
        Journey gone = leaving.remove(container);
        if (gone != null) {
            if (done) {
                tally = tally.oneFinished();
            } else {
                left.add(gone.then(now));
                tally = tally.oneLeft(gone.account().lost());
            }
            return Optional.empty();
        }
        Journey known = instead.remove(container);
        if (known == null || !done) {
            return Optional.empty();
        }
        boolean helped = helped(known, Duration.between(known.since(), now));
        tally = tally.outcome(helped);
        return Optional.of(helped);
    }

    /** With what was measured in place of what was expected of the task itself; what its neighbours get done is still a prediction. */
    private static boolean helped(Journey journey, Duration ran) {
        Candidate candidate = journey.judgement().candidate();
        Candidate.Staying staying = candidate.staying().orElseThrow();
        double alone = candidate.kind().orElseThrow().runSeconds();
        double rate = Math.min(1, alone / Math.max(1, ran.toMillis() / 1000.0));
        double harmThere = candidate.target().map(Candidate.Target::harm).orElse(0.0);
        double more = rate - 1 / staying.slowdown() + staying.harm() - harmThere;
        double lost = journey.account().lost()
                - WorkAccount.RESTART_SECONDS
                + journey.waited().toMillis() / 1000.0;
        return more * journey.account().seconds() > lost;
    }

    void placed(String container, String stage, Instant now) {
        for (Iterator<Journey> waiting = left.iterator(); waiting.hasNext(); ) {
            Journey journey = waiting.next();
            if (journey.judgement().candidate().stage().equals(stage)) {
                waiting.remove();
                instead.put(container, journey.then(now));
                return;
            }
        }
    }

    void sweep(Instant now) {
        left.removeIf(journey -> journey.isOlderThan(LONGEST_WAIT, now));
        leaving.values().removeIf(journey -> journey.isOlderThan(KEPT, now));
        stayed.values().removeIf(since -> now.isAfter(since.plus(KEPT)));
        instead.values().removeIf(journey -> journey.isOlderThan(KEPT, now));
    }

    Tally tally() {
        return tally;
    }
}
