package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TimeBudgetTest {
    private static final long MILLI = 1_000_000;

    private final AtomicLong tick = new AtomicLong(-5);
    private final TimeBudget budget = new TimeBudget(0.1, tick::get);

    @Test
    void whoSpendsAllTimeGetsTheShareOfIt() {
        long spent = 0;
        for (int i = 0; i < 100_000; i++) {
            tick.addAndGet(MILLI / 10);
            if (budget.isLeft()) {
                tick.addAndGet(MILLI / 50);
                budget.spend(MILLI / 50);
                spent += MILLI / 50;
            }
        }

        assertThat((double) spent / tick.get()).isBetween(0.099, 0.102);
    }

    @Test
    void idleTimeIsSavedForAMomentOnly() {
        tick.addAndGet(3600_000 * MILLI);

        assertThat(budget.isLeft()).isTrue();
        budget.spend(10 * MILLI);

        assertThat(budget.isLeft()).isFalse();
    }

    @Test
    void oneThatTookLongIsPaidForBeforeTheNext() {
        budget.isLeft();
        budget.spend(510 * MILLI);

        tick.addAndGet(4999 * MILLI);
        assertThat(budget.isLeft()).isFalse();
        tick.addAndGet(2 * MILLI);
        assertThat(budget.isLeft()).isTrue();
    }

    @Test
    void onePauseSilencesDecisionsForSomeSecondsOnly() {
        TimeBudget usual = new TimeBudget(0.02, tick::get);
        usual.isLeft();

        usual.spend(5000 * MILLI);
        tick.addAndGet(10_001 * MILLI);

        assertThat(usual.isLeft()).isTrue();
    }

    @Test
    void halfOfTheTimeInWhichThereIsNothingToDoMayBeSpentAsWell() {
        long spent = 0;
        for (int i = 0; i < 100_000; i++) {
            // Of each millisecond 0.4 are the scheduler's own work, and the rest is idle unless it is spent.
            long idle = 6 * MILLI / 10;
            tick.addAndGet(4 * MILLI / 10);
            while (idle > 0 && budget.isLeft()) {
                tick.addAndGet(MILLI / 50);
                budget.spend(MILLI / 50);
                idle -= MILLI / 50;
                spent += MILLI / 50;
            }
            tick.addAndGet(idle);
            budget.idle(idle);
        }

        // Of all time s is spent, so that 0.6 - s is idle: s = 0.1 + 0.5 (0.6 - s).
        assertThat((double) spent / tick.get()).isBetween(0.262, 0.272);
    }

    @Test
    void ofALongRestNoMoreIsSavedThanOfAnyTime() {
        budget.idle(3600_000 * MILLI);
        budget.spend(10 * MILLI);

        assertThat(budget.isLeft()).isFalse();
    }

    @Test
    void wholeTimeIsNoLimit() {
        TimeBudget all = new TimeBudget(1, tick::get);
        all.spend(Long.MAX_VALUE / 2);

        assertThat(all.isLeft()).isTrue();
    }
}
