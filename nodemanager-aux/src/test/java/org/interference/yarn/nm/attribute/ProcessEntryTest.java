package org.interference.yarn.nm.attribute;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessEntryTest {
    private static final String REST = " S 41 42 40 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987 10 11";

    @Test
    void parentSessionAndStartAreReadByPosition() {
        assertThat(ProcessEntry.parse("43 (java)" + REST))
                .contains(new ProcessEntry(43, 41, 40, 987, 5 + 6, 7 + 8, 11));
    }

    @Test
    void commandNameWithBlanksAndParenthesesIsSkipped() {
        assertThat(ProcessEntry.parse("43 (a ) R 1 (b) c)" + REST))
                .contains(new ProcessEntry(43, 41, 40, 987, 5 + 6, 7 + 8, 11));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "43",
                "43 (java) S 41",
                "x (java) S 41 42 40 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 987 10 11",
                "43 (java) S 41 42 40 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 987 10",
                "43 (java) S 41 42 40 0 -1 4 1 2 3 4 x 6 7 8 20 0 1 0 987 10 11"
            })
    void whatIsNotAStatLineIsNoProcess(String text) {
        assertThat(ProcessEntry.parse(text)).isEmpty();
    }

    @Test
    void deadProcessThatNobodyWaitedForIsNone() {
        assertThat(ProcessEntry.parse("43 (java)" + REST.replace(" S ", " Z "))).isEmpty();
        assertThat(ProcessEntry.parse("43 (java)" + REST.replace(" S ", " X "))).isEmpty();
    }

    @Test
    void leaderThatEndedBeforeItsOtherThreadsIsStillAProcess() {
        String leader = "43 (java)" + REST.replace(" S ", " Z ").replace(" 20 0 1 ", " 20 0 2 ");

        assertThat(ProcessEntry.parse(leader)).contains(new ProcessEntry(43, 41, 40, 987, 5 + 6, 7 + 8, 11));
    }
}
