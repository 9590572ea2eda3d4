package org.interference.yarn.nm.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.interference.yarn.nm.collect.ListedContainer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PidFileContainersTest {
    private static final String ID = "container_e17_1700000000000_0001_01_000002";

    @TempDir
    private Path directory;

    private Path file;
    private PidFileContainers containers;

    @BeforeEach
    void twoLocalDirectories() {
        file = directory.resolve("two/nmPrivate/application_1700000000000_0001/" + ID + "/" + ID + ".pid");
        containers = new PidFileContainers(List.of(directory.resolve("missing"), directory.resolve("two")));
    }

    @Test
    void containerHasAProcessOnceItsPidFileIsThere() throws IOException {
        containers.begun(ID, Optional.empty());
        assertThat(containers.get()).containsExactly(listed(OptionalLong.empty()));

        write("4711\n");
        assertThat(containers.get()).containsExactly(listed(OptionalLong.of(4711)));
    }

    @Test
    void itsUserIsTheOneThatWasToldAtItsBeginning() throws IOException {
        containers.begun(ID, Optional.of("alice"));
        write("4711\n");

        assertThat(containers.get())
                .containsExactly(
                        new ListedContainer(ID, OptionalLong.of(4711), Optional.empty(), Optional.of("alice")));
    }

    @Test
    void containerThatNobodyToldOfIsFoundByItsPidFile() throws IOException {
        write("4711\n");

        assertThat(containers.get()).containsExactly(listed(OptionalLong.of(4711)));
    }

    @Test
    void stoppedContainerIsNotListedThoughItsPidFileIsStillThere() throws IOException {
        write("4711\n");
        containers.begun(ID, Optional.empty());
        containers.stopped(ID);

        assertThat(containers.get()).isEmpty();
        assertThat(containers.get()).isEmpty();
    }

    @Test
    void containerWithoutAPidFileIsOverOnlyWhenItIsStopped() throws IOException {
        containers.begun(ID, Optional.empty());
        write("4711\n");
        containers.get();
        Files.delete(file);

        assertThat(containers.get()).containsExactly(listed(OptionalLong.empty()));
        containers.stopped(ID);
        assertThat(containers.get()).isEmpty();
    }

    @Test
    void whatIsNoPidIsNone() throws IOException {
        for (String text : List.of("", "x", "-1", "12 13", "99999999999999999999")) {
            write(text);

            assertThat(containers.get()).isEmpty();
        }
    }

    private static ListedContainer listed(OptionalLong pid) {
        return new ListedContainer(ID, pid, Optional.empty());
    }

    private void write(String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
