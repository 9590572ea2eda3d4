package org.interference.yarn.nm.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeControlTest {
    private static final String JOURNAL = "interference-node-control.journal";

    @TempDir
    private Path directory;

    /** Only the first one is tried again at each tick, and what is left of it named. */
    @Test
    void whatAnEarlierConfigurationsJournalSaysAndCannotBeUndoneMovesToTheFirst() throws IOException {
        Path unwritable = Files.createDirectory(directory.resolve("cpuset.cpus"));
        Path earlier = leftBehind(unwritable);

        start();

        assertThat(directory.resolve("recovery").resolve(JOURNAL)).content().contains(encoded(unwritable));
        assertThat(earlier).doesNotExist();
    }

    @Test
    void whatAnEarlierConfigurationsJournalSaysIsUndone() throws IOException {
        Path changed = Files.createFile(directory.resolve("cpuset.cpus"));
        Path earlier = leftBehind(changed);

        start();

        assertThat(changed).hasContent("0-3");
        assertThat(earlier).doesNotExist();
        assertThat(directory.resolve("recovery").resolve(JOURNAL)).doesNotExist();
    }

    @Test
    void aDearTickIsFollowedByALongerRestWithinABound() {
        long second = 1_000_000_000;

        assertThat(NodeControl.rest(3 * second, second / 1000, false)).isEqualTo(3 * second);
        assertThat(NodeControl.rest(3 * second, second / 50, false)).isEqualTo(10 * second);
        assertThat(NodeControl.rest(3 * second, second, false)).isEqualTo(30 * second);
        assertThat(NodeControl.rest(3 * second, second, true))
                .as("a change is on trial")
                .isEqualTo(3 * second);
    }

    private void start() {
        NodeLayout layout = new NodeLayout(
                List.of(), List.of(directory.resolve("recovery"), directory.resolve("local")), "/hadoop-yarn", false);

        assertThat(NodeControl.start(
                        NodeControlSettings.from((name, fallback) -> fallback), layout, Optional::empty, List::of))
                .isEmpty();
    }

    /** A journal in the local directory that wants {@code file} to say 0-3 again. */
    private Path leftBehind(Path file) throws IOException {
        String body = "CHANGED " + encoded(file) + "  0-3";
        CRC32 crc = new CRC32();
        crc.update(body.getBytes(StandardCharsets.UTF_8));
        Path journal = Files.createDirectory(directory.resolve("local")).resolve(JOURNAL);
        return Files.writeString(journal, "%08x %s\n".formatted(crc.getValue(), body));
    }

    private static String encoded(Path path) {
        return URLEncoder.encode(path.toString(), StandardCharsets.UTF_8);
    }
}
