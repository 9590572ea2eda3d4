package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;

import java.util.List;
import java.util.Optional;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.place.Verdict.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecisionTest {
    private static final Request MAP = new Request("attempt_1", "priority 20", Tasks.SORT, false);
    private static final List<Verdict> FOUR_NODES = List.of(
            new Verdict("quiet", Reason.RANKED, 1.1, 0.25, 0, 0.5),
            Verdict.neutral("blind", Reason.NEUTRAL_NO_SAMPLE),
            new Verdict("busy", Reason.RANKED, 1.5, 0.75, 0.2, 2),
            new Verdict("busiest", Reason.RANKED, 2, 1, 0, 3));
    private static final String FIRST_THREE =
            "quiet gains 0.659 (own slowdown 1.100, neighbours lose 0.250, locality costs 0.000, pressure 0.500); "
                    + "blind: NEUTRAL_NO_SAMPLE; "
                    + "busy gains -0.283 (own slowdown 1.500, neighbours lose 0.750, locality costs 0.200, pressure 2.000)";

    @Test
    void rankedDecisionNamesTheChosenNodeItsPlaceAndTheBestThree() {
        assertThat(ranked(Mode.ON, "quiet").explain()).isEqualTo("quiet, number 1 of 4: " + FIRST_THREE);
    }

    @Test
    void shadowDecisionSaysThatTheParentChose() {
        assertThat(ranked(Mode.SHADOW, "busiest").explain())
                .isEqualTo("the parent chose busiest; by interference it is number 4 of 4: " + FIRST_THREE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PARENT_AM_CONTAINER | placed as the parent would: an application master is never moved",
                "PARENT_NO_PROFILE | placed as the parent would: no profile of mapreduce/terasort/map/default yet",
                "PARENT_NOTHING_KNOWN | placed as the parent would: what it gains is known of no fitting node",
                "PARENT_SINGLE_NODE | placed as the parent would: it offered a single node",
                "PARENT_NOT_RANKED | placed as the parent would: this kind of request is not ranked",
                "PARENT_AFTER_ERROR | placed as the parent would: ranking failed, see health",
            })
    void decisionOfTheParentSaysWhy(Ranking.Reason reason, String sentence) {
        Decision decision = new Decision(1, T0, "c1", "quiet", Ranking.parent(MAP, Mode.ON, reason, Optional.empty()));

        assertThat(decision.explain()).isEqualTo(sentence);
    }

    @Test
    void nodeOutsideTheOrderHasRankZero() {
        assertThat(ranked(Mode.ON, "elsewhere").rank()).isZero();
        assertThat(ranked(Mode.ON, "busy").rank()).isEqualTo(3);
    }

    private static Decision ranked(Mode mode, String chosen) {
        Ranking ranking = new Ranking(MAP, mode, Ranking.Reason.RANKED, Optional.empty(), FOUR_NODES);
        return new Decision(1, T0, "c1", chosen, ranking);
    }
}
