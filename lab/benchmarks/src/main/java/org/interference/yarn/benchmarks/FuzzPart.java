package org.interference.yarn.benchmarks;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestOutcome;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.Decoded;
import org.interference.yarn.wire.HeartbeatCodec;

/**
 * Mutated and random payloads through decoding and ingest. Anything but an answer is an escape: an exception, and also
 * {@link IngestOutcome#FAILED}, which is an exception that ingest caught.
 */
final class FuzzPart {
    private static final int CASES = 1_200_000;
    private static final int SEED = 19701;
    private static final int MAX_BYTES = 2048;
    private static final String NODE = "node:8041";
    private static final int MUTATIONS = 6;

    private final Random random = new Random(SEED);
    private final Ingest ingest =
            new Ingest(new IngestSettings(5, MAX_BYTES, Duration.ofMinutes(10)), Duration.ofSeconds(1), sample -> {});
    private final Map<IngestOutcome, Long> outcomes = new EnumMap<>(IngestOutcome.class);
    private long escapes;
    private long readings;

    private FuzzPart() {}

    static void measure(Results results) {
        FuzzPart fuzz = new FuzzPart();
        for (int i = 0; i < CASES; i++) {
            fuzz.feed(fuzz.payload(i));
        }
        results.put("fuzz_cases", (long) CASES);
        results.put("fuzz_escapes", fuzz.escapes);
        results.put("fuzz_readings_of_accepted", fuzz.readings);
        results.put("fuzz_outcomes", fuzz.outcomes.toString());
    }

    @SuppressWarnings("CatchThrowable") // What is thrown is what is looked for.
    private void feed(byte[] payload) {
        try {
            Decoded decoded = HeartbeatCodec.decode(payload, MAX_BYTES);
            IngestOutcome outcome = ingest.accept(NODE, payload, Reports.NOW);
            outcomes.merge(outcome, 1L, Long::sum);
            if (decoded == null || outcome == IngestOutcome.FAILED) {
                escapes++;
            } else if (decoded instanceof Decoded.Accepted accepted) {
                // Readings are made when they are looked at.
                for (ContainerReport container : accepted.report().containers()) {
                    readings += container.newest().levels().size();
                }
            }
        } catch (Throwable e) {
            escapes++;
        }
    }

    private byte[] payload(int number) {
        byte[] bytes = number % (MUTATIONS + 1) == MUTATIONS ? new byte[random.nextInt(MAX_BYTES / 8)] : valid(number);
        int at = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
        switch (number % (MUTATIONS + 1)) {
            case 0 -> flipBits(bytes);
            case 1 -> bytes = Arrays.copyOf(bytes, at);
            case 2 -> overwrite(bytes, at);
            case 3 -> bytes = doubled(bytes, at);
            case 4 -> bytes[at] = (byte) 0xff;
            case 5 -> System.arraycopy(bytes, at, bytes, random.nextInt(at + 1), bytes.length - at);
            default -> random.nextBytes(bytes);
        }
        return bytes;
    }

    private void flipBits(byte[] bytes) {
        for (int flips = 1 + random.nextInt(8); flips > 0; flips--) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
    }

    private void overwrite(byte[] bytes, int from) {
        byte[] foreign = new byte[random.nextInt(bytes.length - from) + 1];
        random.nextBytes(foreign);
        System.arraycopy(foreign, 0, bytes, from, foreign.length);
    }

    /** What comes after {@code from} comes twice. */
    private static byte[] doubled(byte[] bytes, int from) {
        byte[] longer = Arrays.copyOf(bytes, bytes.length + bytes.length - from);
        System.arraycopy(bytes, from, longer, bytes.length, bytes.length - from);
        return longer;
    }

    private byte[] valid(long sequence) {
        Reading[] readings = {
            new Reading.Measured(random.nextDouble(), random.nextDouble(), random.nextDouble(), false, "proc"),
            new Reading.Measured(random.nextInt(5), 0, 100, true, "ebpf"),
            new Reading.Unavailable("no PMU", "ebpf")
        };
        ContainerReport[] containers = new ContainerReport[1 + random.nextInt(6)];
        for (int i = 0; i < containers.length; i++) {
            EnumMap<Signal, Reading> chosen = new EnumMap<>(Signal.class);
            for (Signal signal : Signal.values()) {
                if (random.nextBoolean()) {
                    chosen.put(signal, readings[random.nextInt(readings.length)]);
                }
            }
            containers[i] = new ContainerReport(
                    "container_" + random.nextInt(), Duration.ofMillis(random.nextInt(1 << 20)), i == 0, chosen);
        }
        Instant measuredAt = Reports.NOW.plusSeconds(random.nextInt(700));
        return HeartbeatCodec.encode(new NodeReport(1, sequence, measuredAt, List.of(containers)));
    }
}
