package org.interference.yarn.nm.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.collect.WatchedContainer;
import org.interference.yarn.nm.control.Quantity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerBytesTest {
    private static final List<WatchedContainer> WATCHED = List.of(new WatchedContainer("c", 100));

    @TempDir
    private Path proc;

    @Test
    void theFirstLookIsTheBaseline() throws IOException {
        process(100, 1, 1000, 500);

        ContainerBytes bytes = bytes();
        bytes.sample(WATCHED);
        process(100, 1, 1400, 501);

        assertThat(bytes.sample(WATCHED).get("c"))
                .isEqualTo(Map.of(Quantity.READ_BYTES, 400.0, Quantity.WRITTEN_BYTES, 1.0));
    }

    @Test
    void whatEndedChildrenDidStays() throws IOException {
        ContainerBytes bytes = bytes();
        process(100, 1, 0, 10);
        process(101, 100, 0, 70);
        bytes.sample(WATCHED);
        process(100, 1, 0, 15);
        process(101, 100, 0, 80);
        bytes.sample(WATCHED);
        Files.delete(proc.resolve("101/stat"));
        Files.delete(proc.resolve("101/io"));

        for (int look = 0; look < 12; look++) {
            assertThat(bytes.sample(WATCHED).get("c")).containsEntry(Quantity.WRITTEN_BYTES, 15.0);
        }
    }

    @Test
    void aLaterChildIsFoundWithAllThatItDid() throws IOException {
        ContainerBytes bytes = bytes();
        process(100, 1, 0, 10);
        bytes.sample(WATCHED);
        process(102, 100, 0, 5);

        Map<Quantity, Double> last = Map.of();
        for (int look = 0; look < 6; look++) {
            last = bytes.sample(WATCHED).get("c");
        }

        assertThat(last).containsEntry(Quantity.WRITTEN_BYTES, 5.0);
    }

    private ContainerBytes bytes() {
        return new ContainerBytes(new ProcFiles(proc, proc));
    }

    private void process(long pid, long parent, long read, long written) throws IOException {
        write(pid + "/stat", "%d (sh) S %d 100 100 0 -1 1 2 3 4 5 6 7 8 9 20 0 1 0 77 23 24\n".formatted(pid, parent));
        write(pid + "/cgroup", "0::/\n");
        write(pid + "/io", "read_bytes: %d\nwrite_bytes: %d\ncancelled_write_bytes: 0\n".formatted(read, written));
    }

    private void write(String file, String text) throws IOException {
        Path path = proc.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
