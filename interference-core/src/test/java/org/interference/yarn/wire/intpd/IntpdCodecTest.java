package org.interference.yarn.wire.intpd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntpdCodecTest {
    private static final IntpdRequest BRIEF = new IntpdRequest.Snapshot(Map.of(
            Signal.CPU, new IntpdAbility("ebpf", Optional.empty()),
            Signal.MEM, new IntpdAbility("cgroup", Optional.empty()),
            Signal.LLCMR, new IntpdAbility("perf", Optional.of("no PMU"))));

    private static final IntpdRequest HELLO = new IntpdRequest.Hello();
    private static final IntpdRequest SNAPSHOT = new IntpdRequest.Snapshot();

    @ParameterizedTest
    @ValueSource(
            strings = {"-1", "-1e-300", "1e400", "NaN", "Infinity", "\"7\"", "null", "true", "[]", "{}", "01", "0x7"})
    void amountThatIsNoFiniteNumberFromZeroUpMakesTheAnswerMalformed(String amount) {
        refuses(snapshotOf("\"cpu\":{\"status\":\"ok\",\"source\":\"ebpf\",\"used\":" + amount + ",\"capacity\":1}"));
        refuses(snapshotOf("\"cpu\":{\"status\":\"ok\",\"source\":\"ebpf\",\"used\":1,\"capacity\":" + amount + "}"));
    }

    @Test
    void whatHelloSaidNeedNotBeSaidAgain() throws IntpdProtocolException {
        String answer = """
                {"v":1,"ok":true,"start_ns":1,"containers":[{"container":"c","signals":{
                "cpu":{"used":1,"capacity":2},"mem":{"source":"proc","used":3,"capacity":4},
                "nets":{"status":"ok","source":"ebpf","used":5,"capacity":6}}}]}""".replace("\n", "");

        assertThat(IntpdCodec.decode(answer.getBytes(StandardCharsets.UTF_8), BRIEF)
                        .answer())
                .isEqualTo(new IntpdAnswer.Snapshot(
                        1,
                        Map.of(
                                "c",
                                Map.of(
                                        Signal.CPU, new IntpdCount.Counted(1, 2, false, "ebpf"),
                                        Signal.MEM, new IntpdCount.Counted(3, 4, false, "proc"),
                                        Signal.NETS, new IntpdCount.Counted(5, 6, false, "ebpf"),
                                        Signal.LLCMR, new IntpdCount.Unavailable("no PMU", "perf")))));
        assertThat(new String(IntpdCodec.encode(BRIEF, OptionalLong.empty()), StandardCharsets.UTF_8))
                .contains("\"brief\":true");
    }

    @Test
    void whoTookTheCpuIsReadInItsOrder() throws IntpdProtocolException {
        String answer = """
                {"v":1,"ok":true,"start_ns":1,"containers":[{"container":"c",
                "preempted_by":[{"container":"d","times":7},{"times":2}],"signals":{}}]}""".replace("\n", "");

        IntpdAnswer.Snapshot snapshot = (IntpdAnswer.Snapshot)
                IntpdCodec.decode(answer.getBytes(StandardCharsets.UTF_8), new IntpdRequest.Snapshot())
                        .answer();

        assertThat(snapshot.takers())
                .containsOnly(Map.entry(
                        "c", List.of(new IntpdTaker(Optional.of("d"), 7), new IntpdTaker(Optional.empty(), 2))));
    }

    @Test
    void withWhomBytesAreExchangedIsReadInItsOrder() throws IntpdProtocolException {
        IntpdAnswer.Snapshot snapshot = (IntpdAnswer.Snapshot) decode(talking("80"));

        assertThat(snapshot.peers())
                .containsOnly(Map.entry(
                        "c",
                        List.of(
                                new IntpdPeer("10.0.0.1", 7117, "::1", 80, 7, 1e15),
                                new IntpdPeer("::", 0, "127.0.0.1", 65535, 0, 1))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "65536", "0.5", "\"80\"", "null"})
    void portThatIsNoneIsRefused(String port) {
        refuses(talking(port));
    }

    @Test
    void connectionWithoutAnEndOrBytesIsRefused() {
        for (String member : List.of("local", "local_port", "remote", "remote_port", "sent", "received")) {
            refuses(talking("80").replaceFirst("\"%s\"".formatted(member), "\"other\""));
        }
    }

    private static String talking(String port) {
        return """
                {"v":1,"ok":true,"start_ns":1,"containers":[{"container":"c","other_peers":{"a":1,"b":2},
                "peers":[{"local":"10.0.0.1","local_port":7117,"remote":"::1","remote_port":%s,"sent":7,"received":1e15},
                {"local":"::","local_port":0,"remote":"127.0.0.1","remote_port":65535,"sent":0,"received":1}],"signals":{}}]}""".formatted(port).replace("\n", "");
    }

    @Test
    void whatANewerDaemonAddsIsLeftOut() throws Exception {
        IntpdAnswer answer = decode(snapshotOf("""
                "gpu":{"status":7},"mbw":{"status":"guessed","source":"x","used":1},
                "cpu":{"status":"ok","source":"new","used":1,"capacity":2,"error":{"a":[1]},"unit":"ns"}
                """));

        assertThat(answer)
                .isEqualTo(new IntpdAnswer.Snapshot(
                        5, Map.of("c", Map.of(Signal.CPU, new IntpdCount.Counted(1, 2, false, "new")))));
    }

    @Test
    void unknownCodeIsARefusal() throws Exception {
        assertThat(decode("{\"v\":1,\"ok\":false,\"error\":{\"code\":\"too_late\"}}"))
                .isEqualTo(new IntpdAnswer.Refused("too_late", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "7",
                "[]",
                "{",
                "{}",
                "{\"v\":1}",
                "{\"ok\":true,\"start_ns\":5,\"containers\":[]}",
                "{\"v\":2,\"ok\":true,\"start_ns\":5,\"containers\":[]}",
                "{\"v\":1.0,\"ok\":true,\"start_ns\":5,\"containers\":[]}",
                "{\"v\":1,\"ok\":1,\"start_ns\":5,\"containers\":[]}",
                "{\"v\":1,\"ok\":true,\"start_ns\":5}",
                "{\"v\":1,\"ok\":true,\"containers\":[]}",
                "{\"v\":1,\"ok\":true,\"start_ns\":99999999999999999999,\"containers\":[]}",
                "{\"v\":1,\"ok\":true,\"start_ns\":5,\"containers\":{}}",
                "{\"v\":1,\"ok\":true,\"start_ns\":5,\"containers\":[{\"signals\":{}}]}",
                "{\"v\":1,\"ok\":true,\"start_ns\":5,\"containers\":[{\"container\":\"c\"}]}",
                "{\"v\":1,\"ok\":true,\"start_ns\":5,\"containers\":[7]}",
                "{\"v\":1,\"ok\":true,\"start_ns\":5,\"containers\":[]} {}",
                "{\"v\":1,\"ok\":true,\"start_ns\":5,\"containers\":[],}",
                "{\"v\":1,\"ok\":false}",
                "{\"v\":1,\"ok\":false,\"error\":{}}",
                "{\"v\":1,\"ok\":false,\"error\":\"no\"}"
            })
    void lineThatIsNoAnswerIsRefused(String line) {
        refuses(line);
    }

    @Test
    void signalWithoutStatusSourceReasonOrCountIsRefused() {
        refuses(snapshotOf("\"cpu\":{\"source\":\"ebpf\",\"used\":1,\"capacity\":2}"));
        refuses(snapshotOf("\"cpu\":{\"status\":\"ok\",\"used\":1,\"capacity\":2}"));
        refuses(snapshotOf("\"cpu\":{\"status\":\"ok\",\"source\":\"ebpf\",\"capacity\":2}"));
        refuses(snapshotOf("\"cpu\":{\"status\":\"apportioned\",\"source\":\"ebpf\",\"used\":1}"));
        refuses(snapshotOf("\"cpu\":{\"status\":\"unavailable\",\"source\":\"ebpf\"}"));
    }

    @Test
    void answerToAnotherRequestIsRefused() {
        refuses("{\"v\":1,\"ok\":true}");
        refuses("{\"v\":1,\"ok\":true,\"watched\":[],\"refused\":[]}");
    }

    @Test
    void deepNestingIsRefused() {
        refuses("{\"v\":1,\"ok\":true,\"start_ns\":5,\"containers\":[],\"x\":" + "[".repeat(100_000));
    }

    @Test
    void longReasonIsRefused() {
        refuses(snapshotOf("\"cpu\":{\"status\":\"unavailable\",\"source\":\"ebpf\",\"reason\":\"%s\"}"
                .formatted("x".repeat(10_000))));
    }

    @Test
    void overlongLineIsRefusedUnread() {
        byte[] line = new byte[IntpdCodec.MAX_ANSWER_BYTES + 1];
        Arrays.fill(line, (byte) ' ');

        assertThatExceptionOfType(IntpdProtocolException.class)
                .isThrownBy(() -> IntpdCodec.decode(line, HELLO))
                .withMessage("an answer has 8388609 bytes, at most 8388608 are read");
    }

    @Test
    void refusalOfALineNamesTheMember() {
        assertThatExceptionOfType(IntpdProtocolException.class)
                .isThrownBy(() -> decode(
                        snapshotOf("\"cpu\":{\"status\":\"ok\",\"source\":\"ebpf\",\"used\":-1,\"capacity\":2}")))
                .withMessage("'used' of an answer is not finite and >= 0");
        assertThatExceptionOfType(IntpdProtocolException.class)
                .isThrownBy(() -> decode("{\"v\":1}"))
                .withMessage("an answer has no 'ok'");
    }

    private static String snapshotOf(String signals) {
        return "{\"v\":1,\"ok\":true,\"start_ns\":5,\"containers\":[{\"container\":\"c\",\"signals\":{%s}}]}"
                .formatted(signals.replace("\n", ""));
    }

    private static IntpdAnswer decode(String line) throws IntpdProtocolException {
        return IntpdCodec.decode(line.getBytes(StandardCharsets.UTF_8), SNAPSHOT)
                .answer();
    }

    private static void refuses(String line) {
        assertThatExceptionOfType(IntpdProtocolException.class)
                .as(line.length() > 200 ? line.substring(0, 200) : line)
                .isThrownBy(() -> decode(line));
    }
}
