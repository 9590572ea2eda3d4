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
}
