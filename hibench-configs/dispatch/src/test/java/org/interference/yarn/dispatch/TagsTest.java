package org.interference.yarn.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TagsTest {
    @Test
    void aJobsTagsSayItsKindItsRunAndItsNumber() {
        assertThat(Tags.of("r1", new Submission(7, Duration.ZERO, Jobs.of("sort-spark")), List.of("ifc-spread")))
                .containsExactly("ifc:sort-spark", "run=r1", "inst=7", "ifc-spread");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a,b", "Capital", "é"})
    void whatYarnWouldChangeOrRefuseIsRefused(String tag) {
        assertThatExceptionOfType(InputException.class).isThrownBy(() -> Tags.checked(List.of(tag)));
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> Tags.checked(List.of("x".repeat(101))))
                .withMessageStartingWith("--tag is 'xxx");
    }

    @Test
    void noMoreTagsAreTakenThanYarnTakes() throws InputException {
        assertThat(Tags.checked(Collections.nCopies(7, "x".repeat(100)))).hasSize(7);
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> Tags.checked(Collections.nCopies(8, "x")))
                .withMessageContaining("YARN takes 10 tags");
    }
}
