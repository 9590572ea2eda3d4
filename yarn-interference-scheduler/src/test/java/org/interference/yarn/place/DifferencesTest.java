package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.junit.jupiter.api.Test;

class DifferencesTest {
    private static final Instant TEN = Instant.parse("2026-01-31T10:30:00Z");
    private static final Instant ELEVEN = Instant.parse("2026-01-31T11:00:00Z");
    private static final Verdict CHEAP = new Verdict("cheap", Verdict.Reason.RANKED, 1, 0, 0, 0);
    /** Half of its work is lost there. */
    private static final Verdict DEAR = new Verdict("dear", Verdict.Reason.RANKED, 2, 0, 0, 0);

    private final Differences differences = new Differences();

    @Test
    void periodHoldsTheHoursThatItTouches() {
        differences.add(ranking("root.a", 1), "dear", TEN);
        differences.add(ranking("root.a", 1), "dear", ELEVEN);
        differences.add(ranking("root.a", 1), "dear", ELEVEN.plusSeconds(3600));

        assertThat(differences.between(TEN, ELEVEN).all().placements()).isEqualTo(1);
        assertThat(differences.between(TEN, ELEVEN.plusMillis(1)).all().placements())
                .isEqualTo(2);
        assertThat(differences
                        .between(ELEVEN.plusSeconds(7), ELEVEN.plusSeconds(8))
                        .all()
                        .placements())
                .isEqualTo(1);
        assertThat(differences.between(Instant.MIN, Instant.MAX).all().placements())
                .isEqualTo(3);
    }

    @Test
    void queuesAndApplicationsAreToldApart() {
        differences.add(ranking("root.a", 1), "dear", TEN);
        differences.add(ranking("root.a", 2), "cheap", TEN);
        differences.add(ranking("root.b", 2), "dear", TEN);

        Differences.Period period = differences.between(Instant.MIN, Instant.MAX);

        assertThat(period.queues().get("root.a").differing()).isEqualTo(1);
        assertThat(period.queues().get("root.a").placements()).isEqualTo(2);
        assertThat(period.applications().get("application_1_0002").savedSeconds())
                .as("half a run of ten seconds")
                .isEqualTo(5);
        assertThat(period.all().savedWork()).isEqualTo(1);
    }

    @Test
    void nothingIsKeptForLongerThanAWeek() {
        differences.add(ranking("root.a", 1), "dear", TEN);
        differences.add(
                ranking("root.a", 1), "dear", TEN.plus(Duration.ofDays(7)).plusSeconds(3600));

        assertThat(differences.between(Instant.MIN, Instant.MAX).from())
                .contains(Instant.parse("2026-02-07T11:00:00Z"));
    }

    @Test
    void moreApplicationsThanAreToldApartAreCountedTogether() {
        for (int i = 0; i < 1500; i++) {
            differences.add(ranking("root.a", i), "dear", TEN);
        }

        Differences.Period period = differences.between(Instant.MIN, Instant.MAX);

        assertThat(period.applications()).hasSize(1001);
        assertThat(period.applications().get(Differences.OTHERS).placements()).isEqualTo(500);
        assertThat(period.all().placements()).isEqualTo(1500);
    }

    /** A clock that is set back by two hours, and forward again. */
    @Test
    void clockThatIsSetBackLosesNothing() {
        differences.add(ranking("root.a", 1), "dear", ELEVEN);
        differences.add(ranking("root.a", 1), "dear", ELEVEN.minus(Duration.ofHours(2)));
        differences.add(ranking("root.a", 1), "dear", ELEVEN.plusSeconds(1));

        assertThat(differences.between(ELEVEN, ELEVEN.plusSeconds(2)).all().placements())
                .isEqualTo(3);
    }

    /** The node would have gone to the second, or been left. */
    @Test
    void whatIsOnlyToldOfAnOfferCountsByWhatTheNodeWouldHaveGotDone() {
        Offered.Contending first = new Offered.Contending(2, 10, new Offer.Bid(-0.5, -0.1, -0.4));
        Offered.Contending second = new Offered.Contending(1.25, 30, new Offer.Bid(0.75, 0.8, 0.1));
        Offer.Decision better = new Offer(List.of(first.bid(), second.bid()), false, true).decide();
        Offer.Decision left = new Offer(List.of(first.bid()), false, true).decide();
        Ranking placed = ranking("root.a", 1);

        differences.add(
                placed.with(Optional.of(new Offered("dear", Mode.SHADOW, List.of(first, second), better))),
                "dear",
                TEN);
        differences.add(placed.with(Optional.of(new Offered("dear", Mode.SHADOW, List.of(first), left))), "dear", TEN);

        Differences.Saved all = differences.between(Instant.MIN, Instant.MAX).all();
        assertThat(all)
                .isEqualTo(new Differences.Saved(
                        2,
                        2,
                        4,
                        2.25,
                        new Differences.Savings(1.75, 17.5, 12.5 * 12.5 + 25),
                        Differences.Savings.NONE,
                        all.gains(),
                        all.errors()));
        assertThat(all.expected())
                .as("of two, whose errors have the standard deviations 0.8 and 0.1")
                .isCloseTo(1 - (0.64 + 0.01) / 2 / 0.78125, within(1e-9));
    }

