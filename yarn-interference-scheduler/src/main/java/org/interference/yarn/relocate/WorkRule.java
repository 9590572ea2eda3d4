package org.interference.yarn.relocate;

import java.util.Optional;
import org.interference.yarn.relocate.Judgement.Reason;

/** Our own rule: a container leaves if the work that is surely saved exceeds what is lost ({@link WorkAccount}). A function of the candidate alone. */
final class WorkRule {
    /** As many as a profile needs before it is used for anything that costs somebody something. */
    static final long FEWEST_SAMPLES = 5;
    /** Who has done more of its work is nearly done. */
    static final double NEARLY_DONE = 0.75;

    private WorkRule() {}

    static Judgement judge(Candidate candidate) {
        Optional<WorkAccount> account = WorkAccount.of(candidate);
        Reason reason = prevented(candidate).or(() -> unknown(candidate)).orElseGet(() -> account.map(WorkRule::weighed)
                .orElse(Reason.NO_TARGET));
        return new Judgement(candidate, reason, account);
    }

    private static Optional<Reason> prevented(Candidate candidate) {
        if (candidate.master()) {
            return Optional.of(Reason.MASTER);
        }
        if (!candidate.restartable()) {
            return Optional.of(Reason.NOT_RESTARTABLE);
        }
        return candidate.queue().isEmpty() ? Optional.of(Reason.QUEUE_GONE) : Optional.empty();
    }

    private static Optional<Reason> unknown(Candidate candidate) {
        if (candidate.kind().isEmpty()) {
            return Optional.of(Reason.NO_PROFILE);
        }
        Candidate.Kind kind = candidate.kind().get();
        if (kind.samples() < FEWEST_SAMPLES) {
            return Optional.of(Reason.FEW_SAMPLES);
        }
        if (!kind.alikeHardware()) {
            return Optional.of(Reason.OTHER_HARDWARE);
        }
        if (!(kind.runSeconds() > 0)) {
            return Optional.of(Reason.NO_RUN_TIME);
        }
        if (candidate.staying().isEmpty()) {
            return Optional.of(Reason.NOT_MEASURED);
        }
        return Double.isFinite(candidate.staying().get().gain().atMost())
                ? Optional.empty()
                : Optional.of(Reason.ERROR_UNKNOWN);
    }

    private static Reason weighed(WorkAccount account) {
        if (account.progress() >= NEARLY_DONE) {
            return Reason.NEARLY_DONE;
        }
        if (!(account.saved() > 0)) {
            return Reason.SUITS;
        }
        return account.saved() > account.lost() ? Reason.GOES : Reason.COSTS_MORE;
    }
}
