package org.interference.yarn.place;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.interference.yarn.profile.TaskProfile;

/**
 * In which order a request that has several nodes at once tries them: those where {@link Ranker} finds that it gains most first, if anything is known of
 * the request, and there is time. Thread-safe; no method throws.
 */
public final class NodeRanking {
    /** For so long after a request was ranked it is taken for likely that the next one will be. */
    private static final Duration LATELY = Duration.ofSeconds(5);

    private final Gate gate;
    private final Accounts accounts;
    /** When a request was last placed by its ranking. */
    private volatile Instant ranked = Instant.MIN;

    NodeRanking(Gate gate, Accounts accounts) {
        this.gate = gate;
        this.accounts = accounts;
    }

    /** Returns how many nodes are ranked for one request. */
    public int maxCandidates() {
        return gate.settings().maxCandidates();
    }

    /** Returns among how many nodes that are offered one after the other a request may choose; 1 while nothing could be ranked. */
    public int choices() {
        boolean nothingToRank = !accounts.anybodyWishes() && !accounts.knowsAnything();
        return nothingToRank || gate.isOff() || !gate.hasTime()
                ? 1
                : gate.settings().choices();
    }

    /**
     * Returns whether nodes may be held back for a moment to have several to choose from: only while requests are placed by such
     * choices, so that without data, or with a predictor that fails, everything is as the parent does it.
     */
    public boolean mayHoldBack(Instant now) {
        return gate.anybodyIn(Mode.ON) && ranked.isAfter(now.minus(LATELY));
    }

    /**
     * Ranks the nodes that the parent offers to a request.
     *
     * @param candidates in the parent's order; only asked for if the request is to be ranked
     */
    public Ranking rank(Request asked, Instant now, Supplier<List<NodeCandidate>> candidates) {
        Request request = accounts.heard(asked);
        Mode mode = gate.mode(request.queue());
        Optional<Ranking.Reason> parents = parents(request, mode);
        if (parents.isPresent()) {
            return Ranking.parent(request, mode, parents.get(), Optional.empty());
        }
        Optional<TaskProfile> profile = Optional.empty();
        try {
            long began = gate.begin();
            accounts.notice(request);
            Optional<TaskKinds.Known> known = accounts.known(request.task(), now);
            profile = known.map(TaskKinds.Known::profile);
            if (profile.isEmpty() && !accounts.anybodyWishes()) {
                return Ranking.parent(request, mode, Ranking.Reason.PARENT_NO_PROFILE, profile);
            }
            Newcomer newcomer = new Newcomer(
                    known.map(TaskKinds.Known::kind), accounts.weight(request), accounts.applicant(request));
            List<NodeCandidate> offered = candidates.get();
            List<Verdict> verdicts = gate.ranker().rank(newcomer, offered, () -> gate.isOver(began));
            if (gate.tookTooLong(began)) {
                // What was worked out too slowly is not used later either.
                verdicts.forEach(verdict -> accounts.forgetLoad(verdict.node()));
                return Ranking.parent(request, mode, Ranking.Reason.PARENT_TOO_SLOW, profile);
            }
            Ranking.Reason reason = reason(verdicts, profile);
            if (reason == Ranking.Reason.RANKED && mode == Mode.ON) {
                ranked = now;
            }
            return reason == Ranking.Reason.RANKED || reason == Ranking.Reason.RANKED_BY_TAGS
                    ? new Ranking(request, mode, reason, profile, verdicts, first(offered), Optional.empty())
                    : Ranking.parent(request, mode, reason, profile);
        } catch (Throwable e) {
            gate.failed(e);
            return Ranking.parent(request, mode, Ranking.Reason.PARENT_AFTER_ERROR, profile);
        }
    }

    /** Returns why the parent's order is to stay whatever the nodes are; empty if they are to be ranked. */
    private Optional<Ranking.Reason> parents(Request request, Mode mode) {
        if (mode == Mode.OFF) {
            return Optional.of(Ranking.Reason.PARENT_NOT_RANKED);
        }
        if (!gate.hasTime()) {
            return Optional.of(Ranking.Reason.PARENT_NO_TIME);
        }
        return request.applicationMaster() ? Optional.of(Ranking.Reason.PARENT_AM_CONTAINER) : Optional.empty();
    }

    private static Ranking.Reason reason(List<Verdict> verdicts, Optional<TaskProfile> profile) {
        boolean tagged = false;
        for (Verdict verdict : verdicts) {
            if (verdict.reason() == Verdict.Reason.RANKED) {
                return Ranking.Reason.RANKED;
            }
            tagged |= verdict.tagPenalty() > 0;
        }
        if (tagged) {
            return Ranking.Reason.RANKED_BY_TAGS;
        }
        return profile.isEmpty() ? Ranking.Reason.PARENT_NO_PROFILE : Ranking.Reason.PARENT_NOTHING_KNOWN;
    }

    private static Optional<String> first(List<NodeCandidate> offered) {
        return offered.stream()
                .filter(NodeCandidate::fits)
                .map(NodeCandidate::node)
                .findFirst();
    }
}
