package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineConnectionTest {
    private static final long DEADLINE = 1000;
    private static final byte[] QUESTION = "question".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path directory;

    private ServerSocketChannel server;
    private Path socket;

    /** Read only where a connection is about to wait. */
    private LongSupplier clock = () -> 0;

    @BeforeEach
    void listen() throws IOException {
        socket = FakeIntpd.socketIn(directory);
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void answerThatCameDuringAPauseOfTheProcessIsInTime() throws IOException {
        try (LineConnection connection = connection();
                SocketChannel peer = server.accept()) {
            clock = () -> {
                send(peer, "answer\n");
                return DEADLINE + 1;
            };

            assertThat(connection.exchange(QUESTION, DEADLINE)).asString().isEqualTo("answer");
        }
    }

    @Test
    void withoutAnAnswerTheDeadlineHolds() throws IOException {
        try (LineConnection connection = connection();
                SocketChannel peer = server.accept()) {
            clock = () -> DEADLINE + 1;

            assertThat(peer.isOpen()).isTrue();
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> connection.exchange(QUESTION, DEADLINE));
        }
    }

    private LineConnection connection() throws IOException {
        return LineConnection.open(socket, 100, () -> clock.getAsLong(), DEADLINE);
    }

    private static void send(SocketChannel peer, String text) {
        try {
            peer.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
