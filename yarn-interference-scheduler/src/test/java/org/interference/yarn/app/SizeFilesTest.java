package org.interference.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.interference.yarn.capacity.Size;
import org.interference.yarn.capacity.yarn.KeptSize;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.fault.Part;
import org.interference.yarn.profile.store.LocalDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SizeFilesTest {
    private static final Map<String, KeptSize> ONE =
            Map.of("a:1", new KeptSize(new Size(8192, 8), OptionalLong.empty()));
    private static final Map<String, KeptSize> TWO = Map.of(
            "a:1", new KeptSize(new Size(8192, 8), OptionalLong.of(1_790_000_000_000L)),
            "b:1", new KeptSize(new Size(4096, 4), OptionalLong.empty()));

    @TempDir
    private Path directory;

    private final Faults faults = Faults.unlogged();
    private final Deque<Runnable> later = new ArrayDeque<>();

    private SizeFiles files() {
        return new SizeFiles(
                directory.toString(),
                location -> new LocalDirectory(Path.of(location)),
                (name, writing) -> later.add(writing),
                faults);
    }

    private SizeFiles loaded() {
        SizeFiles files = files();
        assertThat(files.load()).isTrue();
        return files;
    }

    @Test
    void nothingIsKnownBeforeItIsReadAndKeptBeforeItIsWritten() {
        SizeFiles files = files();
        assertThat(files.before()).isEmpty();
        assertThat(files.load()).isTrue();
        assertThat(files.before()).contains(Map.of());

        files.keep(ONE);
        assertThat(files.kept()).isEmpty();

        later.remove().run();
        assertThat(files.kept()).isEqualTo(ONE);
        assertThat(loaded().before()).contains(ONE);
    }

    @Test
    void newestIsReadAndIsTheOnlyOne() throws IOException {
        SizeFiles files = loaded();
        for (Map<String, KeptSize> sizes : Stream.of(ONE, TWO, ONE, TWO).toList()) {
            files.keep(sizes);
            later.remove().run();
        }

        assertThat(loaded().kept()).isEqualTo(TWO);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).hasSize(1);
        }
    }

    @Test
    void fileOfBeforeItWasKeptWhenNodesBeganIsRead() throws IOException {
        Files.writeString(directory.resolve("node-sizes-00000001.json"), "{\"a:1\":{\"memoryMb\":8192,\"vcores\":8}}");

        assertThat(loaded().before()).contains(ONE);
    }

    @Test
    void wrongFileIsAsIfItWereNotThere() throws IOException {
        SizeFiles files = loaded();
        files.keep(ONE);
        later.remove().run();
        for (String wrong : Stream.of(
                        "",
                        "nonsense",
                        "[]",
                        "null",
                        "{\"a:1\":{}}",
                        "{\"a:1\":8192}",
                        "{\"a:1\":{\"memoryMb\":1e99,\"vcores\":1}}",
                        "{\"a:1\":{\"memoryMb\":1,\"vcores\":3000000000}}",
                        "{\"a:1\":{\"memoryMb\":-1,\"vcores\":1}}",
                        "{\"a:1\":null}",
                        "{\"a:1\":{\"memoryMb\":1,\"vcores\":1,\"nodeSince\":\"today\"}}",
                        "{\"a:1\":{\"memoryMb\":8192,\"vcores\":8}")
                .toList()) {
            Files.writeString(directory.resolve("node-sizes-00000009.json"), wrong);
            assertThat(loaded().before()).as(wrong).contains(ONE);
        }

        SizeFiles next = loaded();
        next.keep(TWO);
        later.remove().run();
        assertThat(loaded().before()).contains(TWO);
    }

    @Test
    void directoryThatCannotBeReadIsTriedAgain() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        SizeFiles files = new SizeFiles(
                file.toString(),
                location -> new LocalDirectory(Path.of(location)),
                (name, writing) -> later.add(writing),
                faults);

        assertThat(files.load()).isFalse();
        assertThat(files.before()).isEmpty();
        assertThat(faults.counts().get(Part.STORE)).isEqualTo(1);
    }
}
