package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BreakerTest {
    @Test
    void breakerOpensAtTheLastAllowedErrorAndNotBefore() {
        Breaker breaker = new Breaker(2);
        breaker.error(new IllegalStateException("one"));
        assertThat(breaker.open()).isEmpty();

        breaker.error(new IllegalStateException("two"));

        assertThat(breaker.open()).hasValue("2 errors, the last: java.lang.IllegalStateException: two");
    }

    @Test
    void openBreakerKeepsTheReasonForWhichItOpened() {
        Breaker breaker = new Breaker(1);
        breaker.error(new IllegalStateException("the reason"));

        breaker.error(new IllegalStateException("later"));

        assertThat(breaker.open()).hasValueSatisfying(why -> assertThat(why).endsWith("the reason"));
        assertThat(breaker.errors()).isEqualTo(2);
    }

    @Test
    void aSecondLostInAMinuteOpensIt() {
        Breaker breaker = new Breaker(1);
        for (int i = 0; i < 20; i++) {
            breaker.tooSlow(49_000_000, i * 3_000_000_000L);
        }
        assertThat(breaker.open()).isEmpty();

        for (int i = 20; i < 60; i++) {
            breaker.tooSlow(70_000_000, i * 3_000_000_000L);
        }

        assertThat(breaker.isSlow()).isTrue();
        assertThat(breaker.open())
                .hasValueSatisfying(why -> assertThat(why).startsWith("decisions that took too long came to 1."));
        assertThat(breaker.errors()).isZero();
    }

    /** A pause of a tenth of a second every quarter of a minute, for an hour. */
    @Test
    void pausesOfTheMachineDoNotOpenIt() {
        Breaker breaker = new Breaker(1);
        for (int i = 0; i < 240; i++) {
            breaker.tooSlow(100_000_000, i * 15_000_000_000L);
        }

        assertThat(breaker.open()).isEmpty();
    }
}
