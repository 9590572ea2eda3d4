package org.interference.yarn.nm.folders;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.nm.collect.WatchedContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkFolderTest {
    @TempDir
    private Path local;

    @ParameterizedTest
    @CsvSource({
        "container_1700000000000_0001_01_000002, application_1700000000000_0001",
        "container_e17_1700000000000_12345_01_000002, application_1700000000000_12345"
    })
    void isWhereYarnHasItInEachLocalDirectory(String container, String application) {
        Path other = local.resolve("other");

        assertThat(WorkFolder.of(container(container, "alice"), List.of(local, other)))
                .extracting(WorkFolder::path)
                .containsExactly(
                        local.resolve("usercache/alice/appcache/" + application + "/" + container),
                        other.resolve("usercache/alice/appcache/" + application + "/" + container));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "../alice", "a/b", "a\0b"})
    void whatIsNoNameOfAFolderNamesNone(String user) {
        assertThat(WorkFolder.of(container("container_1_0001_01_000002", user), List.of(local)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "one", "container_1_0001_01_000002/..", "container_1_0001_01"})
    void whatIsNoContainersIdNamesNone(String id) {
        assertThat(WorkFolder.of(container(id, "alice"), List.of(local))).isEmpty();
    }

    @Test
    void containerOfAnUnknownUserHasNone() {
        assertThat(WorkFolder.of(new WatchedContainer("container_1_0001_01_000002", 1), List.of(local)))
                .isEmpty();
    }

    @Test
    void folderBehindASymbolicLinkIsNotPlainAndALocalDirectoryMayBeOne() throws IOException {
        Path real = Files.createDirectory(local.resolve("real"));
        Path linked = Files.createSymbolicLink(local.resolve("linked"), real);
        WorkFolder folder = WorkFolder.of(container("container_1_0001_01_000002", "alice"), List.of(linked))
                .get(0);
        Files.createDirectories(folder.path());
        assertThat(folder.isPlain()).isTrue();

        Path user = linked.resolve("usercache/alice");
        Files.move(user, local.resolve("elsewhere"));
        Files.createSymbolicLink(user, local.resolve("elsewhere"));

        assertThat(folder.isPlain()).isFalse();
    }

    private static WatchedContainer container(String id, String user) {
        return new WatchedContainer(id, 1, Optional.of(user));
    }
}
