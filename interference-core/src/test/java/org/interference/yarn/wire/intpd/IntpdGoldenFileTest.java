package org.interference.yarn.wire.intpd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

/** Every line that the protocol's two sides share: written as it stands, and read as what it means. */
class IntpdGoldenFileTest {
    private static final String FIRST = "container_1700000000000_0001_01_000002";
    private static final String SECOND = "container_e17_1700000000000_0001_01_000003";
    private static final IntpdRequest HELLO = new IntpdRequest.Hello();
    private static final IntpdRequest WATCH = new IntpdRequest.Watch(roots());
    private static final IntpdRequest UNWATCH = new IntpdRequest.Unwatch(List.of(FIRST));
    private static final IntpdRequest SNAPSHOT = new IntpdRequest.Snapshot();

    @Test
    void requestsAreWrittenByteForByte() throws IOException {
        assertThat(GoldenLines.of("requests.jsonl"))
                .containsExactly(
                        IntpdCodec.encode(HELLO, OptionalLong.empty()),
                        IntpdCodec.encode(WATCH, OptionalLong.of(1)),
                        IntpdCodec.encode(SNAPSHOT, OptionalLong.of(2)),
                        IntpdCodec.encode(UNWATCH, OptionalLong.of(3)));
    }

    @Test
    void everyResponseIsReadAsWhatItMeans() throws IOException {
        List<byte[]> lines = GoldenLines.of("responses.jsonl");

        assertThat(lines).hasSize(5);
        IntpdAnswer.Hello hello =
                (IntpdAnswer.Hello) IntpdCodec.decode(lines.get(0), HELLO).answer();
        assertThat(hello.daemon()).isEqualTo("intpd");
        assertThat(hello.release()).isEqualTo("0.1.0");
        assertThat(hello.startNanos()).isEqualTo(1_000_000_000);
        assertThat(hello.signals())
                .hasSize(10)
                .containsEntry(Signal.CPU, new IntpdAbility("ebpf", Optional.empty()))
                .containsEntry(Signal.FUTEX, new IntpdAbility("ebpf", Optional.of("switched off (--futex)")));
        assertThat(IntpdCodec.decode(lines.get(1), WATCH))
                .isEqualTo(reply(
                        OptionalLong.of(1),
                        new IntpdAnswer.Watched(
                                List.of(FIRST),
                                Map.of(SECOND, new IntpdAnswer.Refused("no_process", "process 4712 does not exist")))));
        assertThat(IntpdCodec.decode(lines.get(2), UNWATCH))
                .isEqualTo(reply(OptionalLong.of(3), new IntpdAnswer.Unwatched()));
        assertThat(IntpdCodec.decode(lines.get(3), SNAPSHOT))
                .isEqualTo(reply(OptionalLong.empty(), new IntpdAnswer.Refused("malformed", "not a JSON object")));
        assertThat(IntpdCodec.decode(lines.get(4), HELLO))
                .isEqualTo(reply(
                        OptionalLong.of(9),
                        new IntpdAnswer.Refused("version", "version 2 is not spoken here; versions: 1")));
    }

    @Test
    void everySnapshotIsReadAsWhatItMeans() throws IOException {
        List<byte[]> lines = GoldenLines.of("snapshot.jsonl");

        assertThat(lines).hasSize(2);
        assertThat(IntpdCodec.decode(lines.get(0), SNAPSHOT))
                .isEqualTo(reply(OptionalLong.of(2), new IntpdAnswer.Snapshot(1_000_000_000, Map.of())));
        assertThat(IntpdCodec.decode(lines.get(1), SNAPSHOT))
                .isEqualTo(reply(
                        OptionalLong.of(3),
                        new IntpdAnswer.Snapshot(1_000_000_000, Map.of(FIRST, first(), SECOND, second()))));
    }

    @Test
    void linesAreUtf8() throws IOException {
        byte[] line =
                "{\"v\":1,\"ok\":false,\"error\":{\"code\":\"x\",\"message\":\"ü\"}}".getBytes(StandardCharsets.UTF_8);

        assertThat(IntpdCodec.decode(line, SNAPSHOT).answer()).isEqualTo(new IntpdAnswer.Refused("x", "ü"));
    }

    private static Map<String, IntpdRequest.Root> roots() {
        Map<String, IntpdRequest.Root> roots = new LinkedHashMap<>();
        roots.put(FIRST, new IntpdRequest.Root(4711, OptionalLong.of(123_456)));
        roots.put(SECOND, new IntpdRequest.Root(4712, OptionalLong.empty()));
        return roots;
    }

    private static Map<Signal, IntpdCount> first() {
        Map<Signal, IntpdCount> counts = new EnumMap<>(Signal.class);
        counts.put(Signal.NETP, counted(5e8, 2e9, "ebpf"));
        counts.put(Signal.NETS, new IntpdCount.Counted(3.1e7, 2e9, true, "ebpf"));
        counts.put(Signal.BLK, new IntpdCount.Counted(2e8, 2e9, true, "ebpf"));
        counts.put(Signal.MBW, counted(8e9, 6.8e10, "resctrl"));
        counts.put(Signal.LLCMR, new IntpdCount.Unavailable("no PMU: perf_event_open says ENOENT", "perf"));
        counts.put(Signal.LLOCC, counted(1.6e16, 6.4e16, "resctrl"));
        counts.put(Signal.CPU, counted(1.5e9, 4e9, "ebpf"));
        counts.put(Signal.CPUWAIT, counted(5e8, 2e9, "ebpf"));
        counts.put(Signal.BLKWAIT, counted(250_000_000.5, 2e9, "ebpf"));
        counts.put(Signal.FUTEX, new IntpdCount.Unavailable("switched off (--futex)", "ebpf"));
        return counts;
    }

    private static Map<Signal, IntpdCount> second() {
        Map<Signal, IntpdCount> counts = new EnumMap<>(Signal.class);
        counts.put(
                Signal.NETP,
                new IntpdCount.Unavailable("no nominal speed: eth0 says -1 and --nic-speed is not given", "ebpf"));
        counts.put(Signal.NETS, counted(0, 1.5e9, "ebpf"));
        counts.put(Signal.BLK, counted(0, 1.5e9, "ebpf"));
        counts.put(Signal.MBW, new IntpdCount.Unavailable("no source counts it", "none"));
        counts.put(Signal.LLCMR, counted(12_345, 67_890, "perf"));
        counts.put(Signal.LLOCC, new IntpdCount.Unavailable("resctrl is not mounted", "resctrl"));
        counts.put(Signal.CPU, counted(0, 3e9, "proc"));
        counts.put(Signal.CPUWAIT, counted(0, 0, "proc"));
        counts.put(Signal.BLKWAIT, counted(0, 1.5e9, "proc"));
        counts.put(Signal.FUTEX, counted(77, 1.5, "ebpf"));
        return counts;
    }

    private static IntpdCount counted(double used, double capacity, String source) {
        return new IntpdCount.Counted(used, capacity, false, source);
    }

    private static IntpdReply reply(OptionalLong id, IntpdAnswer answer) {
        return new IntpdReply(id, answer);
    }
}
