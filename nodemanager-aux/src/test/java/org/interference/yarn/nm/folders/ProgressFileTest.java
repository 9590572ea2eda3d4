package org.interference.yarn.nm.folders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressFileTest {
    @TempDir
    private Path directory;

    private Folders folders;

    @BeforeEach
    void emptyFolders() {
        folders = new Folders(directory);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "'1234\n', 1234",
        "' 12.5 ', 12.5",
        "1000000000000000, 1e15",
        "00000000000000000000000000000007, 7"
    })
    void decimalNumberIsRead(String text, double number) throws IOException {
        folders.write(0, ProgressFile.NAME, text);

        assertThat(ProgressFile.read(folders.all)).hasValue(number);
    }

    @Test
    void itsFolderIsThatOfAnyLocalDirectory() throws IOException {
        folders.write(1, ProgressFile.NAME, "7");

        assertThat(ProgressFile.read(folders.all)).hasValue(7);
    }

    /** As between the two steps of {@code echo 7 >ifc-progress}. */
    @Test
    void fileThatIsEmptyJustNowTellsNothingNew() throws IOException {
        folders.write(0, ProgressFile.NAME, "");

        assertThat(ProgressFile.read(folders.all)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "+1", "1e3", "0x10", "NaN", "7 8", "1.", ".5", "x", "1000000000000001"})
    void whatIsNoSuchNumberIsRefused(String text) {
        folders.write(0, ProgressFile.NAME, text);

        assertUntold(ProgressFile.NO_NUMBER);
    }

    @Test
    void thirtyTwoBytesAreReadAndNoMore() throws IOException {
        for (String padding : List.of("0", " ")) {
            folders.write(0, ProgressFile.NAME, padding.repeat(ProgressFile.LONGEST - 1) + "7");
            assertThat(ProgressFile.read(folders.all)).hasValue(7);

            folders.write(0, ProgressFile.NAME, padding.repeat(ProgressFile.LONGEST) + "7");
            assertUntold(ProgressFile.NO_NUMBER);
        }
        folders.write(0, ProgressFile.NAME, " ".repeat(ProgressFile.LONGEST + 1));
        assertUntold(ProgressFile.NO_NUMBER);
    }

    @Test
    void withoutAFileThereIsNone() {
        assertUntold(ProgressFile.NONE);
    }

    @Test
    void symbolicLinkIsNotFollowed() throws IOException {
        Path outside = Files.writeString(directory.resolve("outside"), "7");
        Files.createSymbolicLink(folders.path(0, ProgressFile.NAME), outside);

        assertUntold(ProgressFile.NOT_ITS_OWN);
    }

    @Test
    void folderIsNotReadAndNeitherIsAPipe() throws IOException, InterruptedException {
        Files.createDirectory(folders.path(0, ProgressFile.NAME));
        assertUntold(ProgressFile.NOT_ITS_OWN);

        Files.delete(folders.path(0, ProgressFile.NAME));
        Process mkfifo =
                new ProcessBuilder("mkfifo", folders.path(0, ProgressFile.NAME).toString()).start();
        assertThat(mkfifo.waitFor()).isZero();
        assertUntold(ProgressFile.NOT_ITS_OWN);
    }

    /** Only root can give a file away. */
    @Test
    void fileOfAnotherUserThanItsFolderIsNotRead() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")));
        folders.write(0, ProgressFile.NAME, "7");
        Files.setAttribute(folders.path(0, ProgressFile.NAME), "unix:uid", 12_345);
        assertUntold(ProgressFile.NOT_ITS_OWN);

        Files.setAttribute(folders.all.get(0).path(), "unix:uid", 12_345);
        assertThat(ProgressFile.read(folders.all)).hasValue(7);
    }

    private void assertUntold(String reason) {
        assertThatThrownBy(() -> ProgressFile.read(folders.all))
                .isInstanceOf(UntoldException.class)
                .hasMessage(reason);
    }
}
