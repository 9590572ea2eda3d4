package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.intpd.IntpdCodec;
import org.interference.yarn.wire.intpd.IntpdProtocolException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The daemon's side is a real socket; what it says is the test's. */
@Timeout(60)
class IntpdCounterSourceTest {
    private static final String ONE = "container_1_0001_01_000001";
    private static final String TWO = "container_1_0001_01_000002";
    private static final List<WatchedContainer> RUNNING = List.of(new WatchedContainer(ONE, 100));

    /** What a deadline of a second may take on a machine that is busy with other tests. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    @TempDir
    private Path directory;

    private Path socket;
    private FakeIntpd daemon;
    private OptionalLong started = OptionalLong.empty();
    private IntpdCounterSource source;

    @BeforeEach
    void daemonRuns() throws IOException {
        socket = FakeIntpd.socketIn(directory);
        daemon = FakeIntpd.start(socket, 1);
        source = new IntpdCounterSource(socket, IntpdCounterSourceTest::patientNanos, pid -> started);
    }

    @AfterEach
    void stop() {
        source.close();
        daemon.close();
    }

    @Test
    void countsComeAsTheDaemonSaysThem() throws IOException {
        daemon.signals.put(ONE, """
                "cpu":{"status":"ok","source":"ebpf","used":1.5,"capacity":4},\
                "blk":{"status":"apportioned","source":"ebpf","used":2,"capacity":8},\
                "llcmr":{"status":"unavailable","source":"perf","reason":"no PMU"},\
                "cpuwait":{"status":"ok","source":"proc","used":3,"capacity":9}""");

        Map<Signal, Count> counts = source.snapshot(RUNNING).get(ONE);

        assertThat(counts)
                .containsOnlyKeys(Signal.values())
                .containsEntry(Signal.CPU, new Count.Counted(1.5, 4, false, "ebpf", 1))
                .containsEntry(Signal.BLK, new Count.Counted(2, 8, true, "ebpf", 1))
                .containsEntry(Signal.LLCMR, new Count.NotCounted("no PMU", "perf"))
                .containsEntry(Signal.NETP, new Count.NotCounted("intpd does not report it", "intpd"));
    }

    @Test
    void whatTheDaemonReadsIsNotTakenForWhatStandsInForIt() throws IOException {
        daemon.signals.put(ONE, """
                "cpu":{"status":"ok","source":"proc","used":3,"capacity":9},\
                "mem":{"status":"ok","source":"cgroup","used":1,"capacity":2},\
                "blk":{"status":"unavailable","source":"proc","reason":"no disk"}""");

        Map<Signal, Count> counts = source.snapshot(RUNNING).get(ONE);

        assertThat(counts)
                .containsEntry(Signal.CPU, new Count.Counted(3, 9, false, "intpd/proc", 1))
                .containsEntry(Signal.MEM, new Count.Counted(1, 2, false, "intpd/cgroup", 1))
                .containsEntry(Signal.BLK, new Count.NotCounted("no disk", "intpd/proc"));
    }

    @Test
    void containerIsWatchedOnceAndUnwatchedWhenItIsGone() throws IOException {
        source.snapshot(RUNNING);
        source.snapshot(RUNNING);
        source.snapshot(List.of());
        source.snapshot(List.of());

        assertThat(daemon.ops())
                .containsExactly("hello", "watch", "snapshot", "snapshot", "unwatch", "snapshot", "snapshot");
        assertThat(daemon.watched).isEmpty();
    }

    /** Between two daemons the pid may have gone to another process, which must not be measured as the container. */
    @Test
    void aContainerIsWatchedAsTheProcessThatItWasFirst() throws IOException {
        started = OptionalLong.of(77);
        source.snapshot(RUNNING);
        source.close();
        started = OptionalLong.of(4000);

        source.snapshot(RUNNING);
        source.snapshot(List.of(new WatchedContainer(ONE, 101)));

        assertThat(daemon.requests)
                .filteredOn(line -> line.contains("\"watch\""))
                .extracting(line -> line.replaceAll(".*\"pid\":", ""))
                .containsExactly("100,\"start\":77}]}", "100,\"start\":77}]}", "101,\"start\":4000}]}");
    }

