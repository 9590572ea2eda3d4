package org.interference.yarn.nm.folders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderSizesTest {
    @TempDir
    private Path directory;

    private Folders folders;
    private long nanos;
    private long nanosPerLook;

    @BeforeEach
    void emptyFolders() {
        folders = new Folders(directory);
    }

    @Test
    void isWhatLiesInTheFoldersOfAllLocalDirectories() throws IOException {
        folders.write(0, "out/part-0", "x".repeat(1000));
        folders.write(1, "spill", "x".repeat(234));

        assertThat(footprint().bytes()).isEqualTo(1234);
    }

    @Test
    void roomIsThatOfEachFileSystemOnce() throws IOException {
        assertThat(footprint().capacity()).isEqualTo((double) directory.toFile().getTotalSpace());
    }

    @Test
    void aFolderThatIsNotThereHoldsNothingAndOneMustBe() throws IOException {
        folders.write(1, "spill", "x");
        Files.delete(folders.all.get(0).path());
        assertThat(footprint().bytes()).isEqualTo(1);

        Files.delete(folders.path(1, "spill"));
        Files.delete(folders.all.get(1).path());
        assertUntold(FolderSizes.NO_FOLDER);
    }

    @Test
    void symbolicLinksAreNotFollowed() throws IOException {
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Files.writeString(outside.resolve("big"), "x".repeat(5000));
        Files.createSymbolicLink(folders.path(0, "folder"), outside);
        Files.createSymbolicLink(folders.path(0, "file"), outside.resolve("big"));

        assertThat(footprint().bytes()).isZero();
    }

    @Test
    void linkInPlaceOfTheFolderIsRefused() throws IOException {
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Files.delete(folders.all.get(0).path());
        Files.createSymbolicLink(folders.all.get(0).path(), outside);

        assertUntold(FolderSizes.LINKED);
    }

    /** A file with holes may be longer than all disks. */
    @Test
    void isNeverMoreThanThereIsRoomFor() throws IOException {
        Path sparse = folders.path(0, "sparse");
        try (FileChannel channel = FileChannel.open(sparse, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            channel.position(directory.toFile().getTotalSpace() + 1).write(ByteBuffer.wrap(new byte[1]));
        } catch (IOException e) {
            assumeFalse(true, "the file system has no files so long");
        }

        assertThat(footprint().bytes()).isEqualTo(footprint().capacity());
    }

    @Test
    void tenThousandEntriesAreLookedAtAndNoMore() throws IOException {
        // The two work folders count and the one that is made here, and so does each link.
        Path target = folders.write(0, "many/0", "x");
        for (int i = 1; i < FolderSizes.MOST_ENTRIES - 3; i++) {
            Files.createLink(folders.path(0, "many/" + i), target);
        }
        assertThat(footprint().bytes()).isEqualTo(FolderSizes.MOST_ENTRIES - 3);

        Files.createLink(folders.path(1, "onemore"), target);
        assertUntold(FolderSizes.TOO_MANY);
    }

    @Test
    void foldersWithinEachOtherHaveABound() throws IOException {
        folders.write(0, "a/".repeat(FolderSizes.DEEPEST - 2) + "file", "x");
        assertThat(footprint().bytes()).isEqualTo(1);

        folders.write(0, "a/".repeat(FolderSizes.DEEPEST) + "file", "x");
        assertUntold(FolderSizes.TOO_DEEP);
    }

    @Test
    void folderThatMayNotBeReadIsNotTakenForAnEmptyOne() throws IOException {
        folders.write(0, "secret/file", "x");
        Path secret = folders.path(0, "secret");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(secret), "root reads everything");

        assertUntold(FolderSizes.UNREADABLE);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void withoutALocalDirectoryThatWorksThereIsNoShare() {
        assertThatThrownBy(() -> FolderSizes.of(folders.all, List.of(directory.resolve("failed")), this::nanoTime))
                .isInstanceOf(UntoldException.class)
                .hasMessageContaining("size of the local directories");
    }

    @Test
    void disksThatAreSlowAreNotLookedThrough() {
        folders.write(0, "spill", "x");
        nanosPerLook = TimeUnit.SECONDS.toNanos(FolderSizes.LONGEST_WALK_SECONDS);

        assertUntold(FolderSizes.TOO_SLOW);
    }

    private FolderSizes footprint() throws IOException {
        return FolderSizes.of(folders.all, folders.local, this::nanoTime);
    }

    private long nanoTime() {
        nanos += nanosPerLook;
        return nanos;
    }

    private void assertUntold(String reason) {
        assertThatThrownBy(this::footprint).isInstanceOf(UntoldException.class).hasMessage(reason);
    }
}