    @Test
    void offerWhoseErrorsNobodyKnowsSaysNothingOfWhatIsToBeExpected() {
        Offer.Bid low = new Offer.Bid(-0.5, -0.1, -0.4);
        Offer.Bid high = new Offer.Bid(0.75, 0.8, 0.1);
        Offer.Bid onThePriorsWord = new Offer.Bid(-3, Double.POSITIVE_INFINITY, -3);
        double expected = saved(offered(low, high)).expected();

        assertThat(saved(offered(low, high), offered(onThePriorsWord, onThePriorsWord, high))
                        .expected())
                .isCloseTo(expected, within(1e-9));
        assertThat(saved(offered(low, onThePriorsWord, high)).expected())
                .as("neither does a gain that is one of several")
                .isCloseTo(expected, within(1e-9));
    }

    @Test
    void contendersThatAreAlikeAreOnePrediction() {
        Offer.Bid low = new Offer.Bid(-0.5, -0.1, -0.4);
        Offer.Bid high = new Offer.Bid(0.75, 0.8, 0.1);
        Offer.Bid withAnotherWish = new Offer.Bid(0.75, 0.8, -0.9);
        double expected = saved(offered(low, high)).expected();

        assertThat(saved(offered(low, high, high, withAnotherWish)).expected()).isCloseTo(expected, within(1e-9));
    }

    /** The parent took the node where the task is faster, beside company that it does not wish for. */
    @Test
    void wishThatIsBrokenIsNoRunTimeSaved() {
        Verdict wished = new Verdict("wished", Verdict.Reason.RANKED, 1.25, 0, 0, 0);
        Verdict unwished = new Verdict("unwished", Verdict.Reason.RANKED, 1, 0, 0, 0, 1, 0.75, Optional.empty());

        differences.add(ranking("root.a", 1, List.of(wished, unwished)), "unwished", TEN);

        Differences.Saved all = differences.between(Instant.MIN, Instant.MAX).all();
        assertThat(all.differing()).isEqualTo(1);
        assertThat(all.savedWork())
                .as("a fifth of its work is what the wish costs")
                .isCloseTo(-0.2, within(1e-9));
        assertThat(all.savedSeconds()).isCloseTo(-2, within(1e-9));
    }

    /** Of the errors of such predictions nothing is known, and those of offers say nothing of them. */
    @Test
    void whatAnOrderOfSeveralNodesSavesIsToldAsItIsPredicted() {
        Offered offered = offered(new Offer.Bid(-0.5, -0.1, -0.4), new Offer.Bid(0.75, 0.8, 0.1));
        Differences.Saved offers = saved(offered);
        differences.add(ranking("root.a", 1), "dear", TEN);

        Differences.Saved all = differences.between(Instant.MIN, Instant.MAX).all();
        double part = all.expected();
        Differences.Saved expected = all.expecting(part);

        assertThat(part).isEqualTo(offers.expected()).isBetween(0.1, 0.9);
        assertThat(all.savedSeconds()).isEqualTo(12.5 + 5);
        assertThat(expected.savedSeconds()).isCloseTo(part * 12.5 + 5, within(1e-9));
        assertThat(expected.savedWork()).isCloseTo(part * 1.25 + 0.5, within(1e-9));
        assertThat(expected.savedSecondsHalfWidth().getAsDouble())
                .as("two values: 1.96 times the square root of two times their deviation")
                .isCloseTo(1.96 * Math.abs(part * 12.5 - 5), within(1e-9));
    }

    /** Where run times are ten seconds. */
    private static Offered offered(Offer.Bid... bids) {
        return new Offered(
                "dear",
                Mode.SHADOW,
                Stream.of(bids).map(bid -> new Offered.Contending(2, 10, bid)).toList(),
                new Offer(List.of(bids), false, true).decide());
    }

    /** Returns what is kept once these have been told of, too. */
    private Differences.Saved saved(Offered... offers) {
        for (Offered offered : offers) {
            differences.add(ranking("root.a", 1).with(Optional.of(offered)), "dear", TEN);
        }
        return differences.between(Instant.MIN, Instant.MAX).all();
    }

    private static Ranking ranking(String queue, int application) {
        return ranking(queue, application, List.of(CHEAP, DEAR));
    }

    private static Ranking ranking(String queue, int application, List<Verdict> verdicts) {
        Request request = new Request(
                "appattempt_1_%04d_000001".formatted(application), "1", Tasks.SORT, false, queue, Wishes.NONE);
        return new Ranking(
                request,
                Mode.SHADOW,
                Ranking.Reason.RANKED,
                Optional.of(Tasks.profile(Vectors.cpu(0.5), Duration.ofSeconds(10))),
                verdicts);
    }
}
