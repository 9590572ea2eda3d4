package org.interference.yarn.testbed.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class VisitorTest {
    private final AtomicLong now = new AtomicLong();
    private Runnable pause = () -> {};

    @Test
    void onlyWhatIsAskedAfterTheWarmUpIsNoted() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            start(() -> answer(server, Integer.MAX_VALUE));

            // Asked at 0, 1, 2, 3, 4 unnoted, and at 5, 7, 9 (the answer is one look at the clock); at 11 it is over.
            assertThat(visitor(server, 5, 10).call()).containsExactly(1.0, 1.0, 1.0);
        }
    }

    @Test
    void aTierThatHangsUpIsAFailure() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            start(() -> answer(server, 3));

            Visitor visitor = visitor(server, 0, 1000);

            assertThatThrownBy(visitor::call).isInstanceOf(IOException.class);
        }
    }

    /** Each look at the clock finds it a millisecond later. */
    private long tick() {
        return now.getAndAdd(TimeUnit.MILLISECONDS.toNanos(1));
    }

    @Test
    void itPausesBeforeEachRequestAndThePauseIsNoPartOfTheAnswer() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            start(() -> answer(server, Integer.MAX_VALUE));
            pause = () -> now.addAndGet(TimeUnit.MILLISECONDS.toNanos(3));

            // Asked at 3, unnoted, then at 7 and at 12, each after a pause of 3; at 17 it is over.
            assertThat(visitor(server, 5, 15).call()).containsExactly(1.0, 1.0);
        }
    }

    private Visitor visitor(ServerSocket server, long from, long until) {
        return new Visitor(
                (InetSocketAddress) server.getLocalSocketAddress(),
                this::tick,
                () -> pause.run(),
                TimeUnit.MILLISECONDS.toNanos(from),
                TimeUnit.MILLISECONDS.toNanos(until));
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "tier");
        thread.setDaemon(true);
        thread.start();
    }

    /** Takes one visitor's requests, so many, and hangs up. */
    private static void answer(ServerSocket server, int requests) {
        try (Socket visitor = server.accept()) {
            for (int request = 0; request < requests; request++) {
                if (visitor.getInputStream().read() < 0
                        || visitor.getInputStream().read() != '\n') {
                    return;
                }
                visitor.getOutputStream().write('\n');
            }
        } catch (IOException e) {
            // The visitor finds that nobody answers.
        }
    }
}
