package org.interference.yarn.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.ws.rs.core.Response;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTurnsTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    /** From an origin that overflows during the tests. */
    private long now = Long.MAX_VALUE - HOUR / 2;

    private final PlanTurns turns = new PlanTurns(() -> now);

    @Test
    void userHasOneRequestAtATime() {
        PlanTurns.Turn first = turns.enter("ann");

        refused(() -> turns.enter("ann"));
        first.close();
        turns.enter("ann").close();
    }

    @Test
    void oneIsPlannedAtATimeAndTheNextWhenItEnds() {
        PlanTurns.Turn ann = turns.enter("ann");
        PlanTurns.Turn bob = turns.enter("bob");
        ann.begin();

        refused(bob::begin);
        bob.close();
        refused(turns.enter("bob")::begin);
        ann.close();
        turns.enter("carl").begin();
    }

    @Test
    void bodiesOfFewAreInMemoryAtATime() {
        List<PlanTurns.Turn> present = new ArrayList<>();
        for (int i = 0; i < PlanTurns.MOST_AT_ONCE; i++) {
            present.add(turns.enter("user" + i));
        }

        refused(() -> turns.enter("late"));
        present.get(0).close();
        turns.enter("late").close();
    }

    @Test
    void whoPlansNowAndThenDoesNotWait() {
        for (int i = 0; i < 100; i++) {
            plan("ann", SECOND);
            now += 20 * SECOND;
        }
    }

    @Test
    void sentenceSaysHowLongToWait() {
        plan("ann", 30 * SECOND);

        refused(() -> turns.enter("ann"), "ask again in 101 s");
        now += 101 * SECOND;
        plan("ann", SECOND);
    }

    /** However somebody asks, in the long run they have a tenth of a processor, and all together half of one. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 20, 3000})
    void nobodyKeepsAProcessorBusy(int users) {
        Random random = new Random(users);
        long planned = 0;
        long began = now;
        while (now - began < HOUR) {
            String user = "user" + random.nextInt(users);
            try (PlanTurns.Turn turn = turns.enter(user)) {
                turn.begin();
                long time = (long) (random.nextDouble() * 10 * SECOND);
                now += time;
                planned += time;
            } catch (RequestException e) {
                now += SECOND / 10;
            }
        }

        double most = users == 1 ? 0.1 * HOUR + 30 * SECOND : 0.5 * HOUR + 70 * SECOND;
        assertThat(planned).isBetween((long) (0.9 * Math.min(most, users * 0.1 * HOUR)), (long) most);
    }

    private void plan(String user, long time) {
        try (PlanTurns.Turn turn = turns.enter(user)) {
            turn.begin();
            now += time;
        }
    }

    private static void refused(ThrowingCallable asking) {
        refused(asking, "ask again");
    }

    private static void refused(ThrowingCallable asking, String words) {
        assertThatThrownBy(asking)
                .isInstanceOfSatisfying(RequestException.class, e -> assertThat(e.status())
                        .isEqualTo(Response.Status.TOO_MANY_REQUESTS))
                .hasMessageContaining(words);
    }
}
