package org.interference.yarn.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TurnsTest {
    @Test
    void noMoreThanSoManyAreAtItAtOnce() {
        Turns turns = new Turns(2, Duration.ZERO);

        turns.take(() -> turns.take(() -> refused(turns)));
        assertThatThrownBy(() -> turns.take(() -> {
                    throw new IllegalStateException("by a fault");
                }))
                .hasMessage("by a fault");
        turns.take(() -> turns.take(() -> refused(turns)));
    }

    @Test
    void fewWaitForTheirTurnAndTheOthersAreRefusedAtOnce() throws Exception {
        Turns turns = new Turns(1, Duration.ofMinutes(10));
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            CompletableFuture<?>[] waiting = turns.take(() -> {
                CompletableFuture<?>[] others = new CompletableFuture<?>[Turns.MOST_WAITING];
                for (int i = 0; i < others.length; i++) {
                    others[i] = CompletableFuture.supplyAsync(() -> turns.take(() -> "its turn"), threads);
                }
                while (turns.waiting() < Turns.MOST_WAITING
                        && !Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
                Future<?> late = threads.submit(() -> refused(turns));
                assertThat(late).succeedsWithin(Duration.ofSeconds(20));
                assertThat(others).noneMatch(CompletableFuture::isDone);
                return others;
            });

            CompletableFuture.allOf(waiting).get(1, TimeUnit.MINUTES);
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean refused(Turns turns) {
        assertThatThrownBy(() -> turns.take(() -> "its turn"))
                .isInstanceOfSatisfying(
                        RequestException.class, e -> assertThat(e.status()).isEqualTo(429));
        return true;
    }
}