    @Test
    void containerThatEndedWhileTheDaemonWasOutOfReachIsUnwatchedLater() throws IOException {
        source.snapshot(RUNNING);
        source.close();

        source.snapshot(List.of());

        assertThat(daemon.watched).isEmpty();
    }

    @Test
    void containersOfOthersAreLeftAlone() throws IOException {
        daemon.watched.put(TWO, 200L);

        assertThat(source.snapshot(RUNNING)).containsOnlyKeys(ONE);
        assertThat(daemon.watched).containsOnlyKeys(ONE, TWO);
    }

    @Test
    void windowInWhichAContainerGotAnotherPidIsLeftOut() throws IOException {
        daemon.cpu(ONE, 5, 10);
        ContainerHistory history = first(source.snapshot(RUNNING));
        List<WatchedContainer> relaunched = List.of(new WatchedContainer(ONE, 101));
        daemon.cpu(ONE, 900, 11);

        history = next(history, source.snapshot(relaunched));

        assertThat(daemon.watched).containsEntry(ONE, 101L);
        assertThat(cpu(history)).isInstanceOf(Reading.Unavailable.class);
        daemon.cpu(ONE, 901, 13);
        history = next(history, source.snapshot(relaunched));
        assertThat(cpu(history)).isEqualTo(new Reading.Measured(0.5, 0.5, 0.5, false, "ebpf"));
    }

    @Test
    void restartedDaemonGetsEveryWatchAgainAndNoLevelSpansTheRestart() throws IOException {
        daemon.cpu(ONE, 5, 10);
        ContainerHistory history = first(source.snapshot(RUNNING));
        daemon.close();
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> source.snapshot(RUNNING));
        daemon = FakeIntpd.start(socket, 2);
        // Grown past the old counts, so nothing goes backwards.
        daemon.cpu(ONE, 900, 11);

        history = next(history, source.snapshot(RUNNING));

