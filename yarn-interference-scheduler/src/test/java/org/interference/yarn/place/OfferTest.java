package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.LongStream;
import org.interference.yarn.place.Offer.Bid;
import org.interference.yarn.place.Offer.Decision;
import org.interference.yarn.place.Offer.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who gets a node that is free. */
class OfferTest {
    private static final Bid HARMLESS = certain(1, 0);
    private static final Bid HARMFUL = certain(-0.5, 0);

    static LongStream seeds() {
        return LongStream.range(0, 500);
    }

    @Test
    void nodeIsTheParentsFirstWhereNobodyIsClearlyBetter() {
        assertThat(decide(certain(0.5, 0.2), certain(0.6, 0.3), certain(0.9, 0.25)))
                .isEqualTo(taken(0, Reason.FIRST));
    }

    @Test
    void nodeIsWhoseGainIsMostAboveTheUsualAndNotWhoseIsGreatest() {
        assertThat(decide(certain(0.9, 0), certain(0.4, 0.3), certain(0.5, 0.2)))
                .isEqualTo(taken(1, Reason.BETTER));
    }

    @Test
    void whoWouldMakeTheNodeSlowerDoesNotGetItWhileAnotherWouldNot() {
        assertThat(decide(certain(-0.1, 0.5), certain(0, -0.5))).isEqualTo(taken(1, Reason.BETTER));
    }

    @Test
    void nodeThatEverybodyWouldMakeSlowerIsLeft() {
        assertThat(decide(HARMFUL, HARMFUL)).isEqualTo(new Decision(OptionalInt.empty(), Reason.LEFT));
    }

    @Test
    void nodeIsNotLeftAsLongAsOneGainMayStillBeAboveNothing() {
        assertThat(decide(HARMFUL, new Bid(-0.5, 0.01, 0.3))).isEqualTo(taken(1, Reason.BETTER));
    }

    @Test
    void whatANodeHasGrownByIsForWhoSurelyGainsThere() {
        Bid perhaps = new Bid(0.3, 0.7, 0.5);
        Bid surely = new Bid(0.3, 0.5, 0.1);

        assertThat(new Offer(List.of(perhaps, surely), false, false).decideSurely())
                .isEqualTo(taken(1, Reason.BETTER));
    }

    @Test
    void whatANodeHasGrownByIsLeftWhereNobodySurelyGainsHoweverLongSomebodyHasWaited() {
        Bid perhaps = new Bid(0.3, 0.7, 0.5);

        assertThat(new Offer(List.of(perhaps, Bid.UNKNOWN), true, false).decideSurely())
                .isEqualTo(new Decision(OptionalInt.empty(), Reason.LEFT));
    }

    @Test
    void nodeIsNotLeftOnTheWordOfAPredictorWhoseErrorNobodyKnows() {
        assertThat(decide(new Bid(-5, Double.POSITIVE_INFINITY, 0))).isEqualTo(taken(0, Reason.FIRST));
    }

    @Test
    void whoeverHasWaitedForAsLongAsItMayGetsTheNodeHoweverBadItIs() {
        assertThat(new Offer(List.of(HARMFUL, HARMLESS), true, true).decide()).isEqualTo(taken(0, Reason.OVERDUE));
    }

    @Test
    void nodeThatMayNotBeLeftGoesToTheLeastBad() {
        assertThat(new Offer(List.of(certain(-0.9, -0.3), certain(-0.2, 0.1)), false, false).decide())
                .isEqualTo(taken(1, Reason.BETTER));
    }

    @Test
    void parentDecidesWhereNothingIsKnownOfItsFirst() {
        assertThat(decide(Bid.UNKNOWN, HARMLESS).reason()).isEqualTo(Reason.UNKNOWN);
        assertThat(new Offer(List.of(), false, true).decide().reason()).isEqualTo(Reason.UNKNOWN);
        assertThat(new Offer(List.of(Bid.UNKNOWN), true, true).decide().reason())
                .isEqualTo(Reason.UNKNOWN);
    }

    @Test
    void whoIsNotKnownBehindTheFirstTakesNoPart() {
        assertThat(decide(HARMFUL, Bid.UNKNOWN).reason()).isEqualTo(Reason.LEFT);
        assertThat(decide(HARMLESS, Bid.UNKNOWN)).isEqualTo(taken(0, Reason.FIRST));
    }

