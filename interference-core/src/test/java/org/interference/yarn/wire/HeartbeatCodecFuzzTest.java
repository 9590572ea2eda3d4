package org.interference.yarn.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.interference.yarn.signal.NodeReport;
import org.junit.jupiter.api.Test;

/** Whatever bytes a heartbeat brings, decoding answers; the cases are the same in every run. */
class HeartbeatCodecFuzzTest {
    private static final int CASES_OF_EACH_KIND = 5000;
    private static final int MAX_BYTES = 4096;

    private final Random random = new Random(19701);
    private final Set<Decoded.Rejection> rejections = EnumSet.noneOf(Decoded.Rejection.class);
    private int accepted;

    @Test
    void randomBytesAreAnswered() {
        for (int i = 0; i < CASES_OF_EACH_KIND; i++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            check(bytes);
        }

        assertThat(rejections).contains(Decoded.Rejection.MALFORMED);
    }

    @Test
    void truncatedPayloadIsAnswered() {
        for (int i = 0; i < CASES_OF_EACH_KIND; i++) {
            byte[] whole = HeartbeatCodec.encode(NodeReports.random(random));
            check(Arrays.copyOf(whole, random.nextInt(whole.length)));
        }

        assertThat(rejections).contains(Decoded.Rejection.MALFORMED);
        assertThat(accepted).isPositive();
    }

    @Test
    void payloadWithFlippedBitsIsAnswered() {
        for (int i = 0; i < CASES_OF_EACH_KIND; i++) {
            byte[] bytes = HeartbeatCodec.encode(NodeReports.random(random));
            for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            check(bytes);
        }

        assertThat(rejections).contains(Decoded.Rejection.MALFORMED, Decoded.Rejection.UNKNOWN_VERSION);
        assertThat(accepted).isPositive();
    }

    @Test
    void payloadWithForeignBytesInTheMiddleIsAnswered() {
        for (int i = 0; i < CASES_OF_EACH_KIND; i++) {
            byte[] bytes = HeartbeatCodec.encode(NodeReports.random(random));
            int from = random.nextInt(bytes.length);
            byte[] foreign = new byte[random.nextInt(bytes.length - from) + 1];
            random.nextBytes(foreign);
            System.arraycopy(foreign, 0, bytes, from, foreign.length);
            check(bytes);
        }

        assertThat(rejections).contains(Decoded.Rejection.MALFORMED);
        assertThat(accepted).isPositive();
    }

    /**
     * An exception fails the test; what is accepted must be what a generated parser reads in it, and a report that we
     * could have sent ourselves.
     */
    private void check(byte[] bytes) {
        Decoded decoded = HeartbeatCodec.decode(bytes, MAX_BYTES);
        if (decoded instanceof Decoded.Rejected rejected) {
            rejections.add(rejected.rejection());
            if (rejected.rejection() == Decoded.Rejection.MALFORMED) {
                assertThat(GeneratedReader.read(bytes)).contains(Optional.empty());
            }
            return;
        }
        accepted++;
        NodeReport report = ((Decoded.Accepted) decoded).report();
        assertThat(GeneratedReader.read(bytes)).contains(Optional.of(report));
        assertThat(HeartbeatCodec.decode(HeartbeatCodec.encode(report), 2 * MAX_BYTES))
                .isEqualTo(decoded);
    }
}
