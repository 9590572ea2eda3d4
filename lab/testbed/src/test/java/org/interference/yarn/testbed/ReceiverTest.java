package org.interference.yarn.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ReceiverTest {
    private Receiver receiver;

    @BeforeEach
    void listen() throws IOException {
        receiver = Receiver.on(InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        receiver.close();
    }

    @Test
    void theAnswerComesAfterTheLastByte() throws IOException {
        byte[] bytes = new byte[300_000];
        try (Socket sender = connect()) {
            sender.getOutputStream().write("300000\n".getBytes(StandardCharsets.US_ASCII));
            sender.getOutputStream().write(bytes, 0, bytes.length - 1);
            assertThat(sender.getInputStream().available()).isZero();
            sender.getOutputStream().write(0);
            assertThat(sender.getInputStream().readAllBytes())
                    .asString(StandardCharsets.US_ASCII)
                    .isEqualTo("300000\n");
        }
    }

    @Test
    void senderThatLeavesEarlyOrTalksNonsenseGetsNoAnswer() throws IOException {
        for (String words : new String[] {"5\nabc", "five\nabcde", "\n", "", "123456789012345678901234567890"}) {
            try (Socket sender = connect()) {
                sender.getOutputStream().write(words.getBytes(StandardCharsets.US_ASCII));
                sender.shutdownOutput();
                assertThat(answer(sender)).as(words).isEmpty();
            }
        }
    }

    private static byte[] answer(Socket sender) throws IOException {
        try {
            return sender.getInputStream().readAllBytes();
        } catch (java.net.SocketException e) {
            return new byte[0];
        }
    }

    private Socket connect() throws IOException {
        String[] address = receiver.address().split(":", -1);
        return new Socket(address[0], Integer.parseInt(address[1]));
    }
}