        assertThat(daemon.watched).containsEntry(ONE, 100L);
        assertThat(cpu(history)).isInstanceOf(Reading.Unavailable.class);
        daemon.cpu(ONE, 901, 13);
        history = next(history, source.snapshot(RUNNING));
        assertThat(cpu(history)).isEqualTo(new Reading.Measured(0.5, 0.5, 0.5, false, "ebpf"));
    }

    @Test
    void anotherDaemonOnTheSameConnectionIsNotBelieved() throws IOException {
        source.snapshot(RUNNING);
        daemon.startNanos = 2;

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> source.snapshot(RUNNING))
                .withMessageContaining("another daemon");
        assertThat(epoch(source.snapshot(RUNNING))).isEqualTo(2);
    }

    @Test
    void containerThatTheDaemonForgotIsWatchedAgainInAnotherEpoch() throws IOException {
        source.snapshot(RUNNING);
        daemon.watched.clear();

        assertThat(source.snapshot(RUNNING)).isEmpty();
        assertThat(epoch(source.snapshot(RUNNING))).isEqualTo(2);
    }

    @Test
    void refusedContainerIsNotCountedAndNamesNeitherItselfNorItsProcess() throws IOException {
        daemon.refusals.put(ONE, "too_many");

        assertThat(source.snapshot(RUNNING).get(ONE))
                .containsOnlyKeys(Signal.values())
                .containsEntry(
                        Signal.CPU, new Count.NotCounted("intpd refuses to watch the container: too_many", "intpd"));
        daemon.refusals.clear();
        assertThat(epoch(source.snapshot(RUNNING))).isEqualTo(2);
    }

    @Test
    void containerWithoutAProcessIsLeftOutSoThatItsLastReadingStays() throws IOException {
        daemon.refusals.put(ONE, "no_process");

        assertThat(source.snapshot(RUNNING)).isEmpty();
    }

    /** As where /proc is mounted with hidepid: a source that reads it as the containers' own user sees more. */
    @Test
    void daemonThatSeesNoneOfTheProcessesThatWeSeeFailsTheSnapshot() throws IOException {
        started = OptionalLong.of(77);
        daemon.refusals.put(ONE, "no_process");
        daemon.refusals.put(TWO, "no_process");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(
                        () -> source.snapshot(List.of(new WatchedContainer(ONE, 100), new WatchedContainer(TWO, 200))))
                .withMessageContaining("sees none of the containers' processes")
                .withMessageContaining("hidepid");
        daemon.refusals.clear();
        assertThat(source.snapshot(RUNNING)).containsOnlyKeys(ONE);
    }

    @Test
    void daemonThatSeesOneProcessIsBelievedThatAnotherHasEnded() throws IOException {
        started = OptionalLong.of(77);
        daemon.refusals.put(TWO, "no_process");

        assertThat(source.snapshot(List.of(new WatchedContainer(ONE, 100), new WatchedContainer(TWO, 200))))
                .containsOnlyKeys(ONE);
    }

    /** The pid went to another process before the daemon looked, or it has only just begun. */
    @Test
    void daemonIsBelievedThatTheProcessWhichWasMeantIsNotThere() throws IOException {
        daemon.refusals.put(ONE, "no_process");
        source.snapshot(RUNNING);
        started = OptionalLong.of(4000);

        assertThat(source.snapshot(RUNNING)).isEmpty();
    }

    /** Else each job on an idle node would change the source to and fro, with a line in the log each time. */
    @Test
    void daemonThatSawNothingFailsUntilItSeesAProcess() throws IOException {
        started = OptionalLong.of(77);
        daemon.refusals.put(ONE, "no_process");
        fails("hidepid");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> source.snapshot(List.of()))
                .withMessageContaining("hidepid");
        daemon.refusals.clear();
        assertThat(source.snapshot(RUNNING)).containsOnlyKeys(ONE);
        assertThat(source.snapshot(List.of())).isEmpty();
    }

    @Test
    void refusedContainerDoesNotHideTheOthers() throws IOException {
        daemon.refusals.put(ONE, "bad_container");

        assertThat(source.snapshot(List.of(new WatchedContainer(ONE, 100), new WatchedContainer(TWO, 200))))
                .hasEntrySatisfying(TWO, counts -> assertThat(counts.get(Signal.CPU))
                        .isEqualTo(new Count.Counted(0, 0, false, "ebpf", 1)))
                .containsKey(ONE);
    }

    @Test
    void noRequestIsLongerThanTheDaemonReads() throws IOException {
        List<WatchedContainer> many = IntStream.range(0, 1000)
                .mapToObj(i -> new WatchedContainer("container_e17_1700000000000_0001_01_%06d".formatted(i), i + 1))
                .toList();

        assertThat(source.snapshot(many)).hasSize(1000);
        assertThat(source.snapshot(List.of())).isEmpty();

        assertThat(daemon.watched).isEmpty();
        assertThat(daemon.requests).allMatch(line -> line.getBytes(StandardCharsets.UTF_8).length < 65_536);
    }

    @Test
    void answerMayComeInPieces() throws IOException {
        daemon.dribbling = true;
        daemon.cpu(ONE, 1, 2);

        assertThat(epoch(source.snapshot(RUNNING))).isEqualTo(1);
    }

    @Test
    void longAnswerIsReadWhole() throws IOException {
        daemon.sending = answer -> " ".repeat(1 << 20) + answer;

        assertThat(source.snapshot(RUNNING)).containsOnlyKeys(ONE);
    }

    @Test
    void silentDaemonCostsAtMostTheDeadline() {
        daemon.sending = FakeIntpd.SILENCE;
        source = new IntpdCounterSource(socket, System::nanoTime, pid -> started);

        failsInTime("no answer in time");
    }

    @Test
    void daemonThatFallsSilentInTheMiddleOfALineCostsAtMostTheDeadline() {
        daemon.sending = answer -> answer.substring(0, answer.length() / 2);
        source = new IntpdCounterSource(socket, System::nanoTime, pid -> started);

        failsInTime("no answer in time");
    }

    @Test
    void daemonThatNeverAcceptsCostsAtMostTheDeadline() throws IOException {
        Path unserved = socket.resolveSibling("u");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(unserved));
            source = new IntpdCounterSource(unserved, System::nanoTime, pid -> started);

            failsInTime("no answer in time");
        }
    }

    @Test
    void daemonWithAFullQueueFailsTheSnapshot() throws IOException {
        Path full = socket.resolveSibling("f");
        List<SocketChannel> waiting = new ArrayList<>();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(full), 1);
            for (int i = 0; i < 2; i++) {
                SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                waiting.add(channel);
                channel.connect(UnixDomainSocketAddress.of(full));
            }
            source = new IntpdCounterSource(full, IntpdCounterSourceTest::patientNanos, pid -> started);

            fails("intpd at " + full);
        } finally {
            for (SocketChannel channel : waiting) {
                channel.close();
            }
        }
    }

    @Test
    void daemonThatEndsTheConnectionInTheMiddleOfALineFailsTheSnapshot() throws IOException {
        source.snapshot(RUNNING);
        daemon.hangingUp = true;
        daemon.sending = answer -> answer.substring(0, 20);

        fails("the connection was closed (end of stream)");
    }

    @Test
    void daemonThatClosesTheConnectionAtOnceIsAskedAboutTheUser() {
        daemon.shunning = true;

        fails("before the first answer; does the daemon answer this user?");
    }

    @Test
    void endlessLineIsNotReadToItsEnd() {
        daemon.sending = answer -> "x".repeat(IntpdCodec.MAX_ANSWER_BYTES + (1 << 20));

        fails("longer than 8388608 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hello\n", "\n", "{}\n", "\u0000\u0001\n", "{\"v\":1,\"id\":1,\"ok\":true}\n"})
    void garbageFailsTheSnapshot(String garbage) {
        daemon.sending = answer -> garbage;

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> source.snapshot(RUNNING))
                .withMessageStartingWith("intpd at " + socket + ": an answer ")
                .withCauseInstanceOf(IntpdProtocolException.class);
    }

    @Test
    void answerOfAnotherRequestIsNotBelieved() {
        daemon.sending = answer -> answer.replaceFirst("\"id\":\\d+", "\"id\":77");

        fails("has the answer of another one");
    }

    @Test
    void twoLinesForOneRequestAreNotBelieved() {
        daemon.sending = answer -> answer + answer;

        fails("more than one line");
    }

    @Test
    void refusedRequestFailsTheSnapshotWithTheDaemonsWords() {
        daemon.sending = answer -> "{\"v\":1,\"ok\":false,\"error\":{\"code\":\"version\",\"message\":\"speak 2\"}}\n";

        fails("'hello' is refused: version (speak 2)");
    }

    @Test
    void missingSocketFailsTheSnapshotAndTheNextOneFindsIt() throws IOException {
        daemon.close();
        fails("intpd at " + socket);
        daemon = FakeIntpd.start(socket, 2);

        assertThat(source.snapshot(RUNNING)).containsOnlyKeys(ONE);
    }

    @Test
    void interruptEndsTheWaiting() {
        daemon.sending = FakeIntpd.SILENCE;
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(IOException.class).isThrownBy(() -> source.snapshot(RUNNING));

        assertThat(Thread.interrupted()).isTrue();
    }

    /** On a busy machine an answer may take longer than a daemon is given, so here its time passes slowly. */
    private static long patientNanos() {
        return System.nanoTime() / 20;
    }

    private void failsInTime(String message) {
        long start = System.nanoTime();
        fails(message);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONGEST);
    }

    private void fails(String message) {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> source.snapshot(RUNNING))
                .withMessageContaining(message);
    }

    private static ContainerHistory first(Map<String, Map<Signal, Count>> counts) {
        return ContainerHistory.first(new WatchedContainer(ONE, 1), Optional.empty(), 0, counts.get(ONE));
    }

    private static ContainerHistory next(ContainerHistory history, Map<String, Map<Signal, Count>> counts) {
        return history.with(1, counts.get(ONE));
    }

    private static Reading cpu(ContainerHistory history) {
        return history.report().readings().get(Signal.CPU);
    }

    private long epoch(Map<String, Map<Signal, Count>> counts) {
        return ((Count.Counted) counts.get(ONE).get(Signal.CPU)).epoch();
    }
}
