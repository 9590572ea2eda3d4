package org.interference.yarn.relocate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.interference.yarn.relocate.Judgement.Reason;

/**
 * Decides which containers are to leave, and sees to it that they are few: so many a minute of the cluster, of a queue and of an application, one for each node that is to take them, never the same
 * task twice, and none for a while after one that did not help. Thread-safe; time is an argument.
 *
 * <p>{@link #judge} remembers nothing, so that in a dry run it says what would happen next; who really asks a container says so ({@link #asked}).
 */
public final class Relocator {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Journeys journeys = new Journeys();
    private final List<Asked> asked = new ArrayList<>();
    private final Map<Reason, Long> counts = new EnumMap<>(Reason.class);
    private final BackOff backOff = new BackOff();
    private RelocationSettings settings;

    /** @param target the node whose room it was promised; empty once it has left, or stays */
    private record Asked(Instant at, String container, String queue, String application, Optional<String> target) {
        Asked withoutTarget() {
            return new Asked(at, container, queue, application, Optional.empty());
        }
    }

    public Relocator(RelocationSettings settings) {
        this.settings = settings;
    }

    /** Takes new settings; what is remembered stays. */
    public synchronized void refresh(RelocationSettings next) {
        settings = next;
    }

    /** Returns the settings in force. */
    public synchronized RelocationSettings settings() {
        return settings;
    }

    /** Returns what is to become of each candidate, those first that are to leave, and of those whose leaving saves most. */
    public synchronized List<Judgement> judge(List<Candidate> candidates, Instant now) {
        asked.removeIf(earlier -> !earlier.at().plus(MINUTE).isAfter(now));
        List<Judgement> judged = new ArrayList<>();
        candidates.forEach(candidate -> judged.add(WorkRule.judge(candidate)));
        judged.sort(Comparator.comparing(Judgement::goes)
                .reversed()
                .thenComparing(Comparator.comparingDouble(Judgement::surplus).reversed())
                .thenComparing(judgement -> judgement.candidate().container()));
        List<Asked> round = new ArrayList<>(asked);
        List<Judgement> arbitrated = new ArrayList<>();
        for (Judgement judgement : judged) {
            Judgement next = judgement.goes()
                    ? against(judgement, round, now).map(judgement::because).orElse(judgement)
                    : judgement;
            if (next.goes()) {
                round.add(asked(next.candidate(), now));
            }
            counts.merge(next.reason(), 1L, Long::sum);
            arbitrated.add(next);
        }
        return arbitrated;
    }

    private Optional<Reason> against(Judgement judgement, List<Asked> round, Instant now) {
        Candidate candidate = judgement.candidate();
        Optional<Reason> known = journeys.known(candidate.container());
        if (known.isPresent()) {
            return known;
        }
        if (backOff.holds(now)) {
            return Optional.of(Reason.BACKED_OFF);
        }
        if (round.size() >= settings.perMinute()) {
            return Optional.of(Reason.CLUSTER_LIMIT);
        }
        if (count(round, other -> other.queue().equals(candidate.queue().orElse(""))) >= settings.perMinuteOfQueue()) {
            return Optional.of(Reason.QUEUE_LIMIT);
        }
        if (count(round, other -> other.application().equals(candidate.application())) > 0) {
            return Optional.of(Reason.APPLICATION_LIMIT);
        }
        // Nobody knows for how many there is room.
        Optional<String> target = candidate.target().map(Candidate.Target::node);
        return target.isPresent() && count(round, other -> other.target().equals(target)) > 0
                ? Optional.of(Reason.NO_TARGET)
                : Optional.empty();
    }

    private static long count(List<Asked> round, Predicate<Asked> which) {
        return round.stream().filter(which).count();
    }

    private static Asked asked(Candidate candidate, Instant now) {
        return new Asked(
                now,
                candidate.container(),
                candidate.queue().orElse(""),
                candidate.application(),
                candidate.target().map(Candidate.Target::node));
    }

    /** Notes that a container has been asked to leave, as {@link #judge} has said. */
    public synchronized void asked(Judgement judgement, Instant now) {
        asked.add(asked(judgement.candidate(), now));
        journeys.asked(judgement, now);
    }

    /**
     * Returns which containers were asked to leave so long ago that their grace is over, have not left, and still have a place to go to: one for each node that has
     * room, the others when it is known what is left of that. Of who has none any more it is taken back that he was asked.
     *
     * @param candidates as they are now
     */
    public synchronized List<String> overdue(List<Candidate> candidates, Instant now) {
        Map<String, String> targets = new HashMap<>();
        candidates.forEach(
                candidate -> candidate.target().ifPresent(target -> targets.put(candidate.container(), target.node())));
        Set<String> taken = new HashSet<>();
        List<String> overdue = new ArrayList<>();
        for (String container : journeys.overdue(now)) {
            String target = targets.get(container);
            if (target == null) {
                journeys.withdraw(container, now);
                release(container);
            } else if (taken.add(target)) {
                overdue.add(container);
            }
        }
        return overdue;
    }

    private void release(String container) {
        asked.replaceAll(one -> one.container().equals(container) ? one.withoutTarget() : one);
    }

    /** Takes back that containers were asked to leave: nobody is overdue any more. What has left stays noted. */
    public synchronized void withdraw() {
        journeys.withdraw();
        asked.replaceAll(Asked::withoutTarget);
    }

    /**
     * Notes that a container runs no more: one that was asked has left, of one that came instead it is known whether it helped.
     *
     * @param done whether its work was done
     */
    public synchronized void ended(String container, boolean done, Instant now) {
        release(container);
        journeys.ended(container, done, now).ifPresent(helped -> backOff.outcome(helped, now));
    }

    /** Notes that a container of {@code stage} has been placed: it may have come in place of one that has left. */
    public synchronized void placed(String container, String stage, Instant now) {
        journeys.placed(container, stage, now);
    }

    /** Gives up what nothing has come of. */
    public synchronized void sweep(Instant now) {
        journeys.sweep(now);
    }

    /** Returns what has happened so far. */
    public synchronized Tally tally(Instant now) {
        return journeys.tally().with(counts, backOff.until(now));
    }
}
