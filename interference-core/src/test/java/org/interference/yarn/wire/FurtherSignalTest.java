package org.interference.yarn.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.google.protobuf.MessageLite;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.intpd.IntpdAnswer;
import org.interference.yarn.wire.intpd.IntpdCodec;
import org.interference.yarn.wire.intpd.IntpdProtocolException;
import org.interference.yarn.wire.intpd.IntpdRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One row more in {@link Signal}, and nothing else, makes a signal that travels. The collector's tests show the same of it. */
class FurtherSignalTest {
    private static final Path DEFINITION = Path.of("src/main/java/org/interference/yarn/signal/Signal.java");
    private static final String ROW = "FURTHER(99, SUM, SHARE, TOLD, \"one more\", \"share\", \"a / b\")";

    @TempDir
    private Path folder;

    private List<String> expected;

    @BeforeEach
    void compileTheDefinitionWithOneRowMore() throws IOException {
        String definition = Files.readString(DEFINITION);
        Path source = folder.resolve("Signal.java");
        Files.writeString(source, definition.replaceFirst("\\);\n", "),\n    " + ROW + ";\n"));
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, complaints, complaints, "-proc:none", "-d", folder.toString(), source.toString());
        assertThat(status).as(complaints.toString(StandardCharsets.UTF_8)).isZero();
        expected = Stream.concat(Stream.of(Signal.values()).map(Signal::wireName), Stream.of("further"))
                .toList();
    }

    @Test
    void isListedTravelsInHeartbeatsAndIsReadFromTheCollector() throws Exception {
        URL[] path = {
            folder.toUri().toURL(),
            origin(Signal.class),
            origin(Peer.class),
            origin(MessageLite.class),
            origin(JsonFactory.class)
        };
        List<?> seen;
        try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
            Constructor<?> peer = loader.loadClass(Peer.class.getName()).getDeclaredConstructor();
            peer.setAccessible(true);
            seen = (List<?>) ((Supplier<?>) peer.newInstance()).get();
        }

        assertThat(seen).isEqualTo(List.of(expected, expected, expected));
    }

    private static URL origin(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    /** The names of the signals that are listed, that come out of a heartbeat, and that are read from the collector, if all went in. */
    private static final class Peer implements Supplier<List<List<String>>> {
        @Override
        public List<List<String>> get() {
            try {
                return List.of(names(Signal.mostTellingFirst()), fromHeartbeat(), fromCollector());
            } catch (IntpdProtocolException e) {
                throw new IllegalStateException(e);
            }
        }

        private static List<String> fromHeartbeat() {
            EnumMap<Signal, Reading> readings = new EnumMap<>(Signal.class);
            for (Signal signal : Signal.values()) {
                readings.put(signal, new Reading.Measured(0.5, 0.25, 0.5, false, "proc"));
            }
            NodeReport sent = new NodeReport(
                    1,
                    1,
                    Instant.EPOCH,
                    List.of(new ContainerReport("container_1", Duration.ofSeconds(1), false, readings)));
            Decoded.Accepted received =
                    (Decoded.Accepted) HeartbeatCodec.decode(HeartbeatCodec.encode(sent), Integer.MAX_VALUE);
            ContainerReport container = received.report().containers().get(0);
            return names(container.mean().levels().keySet());
        }

        private static List<String> fromCollector() throws IntpdProtocolException {
            StringBuilder signals = new StringBuilder();
            for (Signal signal : Signal.values()) {
                signals.append(signals.isEmpty() ? "" : ",")
                        .append('"')
                        .append(signal.wireName())
                        .append("\":{\"status\":\"ok\",\"source\":\"ebpf\",\"used\":1,\"capacity\":2}");
            }
            String line = "{\"v\":1,\"ok\":true,\"start_ns\":5,\"containers\":[{\"container\":\"c\",\"signals\":{"
                    + signals + "}}]}";
            IntpdAnswer.Snapshot snapshot = (IntpdAnswer.Snapshot)
                    IntpdCodec.decode(line.getBytes(StandardCharsets.UTF_8), new IntpdRequest.Snapshot())
                            .answer();
            return names(snapshot.containers().get("c").keySet());
        }

        private static List<String> names(Collection<Signal> signals) {
            return EnumSet.copyOf(signals).stream().map(Signal::wireName).toList();
        }
    }
}