    /** Whatever is offered: a node is left only if all surely harm, and nobody harmful gets it while somebody would not harm. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void decisionIsOneThatItsReasonAllows(long seed) {
        Random random = new Random(seed);
        List<Bid> bids = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(6); i++) {
            double gain = 2 * random.nextDouble() - 1;
            bids.add(
                    random.nextInt(8) == 0
                            ? Bid.UNKNOWN
                            : new Bid(
                                    gain,
                                    gain + random.nextDouble(),
                                    random.nextDouble() - 0.5,
                                    1 + random.nextInt(2)));
        }
        boolean overdue = random.nextInt(5) == 0;
        boolean mayBeLeft = random.nextBoolean();

        Decision decision = new Offer(bids, overdue, mayBeLeft).decide();

        switch (decision.reason()) {
            case UNKNOWN -> assertThat(bids.get(0).isKnown()).isFalse();
            case OVERDUE -> assertThat(overdue).isTrue();
            case LEFT -> {
                assertThat(mayBeLeft && !overdue).isTrue();
                assertThat(bids).allMatch(bid -> !bid.isKnown() || bid.atMost() < 0);
            }
            case FIRST, BETTER -> {
                Bid winner = bids.get(decision.winner().getAsInt());
                assertThat(winner.isKnown()).isTrue();
                assertThat(decision.reason() == Reason.FIRST)
                        .isEqualTo(decision.winner().getAsInt() == 0);
                assertThat(bids).allMatch(bid -> rank(bid) <= rank(winner));
                assertThat(bids)
                        .filteredOn(bid -> rank(bid) == rank(winner))
                        .allMatch(bid ->
                                bid.weight() <= winner.weight() || bid.excess() < winner.excess() + Offer.CLEARLY)
                        .allMatch(bid -> bid.excess() <= winner.excess() + 2 * Offer.CLEARLY);
                if (bids.stream().allMatch(bid -> bid.weight() == winner.weight())) {
                    assertThat(bids)
                            .filteredOn(bid -> rank(bid) == rank(winner))
                            .allMatch(bid -> bid.excess() <= winner.excess() + Offer.CLEARLY);
                }
            }
        }
        assertThat(decision.winner().isPresent())
                .isEqualTo(decision.reason() != Reason.LEFT && decision.reason() != Reason.UNKNOWN);
    }

    @Test
    void ofThoseWhomItSuitsAsWellItIsWhoseSlowdownCountsMost() {
        assertThat(decide(new Bid(0.5, 0.5, 0.25, 1), new Bid(0.5, 0.5, 0.2, 2), new Bid(0.5, 0.5, 0.2, 4)))
                .isEqualTo(taken(2, Reason.BETTER));
        assertThat(decide(new Bid(0.5, 0.5, 0.25, 4), new Bid(0.5, 0.5, 0.3, 4)))
                .isEqualTo(taken(0, Reason.FIRST));
        assertThat(decide(new Bid(0.5, 0.5, 0.25, 1), new Bid(0.5, 0.5, 0.1, 4)))
                .isEqualTo(taken(0, Reason.FIRST));
        assertThat(decide(new Bid(0.5, 0.5, 0.25, 1), new Bid(-0.5, 0.5, 0.25, 4)))
                .isEqualTo(taken(0, Reason.FIRST));
    }

    /** What comes behind the winner, and is worse, changes nothing: only so many need be looked at. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whoHarmsMoreAndComesLaterChangesNothing(long seed) {
        Random random = new Random(seed);
        List<Bid> bids = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(4); i++) {
            bids.add(certain(random.nextDouble(), random.nextDouble()));
        }
        Decision before = new Offer(bids, false, true).decide();
        bids.add(certain(-random.nextDouble() - 0.01, random.nextDouble()));

        assertThat(new Offer(bids, false, true).decide()).isEqualTo(before);
    }

    /** Who surely harms comes after who may, and both after who does not. */
    private static int rank(Bid bid) {
        return !bid.isKnown() ? 0 : bid.gain() >= 0 ? 3 : bid.atMost() >= 0 ? 2 : 1;
    }

    private static Decision decide(Bid... bids) {
        return new Offer(List.of(bids), false, true).decide();
    }

    private static Decision taken(int who, Reason reason) {
        return new Decision(OptionalInt.of(who), reason);
    }

    private static Bid certain(double gain, double excess) {
        return new Bid(gain, gain, excess);
    }
}
