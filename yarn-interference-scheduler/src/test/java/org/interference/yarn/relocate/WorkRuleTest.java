package org.interference.yarn.relocate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.relocate.Candidates.BETTER;
import static org.interference.yarn.relocate.Candidates.KIND;
import static org.interference.yarn.relocate.Candidates.SUFFERS;
import static org.interference.yarn.relocate.Candidates.bid;
import static org.interference.yarn.relocate.Candidates.leaver;
import static org.interference.yarn.relocate.Candidates.with;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.LongStream;
import org.interference.yarn.place.Offer.Bid;
import org.interference.yarn.relocate.Candidate.Kind;
import org.interference.yarn.relocate.Candidate.Staying;
import org.interference.yarn.relocate.Candidate.Target;
import org.interference.yarn.relocate.Judgement.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Our own rule, for one container. */
class WorkRuleTest {
    private static final Candidate LEAVER = leaver("c", "a", "root.etl");
    private static final Duration RAN = LEAVER.ran();

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @Test
    void whatSavesMoreThanItLosesLeaves() {
        Judgement judgement = WorkRule.judge(LEAVER);

        assertThat(judgement.reason()).isEqualTo(Reason.GOES);
        WorkAccount account = judgement.account().orElseThrow();
        double least = 2 / Math.exp(0.1);
        // It has run for 10 s, and works on for the 15 s that its ApplicationMaster is given.
        double done = 25 / least;
        double seconds = (100 - done) * least;
        assertThat(account.lost()).isCloseTo(done + 10, within(1e-9));
        assertThat(account.seconds()).isCloseTo(seconds, within(1e-9));
        // At least 0.8 there, at most 0.1 here.
        assertThat(account.saved()).isCloseTo(0.7 * seconds, within(1e-9));
    }

    @Test
    void whoOnlyHarmsOthersLeavesTooIfThereIsRoomForItElsewhere() {
        Optional<Staying> harms = Optional.of(new Staying(bid(-0.2, 0.1), 1, 1.2, 0.1, OptionalDouble.empty()));

        assertThat(reason(RAN, Optional.of(KIND), harms, Optional.of(BETTER))).isEqualTo(Reason.GOES);
        assertThat(reason(RAN, Optional.of(KIND), harms, Optional.empty())).isEqualTo(Reason.NO_TARGET);
    }

    /** At least 0.8 there and at most 0.1 here, but only for as long as its neighbours run; lost are 23.8 s. */
    @ParameterizedTest
    @CsvSource({"0, SUITS", "30, COSTS_MORE", "40, GOES", "1000, GOES"})
    void whoseNeighboursEndSoonIsSoonRidOfThem(double seconds, Reason reason) {
        Staying rid = new Staying(bid(0, 0.1), 2, 0.5, 0.1, OptionalDouble.of(seconds));

        assertThat(reason(RAN, Optional.of(KIND), Optional.of(rid), Optional.of(BETTER)))
                .isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource({"0, GOES", "60, GOES", "100, COSTS_MORE", "140, NEARLY_DONE", "900, NEARLY_DONE"})
    void theLongerItHasRunTheMoreIsLost(long seconds, Reason reason) {
        assertThat(reason(
                        Duration.ofSeconds(seconds),
                        Optional.of(KIND),
                        Optional.of(SUFFERS),
                        Optional.of(new Target("quiet", bid(0.8, 0.1), 0))))
                .isEqualTo(reason);
    }

    @Test
    void whoSuffersNotStays() {
        assertThat(reason(
                        RAN,
                        Optional.of(KIND),
                        Optional.of(new Staying(bid(0.9, 0.05), 1.1, 0, 0.1, OptionalDouble.empty())),
                        Optional.of(BETTER)))
                .isEqualTo(Reason.SUITS);
    }

    @Test
    void badInputMovesNobodyAndSaysWhy() {
        Optional<Kind> kind = Optional.of(KIND);
        assertThat(reason(RAN, Optional.empty(), Optional.of(SUFFERS), Optional.of(BETTER)))
                .isEqualTo(Reason.NO_PROFILE);
        assertThat(reason(RAN, Optional.of(new Kind("k", 2, 100, true)), Optional.of(SUFFERS), Optional.of(BETTER)))
                .isEqualTo(Reason.FEW_SAMPLES);
        assertThat(reason(RAN, Optional.of(new Kind("k", 20, 100, false)), Optional.of(SUFFERS), Optional.of(BETTER)))
                .isEqualTo(Reason.OTHER_HARDWARE);
        assertThat(reason(RAN, Optional.of(new Kind("k", 20, 0, true)), Optional.of(SUFFERS), Optional.of(BETTER)))
                .isEqualTo(Reason.NO_RUN_TIME);
        assertThat(reason(RAN, kind, Optional.empty(), Optional.of(BETTER))).isEqualTo(Reason.NOT_MEASURED);
        Staying unsure = new Staying(
                new Bid(0, Double.POSITIVE_INFINITY, 0), 2, 0.5, Double.POSITIVE_INFINITY, OptionalDouble.empty());
        assertThat(reason(RAN, kind, Optional.of(unsure), Optional.of(BETTER))).isEqualTo(Reason.ERROR_UNKNOWN);
    }

    @Test
    void masterQueueThatIsGoneAndWhatDoesNotStartAgainStay() {
        assertThat(standing(true, true, Optional.of("root.etl"))).isEqualTo(Reason.MASTER);
        assertThat(standing(false, false, Optional.of("root.etl"))).isEqualTo(Reason.NOT_RESTARTABLE);
        assertThat(standing(false, true, Optional.empty())).isEqualTo(Reason.QUEUE_GONE);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whoLeavesSavesMoreThanItLosesAndAWiderIntervalLetsNobodyMoreLeave(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            Candidate candidate = Candidates.random(random, i);
            Judgement judgement = WorkRule.judge(candidate);
            if (judgement.goes()) {
                WorkAccount account = judgement.account().orElseThrow();
                assertThat(account.saved()).isGreaterThan(account.lost());
                assertThat(candidate.master()).isFalse();
            } else {
                Optional<Staying> wider = candidate
                        .staying()
                        .map(staying -> new Staying(
                                bid(
                                        staying.gain().gain(),
                                        2
                                                * (staying.gain().atMost()
                                                        - staying.gain().gain())),
                                staying.slowdown(),
                                staying.harm(),
                                staying.margin(),
                                staying.company()));
                Candidate unsurer = with(candidate, candidate.ran(), candidate.kind(), wider, candidate.target());
                assertThat(WorkRule.judge(unsurer).goes()).isFalse();
            }
        }
    }

    private static Reason reason(
            Duration ran, Optional<Kind> kind, Optional<Staying> staying, Optional<Target> target) {
        return WorkRule.judge(with(LEAVER, ran, kind, staying, target)).reason();
    }

    private static Reason standing(boolean master, boolean restartable, Optional<String> queue) {
        return WorkRule.judge(new Candidate(
                        "c",
                        "a",
                        queue,
                        "a/map",
                        "bad",
                        master,
                        restartable,
                        RAN,
                        LEAVER.kind(),
                        LEAVER.staying(),
                        LEAVER.target()))
                .reason();
    }
}
