package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.interference.yarn.fixture.Tasks;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankingTest {
    @ParameterizedTest
    @CsvSource({
        "ON, RANKED, true",
        "SHADOW, RANKED, false",
        "OFF, RANKED, false",
        "ON, PARENT_NO_PROFILE, false",
        "ON, PARENT_AM_CONTAINER, false",
        "ON, PARENT_AFTER_ERROR, false"
    })
    void parentsOrderIsReplacedOnlyByARankingInModeOn(Mode mode, Ranking.Reason reason, boolean expected) {
        Request request = new Request("attempt_1", "priority 20", Tasks.SORT, false);

        assertThat(new Ranking(request, mode, reason, Optional.empty(), List.of()).reorders())
                .isEqualTo(expected);
    }
}
