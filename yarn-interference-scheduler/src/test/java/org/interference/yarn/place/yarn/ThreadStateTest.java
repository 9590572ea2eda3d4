package org.interference.yarn.place.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a thread that goes from node to node has nothing to do. */
class ThreadStateTest {
    private final ThreadState thread = new ThreadState();

    @Test
    void visitsThatComeToNothingAreNoWork() {
        visit(100, false, false);
        visit(200, false, false);
        thread.visiting(300);

        assertThat(thread.decides()).isEqualTo(200);
    }

    @Test
    void whatWasSaidOnceIsNotSaidAgain() {
        visit(100, false, false);
        thread.visiting(300);
        thread.decides();

        assertThat(thread.decides()).isZero();
    }

    @Test
    void oneVisitAfterTheOtherThatServesSomebodyIsWorkAllTheTime() {
        for (int i = 0; i < 10; i++) {
            thread.visiting(100L * i);
            assertThat(thread.decides()).isZero();
            thread.visited(true);
        }
    }

    /** What the parent serves without asking is work as well. */
    @Test
    void afterAVisitThatServesSomebodyRestBeginsAnew() {
        visit(100, false, false);
        visit(200, false, true);
        visit(300, false, false);
        thread.visiting(350);

        assertThat(thread.decides()).isEqualTo(50);
    }

    /** A node that is left could have been given to somebody. */
    @Test
    void aVisitInWhichANodeIsLeftIsWork() {
        visit(100, true, false);
        thread.visiting(200);

        assertThat(thread.decides()).isZero();
    }

    @Test
    void aThreadThatWaitsForEventsRestsFromOneToTheNext() {
        assertThat(thread.restedSince()).isEmpty();
        thread.rests(100);

        assertThat(thread.restedSince()).hasValue(100);
        assertThat(thread.restedSince()).isEmpty();
    }

    private void visit(long at, boolean decided, boolean allocated) {
        thread.visiting(at);
        if (decided) {
            thread.decides();
        }
        thread.visited(allocated);
    }
}
