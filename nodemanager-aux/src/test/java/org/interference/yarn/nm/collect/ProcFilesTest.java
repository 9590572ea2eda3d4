package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcFilesTest {
    @TempDir
    private Path directory;

    /** The kernel's reasons come in the language of the machine; these two nobody expects in any. */
    @Test
    void whatCannotBeReadIsAbsentWhateverTheReasonIsCalled() throws IOException {
        Path system = Files.createDirectories(directory.resolve("devices/system"));
        Files.writeString(system.resolve("cpu"), "not a directory");
        Files.createDirectories(system.resolve("node/online"));
        ProcFiles files = new ProcFiles(directory, directory);

        assertThat(files.system("cpu/online")).isEmpty();
        assertThat(files.system("node/online")).isEmpty();
        assertThat(files.system("memory/online")).isEmpty();
    }
}
