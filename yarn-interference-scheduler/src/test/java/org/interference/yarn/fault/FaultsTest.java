package org.interference.yarn.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultsTest {
    private static final Instant T0 = Instant.parse("2025-03-01T00:00:00Z");

    private Instant now = T0;
    private final List<String> logged = new ArrayList<>();
    private final List<Throwable> thrown = new ArrayList<>();
    private final Faults faults = new Faults(() -> now, (message, error) -> {
        logged.add(message);
        thrown.add(error);
    });

    @Test
    void oneKindIsLoggedOnceAMinuteWithItsStackAndHowOftenItHappened() {
        String number = "";
        for (int i = 0; i < 119; i++) {
            number = faults.note(Part.REST, error(i));
            now = now.plusSeconds(1);
        }

        assertThat(logged)
                .containsExactly(
                        "the interference plugin failed (REST, incident %s), and 0 times more since this was last logged"
                                .formatted(number),
                        "the interference plugin failed (REST, incident %s), and 59 times more since this was last logged"
                                .formatted(number));
        assertThat(thrown.get(1)).hasMessage("60").hasStackTraceContaining("FaultsTest.error");
        assertThat(faults.counts()).containsEntry(Part.REST, 119L).containsEntry(Part.DECISION, 0L);
        assertThat(faults.total()).isEqualTo(119);
    }

    @Test
    void anotherPartClassOrPlaceIsAnotherKind() {
        String first = faults.note(Part.REST, error(1));
        assertThat(faults.note(Part.STORE, error(1))).isNotEqualTo(first);
        faults.note(Part.STORE, new IllegalArgumentException());
        faults.note(Part.STORE, new IllegalArgumentException());

        assertThat(logged).hasSize(4);
        assertThat(faults.newest()).hasSize(4).extracting(Faults.Kind::part).endsWith(Part.REST);
    }

    @Test
    void whatAnErrorSaysIsInTheLogOnly() {
        faults.note(Part.STORE, new IllegalStateException("secret-tenant"));

        Faults.Kind kind = faults.newest().get(0);
        assertThat(kind.error()).isEqualTo("java.lang.IllegalStateException");
        assertThat(kind.at()).contains("FaultsTest.whatAnErrorSaysIsInTheLogOnly");
        assertThat(kind.count()).isEqualTo(1);
        assertThat(kind.last()).isEqualTo(T0);
    }

    @Test
    void kindsAreBoundedAndTheOldestGoFirst() {
        for (int line = 0; line < 10_000; line++) {
            Exception error = new Exception();
            error.setStackTrace(new StackTraceElement[] {new StackTraceElement("a.B", "c", "B.java", line)});
            faults.note(Part.INGEST, error);
        }

        assertThat(faults.newest()).hasSize(10);
        assertThat(faults.newest().get(0).at()).isEqualTo("a.B.c:9999");
        assertThat(faults.total()).isEqualTo(10_000);
    }

    @Test
    void logThatFailsIsNobodysProblem() {
        Faults broken = new Faults(() -> now, (message, error) -> {
            throw new StackOverflowError();
        });

        broken.note(Part.METRICS, error(1));

        assertThat(broken.total()).isEqualTo(1);
    }

    private static Exception error(int number) {
        return new IllegalStateException(Integer.toString(number));
    }
}
