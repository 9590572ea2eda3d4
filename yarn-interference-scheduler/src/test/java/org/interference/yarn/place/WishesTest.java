package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WishesTest {
    @ParameterizedTest
    @CsvSource({"4, 4", "0.1, 0.1", "100, 100", "2.5e1, 25", "' 3 ', 3"})
    void tagSaysHowManyTimesASlowdownCounts(String tag, double expected) {
        assertThat(Wishes.of(Set.of("ifc-sensitivity:" + tag)).sensitivity()).hasValue(expected);
    }

    @ParameterizedTest
    @CsvSource({"guarantee, 4", "high, 2", "best-effort, 0.5"})
    void tagMayNameALevel(String tag, double expected) {
        assertThat(Wishes.of(Set.of("ifc-sensitivity:" + tag)).sensitivity()).hasValue(expected);
        assertThat(Wishes.of(Set.of("ifc-sensitivity:" + tag)).within(2).sensitivity())
                .hasValue(Math.min(expected, 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "best_effort",
                "HIGH",
                "",
                "0",
                "0.09",
                "100.1",
                "-1",
                "NaN",
                "Infinity",
                "much",
                "4,0",
                "1e999",
                "0x"
            })
    void valueOutsideTheRuleSaysNothing(String tag) {
        assertThat(Wishes.of(Set.of("ifc-sensitivity:" + tag))).isEqualTo(Wishes.NONE);
    }

    @Test
    void tagsOfOthersSayNothing() {
        assertThat(Wishes.of(Set.of("ifc:sensitivity", "sensitivity:4", "ifc-sensitivity", "team-a")))
                .isEqualTo(Wishes.NONE);
        assertThat(Wishes.of(Set.of())).isEqualTo(Wishes.NONE);
    }

    @Test
    void ofTwoTagsTheHigherCounts() {
        assertThat(Wishes.of(Set.of("ifc-sensitivity:2", "ifc-sensitivity:8", "ifc-sensitivity:x"))
                        .sensitivity())
                .hasValue(8);
    }

    @Test
    void neighboursAreWishedForByTags() {
        Wishes wishes = Wishes.of(Set.of(
                "ifc-spread", "ifc-exclusive", "ifc-avoid:nightly", "ifc-avoid:Spark/Shop", "ifc-affinity:Shop"));

        assertThat(wishes)
                .isEqualTo(new Wishes(
                        OptionalDouble.empty(), true, true, Set.of("nightly", "spark/shop"), Set.of("shop")));
        assertThat(wishes.isChoosy()).isTrue();
        assertThat(wishes.silent())
                .isEqualTo(new Wishes(OptionalDouble.empty(), true, true, Set.of("nightly", "spark/shop"), Set.of()));
    }

    @Test
    void almostATagSaysNothing() {
        assertThat(Wishes.of(Set.of(
                        "ifc-spread:", "ifc-exclusives", "ifc-avoid:", "ifc-avoid", "ifc-affinity:", "ifc:spread")))
                .isEqualTo(Wishes.NONE);
        assertThat(Wishes.NONE.isChoosy()).isFalse();
    }
}
