package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BreakerTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1000 * MILLI;
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final AtomicLong tick = new AtomicLong(-17 * MINUTE);

    @Test
    void breakerOpensAtTheLastAllowedErrorAndNotBefore() {
        Breaker breaker = breaker(2);
        fail(breaker, 1);
        assertThat(breaker.open()).isEmpty();

        fail(breaker, 1);

        assertThat(breaker.open()).hasValueSatisfying(why -> assertThat(why)
                .startsWith("2 errors within 10 minutes, the last: java.lang.IllegalStateException at "
                        + BreakerTest.class.getName()));
        assertThat(breaker.isSlow()).isFalse();
    }

    @Test
    void aYearOfRareErrorsDoesNotOpenIt() {
        Breaker breaker = breaker(10);
        for (int i = 0; i < 1000; i++) {
            tick.addAndGet(70 * SECOND);
            fail(breaker, 1);
            assertThat(breaker.open()).isEmpty();
        }
        assertThat(breaker.errors()).isBetween(8, 9);

        fail(breaker, 2);

        assertThat(breaker.open()).isPresent();
    }

    @Test
    void openBreakerKeepsTheReasonForWhichItOpened() {
        Breaker breaker = breaker(1);
        fail(breaker, 1);
        String reason = breaker.open().orElseThrow();

        breaker.error(new UnsupportedOperationException());

        assertThat(breaker.open()).contains(reason);
        assertThat(breaker.errors()).isEqualTo(2);
    }

    @Test
    void closesByItselfAfterTenQuietMinutesInShadowAndTenOnTrial() {
        Breaker breaker = breaker(100);
        fail(breaker, 100);

        tick.addAndGet(10 * MINUTE - 1);
        assertThat(breaker.isOpen()).isTrue();
        tick.addAndGet(1);
        assertThat(breaker.isOpen()).isFalse();
        assertThat(breaker.isOnTrial()).isTrue();
        tick.addAndGet(10 * MINUTE);
        assertThat(breaker.isOnTrial()).isFalse();
        fail(breaker, 99);
        assertThat(breaker.isOpen()).isFalse();
        fail(breaker, 1);
        assertThat(breaker.isOpen()).isTrue();
    }

    @Test
    void whatGoesOnFailingInShadowIsNotTriedAgain() {
        Breaker breaker = breaker(100);
        fail(breaker, 100);

        for (int minute = 0; minute < 60; minute++) {
            tick.addAndGet(MINUTE);
            fail(breaker, 2);
            assertThat(breaker.isOpen()).as("minute %d", minute).isTrue();
        }
    }

    @Test
    void aTenthOfTheErrorsOnTrialOpensItAgain() {
        Breaker breaker = breaker(100);
        fail(breaker, 100);
        tick.addAndGet(15 * MINUTE);
        fail(breaker, 9);
        assertThat(breaker.isOpen()).isFalse();

        fail(breaker, 1);

        assertThat(breaker.isOpen()).isTrue();
        tick.addAndGet(9 * MINUTE);
        assertThat(breaker.isOpen()).isTrue();
    }

    @Test
    void aSecondLostInAMinuteOpensIt() {
        Breaker breaker = breaker(1);
        for (int i = 0; i < 20; i++) {
            tooSlow(breaker, 49 * MILLI, 3 * SECOND);
        }
        assertThat(breaker.open()).isEmpty();

        for (int i = 20; i < 60; i++) {
            tooSlow(breaker, 70 * MILLI, 3 * SECOND);
        }

        assertThat(breaker.isSlow()).isTrue();
        assertThat(breaker.open())
                .hasValueSatisfying(why -> assertThat(why).startsWith("decisions that took too long came to 1."));
        assertThat(breaker.errors()).isZero();
    }

    @Test
    void whatWasTooSlowIsFirstLeftAloneThenLookedAtThenTried() {
        Breaker breaker = breaker(1);
        for (int i = 0; i < 11; i++) {
            assertThat(breaker.isSlow()).isFalse();
            tooSlow(breaker, 100 * MILLI, 100 * MILLI);
        }
        assertThat(breaker.isSlow()).isTrue();

        tick.addAndGet(5 * MINUTE);
        assertThat(breaker.isSlow()).isFalse();
        assertThat(breaker.isOpen()).isTrue();
        tick.addAndGet(5 * MINUTE);
        assertThat(breaker.isOnTrial()).isTrue();
        for (int i = 0; i < 4; i++) {
            assertThat(breaker.isOpen()).isFalse();
            tooSlow(breaker, 100 * MILLI, 100 * MILLI);
        }
        assertThat(breaker.isSlow()).isTrue();
    }

    /** A pause of a tenth of a second every quarter of a minute, for an hour. */
    @Test
    void pausesOfTheMachineDoNotOpenIt() {
        Breaker breaker = breaker(1);
        for (int i = 0; i < 240; i++) {
            tooSlow(breaker, 100 * MILLI, 15 * SECOND);
        }

        assertThat(breaker.open()).isEmpty();
    }

    @Test
    void onePauseOfAnyLengthOnAnyNumberOfThreadsDoesNotOpenIt() {
        Breaker breaker = breaker(1);
        tick.addAndGet(MINUTE);
        for (int thread = 0; thread < 100; thread++) {
            tooSlow(breaker, 30 * SECOND, 10_000);
        }

        assertThat(breaker.open()).isEmpty();
    }

    private Breaker breaker(int errorsAllowed) {
        return new Breaker(errorsAllowed, tick::get);
    }

    private static void fail(Breaker breaker, int times) {
        for (int i = 0; i < times; i++) {
            breaker.error(new IllegalStateException("whose"));
        }
    }

    /** A decision that ends {@code after} the last one. */
    private void tooSlow(Breaker breaker, long nanos, long after) {
        tick.addAndGet(after);
        breaker.tooSlow(nanos);
    }
}
