package org.interference.yarn.wire.intpd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever line a daemon sends, decoding answers or refuses; the cases are the same in every run. */
class IntpdCodecFuzzTest {
    private static final int CASES = 10_000;
    private static final List<IntpdRequest> REQUESTS = List.of(
            new IntpdRequest.Hello(),
            new IntpdRequest.Watch(Map.of()),
            new IntpdRequest.Unwatch(List.of()),
            new IntpdRequest.Snapshot());
    private static final List<String> FOREIGN = List.of(
            "-",
            "1e999",
            "NaN",
            "null",
            "{",
            "}",
            "[",
            "]",
            "\"",
            "\\",
            "\\ud800",
            "0",
            "-0",
            "9".repeat(40),
            ",",
            ":");

    private final Random random = new Random(4711);
    private int accepted;
    private int refused;

    @Test
    void mutatedLineIsAnsweredOrRefused() throws IOException {
        List<byte[]> golden = new ArrayList<>(GoldenLines.of("responses.jsonl"));
        golden.addAll(GoldenLines.of("snapshot.jsonl"));
        for (int i = 0; i < CASES; i++) {
            byte[] line = golden.get(random.nextInt(golden.size()));
            for (int mutations = 1 + random.nextInt(3); mutations > 0; mutations--) {
                line = mutated(line);
            }
            check(line);
        }

        assertThat(accepted).isGreaterThan(CASES / 100);
        assertThat(refused).isGreaterThan(CASES / 2);
    }

    private byte[] mutated(byte[] line) {
        int at = random.nextInt(line.length + 1);
        return switch (random.nextInt(4)) {
            case 0 -> flipped(line, Math.min(at, line.length - 1));
            case 1 -> Arrays.copyOf(line, at);
            case 2 -> spliced(line, at, at, FOREIGN.get(random.nextInt(FOREIGN.size())));
            default -> spliced(line, at, Math.min(line.length, at + random.nextInt(20)), "");
        };
    }

    private byte[] flipped(byte[] line, int at) {
        byte[] flipped = line.clone();
        if (at >= 0) {
            flipped[at] ^= (byte) (1 << random.nextInt(8));
        }
        return flipped;
    }

    private static byte[] spliced(byte[] line, int from, int to, String foreign) {
        byte[] middle = foreign.getBytes(StandardCharsets.UTF_8);
        byte[] spliced = Arrays.copyOf(line, from + middle.length + line.length - to);
        System.arraycopy(middle, 0, spliced, from, middle.length);
        System.arraycopy(line, to, spliced, from + middle.length, line.length - to);
        return spliced;
    }

    /** Any other exception fails the test; every number that is let through is one to calculate with. */
    private void check(byte[] line) {
        for (IntpdRequest request : REQUESTS) {
            try {
                IntpdAnswer answer = IntpdCodec.decode(line, request).answer();
                accepted++;
                if (answer instanceof IntpdAnswer.Snapshot snapshot) {
                    snapshot.containers().values().forEach(counts -> counts.values()
                            .forEach(IntpdCodecFuzzTest::isUsable));
                }
            } catch (IntpdProtocolException e) {
                refused++;
                assertThat(e).message().isNotBlank();
            }
        }
    }

    private static void isUsable(IntpdCount count) {
        if (count instanceof IntpdCount.Counted counted) {
            assertThat(counted.used()).isFinite().isNotNegative();
            assertThat(counted.capacity()).isFinite().isNotNegative();
        }
    }
}
