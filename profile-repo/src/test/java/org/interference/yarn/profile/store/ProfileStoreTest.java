package org.interference.yarn.profile.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.ProfileRepository.Change;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileStoreTest {
    private static final Instant NOW = Instant.parse("2024-05-06T07:08:09.010Z");
    private static final long LONG_LOG = 1 << 20;

    @TempDir
    private Path directory;

    static LongStream seeds() {
        return LongStream.range(0, 10);
    }

    static LongStream fewSeeds() {
        return LongStream.range(0, 4);
    }

    @Test
    void directoryThatIsNotThereIsMadeAndEmpty() throws IOException {
        ProfileStore.Opened opened = ProfileStore.open(new LocalDirectory(directory.resolve("not/yet")), NOW, LONG_LOG);

        assertThat(opened.profiles()).isEmpty();
        assertThat(opened.problems()).isEmpty();
        opened.store().close();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatIsAppendedIsFoundByTheNextLife(long seed) throws IOException {
        List<TaskProfile> profiles = RandomProfiles.of(new Random(seed));
        try (ProfileStore store = open().store()) {
            store.append(changes(profiles));
        }

        ProfileStore.Opened opened = open();

        assertThat(opened.profiles()).containsExactlyInAnyOrderElementsOf(profiles);
        assertThat(opened.problems()).isEmpty();
        opened.store().close();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void logsAndSnapshotsAddUpToTheNewestOfEachProfile(long seed) throws IOException {
        Random random = new Random(seed);
        Map<TaskKey, TaskProfile> expected = new HashMap<>();
        ProfileStore store = open().store();
        for (int i = 0; i < 8; i++) {
            List<TaskProfile> profiles = RandomProfiles.of(random);
            profiles.forEach(profile -> expected.put(profile.key(), profile));
            store.append(changes(profiles));
            TaskKey gone = profiles.get(0).key();
            expected.remove(gone);
            store.append(List.of(new Change(gone, Optional.empty())));
            if (random.nextInt(4) == 0) {
                ProfileStore.Snapshot snapshot = store.beginSnapshot();
                if (random.nextBoolean()) {
                    snapshot.write(expected.values());
                }
            }
            if (random.nextInt(6) == 0) {
                store.close();
                store = open().store();
            }
        }
        store.close();

        assertThat(ProfileStore.read(new LocalDirectory(directory)))
                .containsExactlyInAnyOrderElementsOf(expected.values());
    }

    @Test
    void changesGoOnWhileASnapshotIsWritten() throws IOException {
        List<TaskProfile> before = RandomProfiles.of(new Random(1));
        TaskProfile meanwhile = RandomProfiles.of(new Random(2)).get(0);
        try (ProfileStore store = open().store()) {
            store.append(changes(before));
            ProfileStore.Snapshot snapshot = store.beginSnapshot();
            store.append(changes(List.of(meanwhile)));
            snapshot.write(before);
        }

        assertThat(ProfileStore.read(new LocalDirectory(directory)))
                .contains(meanwhile)
                .hasSizeGreaterThanOrEqualTo(before.size());
    }

    @Test
    void snapshotIsWantedWhenTheLogOutgrowsIt() throws IOException {
        List<Change> changes = changes(RandomProfiles.of(new Random(3)));
        try (ProfileStore store =
                ProfileStore.open(new LocalDirectory(directory), NOW, 10_000).store()) {
            int appends = 0;
            while (!store.wantsSnapshot()) {
                store.append(changes);
                appends++;
            }
            assertThat(appends).isBetween(1, 100);

            store.beginSnapshot().write(RandomProfiles.of(new Random(3)));

            assertThat(store.wantsSnapshot()).isFalse();
            assertThat(names()).hasSize(3);
        }
    }

    /** Kills the process at every single step of a life with appends and snapshots, and again in the next life. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void killAtAnyStepLosesNothingThatWasAppended(long seed) throws IOException {
        for (int steps = 0; steps < 60; steps += 1 + (int) (seed % 3)) {
            Random random = new Random(seed);
            FakeDirectory memory = new FakeDirectory(random, steps);
            Map<TaskKey, TaskProfile> appended = new HashMap<>();
            Map<TaskKey, TaskProfile> underWay = new HashMap<>();
            for (int life = 0; life < 3; life++) {
                try {
                    live(memory, random, appended, underWay);
                } catch (FakeDirectory.Killed e) {
                    // As intended.
                }
                memory = memory.afterTheKill(steps / 2 + life);
                Map<TaskKey, TaskProfile> found = new HashMap<>();
                ProfileStore.read(memory).forEach(profile -> found.put(profile.key(), profile));

                assertThat(found.keySet()).containsAll(appended.keySet());
                assertThat(found.values())
                        .allMatch(profile -> profile.equals(appended.get(profile.key()))
                                || profile.equals(underWay.get(profile.key())));
                appended.putAll(found);
                underWay.clear();
            }
            ProfileStore.Opened last = ProfileStore.open(memory.afterTheKill(1000), NOW, LONG_LOG);
            assertThat(last.problems()).isEmpty();
            assertThat(last.profiles()).containsExactlyInAnyOrderElementsOf(appended.values());
        }
    }

    private static void live(
            FakeDirectory memory, Random random, Map<TaskKey, TaskProfile> appended, Map<TaskKey, TaskProfile> underWay)
            throws IOException {
        ProfileRepository repository = new ProfileRepository(1);
        ProfileStore.Opened opened = ProfileStore.open(memory, NOW, LONG_LOG);
        repository.restore(opened.profiles());
        for (int i = 0; i < 10; i++) {
            repository.record(RandomProfiles.sample(random));
            List<Change> changes = repository.changes();
            changes.forEach(
                    change -> underWay.put(change.key(), change.profile().orElseThrow()));
            opened.store().append(changes);
            changes.forEach(
                    change -> appended.put(change.key(), change.profile().orElseThrow()));
            if (i % 4 == 3) {
                opened.store().beginSnapshot().write(repository.all());
            }
        }
    }

    @Test
    void laterOpenerTakesOverAndTheEarlierOneWritesNoMore() throws IOException {
        List<TaskProfile> first = RandomProfiles.of(new Random(1));
        ProfileStore active = open().store();
        active.append(changes(first));

        ProfileStore.Opened next = open();

        assertThat(next.profiles()).containsExactlyInAnyOrderElementsOf(first);
        assertThatThrownBy(() -> active.append(changes(RandomProfiles.of(new Random(2)))))
                .isInstanceOf(ProfileStore.Fenced.class);
        assertThatThrownBy(active::beginSnapshot).isInstanceOf(ProfileStore.Fenced.class);
        next.store().append(changes(RandomProfiles.of(new Random(3))));
        active.close();
        next.store().close();
    }

    /** A directory on a disk that may be full: files can be made, and nothing written. */
    private static final class FullDisk implements StoreDirectory {
        private final StoreDirectory disk;
        private boolean full;
        /** Writes that there is still room for. */
        private int room = Integer.MAX_VALUE;

        private String undeletable = "";
        private int open;

        FullDisk(StoreDirectory disk) {
            this.disk = disk;
        }

        @Override
        public List<String> list() throws IOException {
            return disk.list().stream().sorted().toList();
        }

        @Override
        public InputStream read(String name) throws IOException {
            return disk.read(name);
        }

        @Override
        public boolean claim(String name) throws IOException {
            return disk.claim(name);
        }

        @Override
        public Output create(String name) throws IOException {
            Output out = disk.create(name);
            open++;
            return new Output() {
                @Override
                public void write(byte[] bytes, int length) throws IOException {
                    if (full || room-- <= 0) {
                        out.write(bytes, 1);
                        throw new IOException("No space left on device");
                    }
                    out.write(bytes, length);
                }

                @Override
                public void force() throws IOException {
                    out.force();
                }

                @Override
                public void close() throws IOException {
                    open--;
                    out.close();
                }
            };
        }

        @Override
        public void rename(String from, String to) throws IOException {
            disk.rename(from, to);
        }

        @Override
        public void delete(String name) throws IOException {
            if (undeletable.equals(name)) {
                throw new IOException("Operation not permitted");
            }
            disk.delete(name);
        }

        @Override
        public String location() {
            return disk.location();
        }
    }

    @Test
    void fullDiskDoesNotGetAFileMoreAtEachAttempt() throws IOException {
        FullDisk disk = new FullDisk(new LocalDirectory(directory));
        List<TaskProfile> first = RandomProfiles.of(new Random(1));
        List<TaskProfile> second = RandomProfiles.of(new Random(2));
        ProfileStore store = ProfileStore.open(disk, NOW, LONG_LOG).store();
        store.append(changes(first));
        disk.full = true;
        for (int attempt = 0; attempt < 100; attempt++) {
            assertThatThrownBy(() -> store.append(changes(second))).isInstanceOf(IOException.class);
        }
        assertThat(names()).hasSizeLessThan(6);

        disk.full = false;
        store.append(changes(second));
        store.close();

        assertThat(ProfileStore.read(new LocalDirectory(directory))).containsAll(second);
        assertThat(ProfileStore.read(new LocalDirectory(directory)))
                .extracting(TaskProfile::key)
                .containsAll(first.stream().map(TaskProfile::key).toList());
    }

    /** Full at the header of the log, and at the snapshot. */
    @ParameterizedTest(name = "room for {0} writes")
    @ValueSource(ints = {0, 1})
    void openingThatFailsLeavesTheDirectoryAsItWas(int room) throws IOException {
        List<TaskProfile> profiles = RandomProfiles.of(new Random(1));
        open(profiles);
        List<String> before = names();
        FullDisk disk = new FullDisk(new LocalDirectory(directory));
        for (int attempt = 0; attempt < 100; attempt++) {
            disk.room = room;
            assertThatThrownBy(() -> ProfileStore.open(disk, NOW, LONG_LOG)).hasMessage("No space left on device");
        }

        assertThat(names()).containsExactlyInAnyOrderElementsOf(before);
        assertThat(disk.open).as("files that nobody closed").isZero();
        disk.room = Integer.MAX_VALUE;
        ProfileStore.Opened opened = ProfileStore.open(disk, NOW, LONG_LOG);
        assertThat(opened.profiles()).containsExactlyInAnyOrderElementsOf(profiles);
        opened.store().close();
    }

    /** The one that failed after all was safe is superfluous for the next one, and so are the files that can be deleted. */
    @Test
    void openingThatCannotCleanUpLosesNothingAndLeavesNoMoreEachTime() throws IOException {
        List<TaskProfile> profiles = RandomProfiles.of(new Random(1));
        open(profiles);
        FullDisk disk = new FullDisk(new LocalDirectory(directory));
        disk.undeletable = "epoch-00000001";
        for (int attempt = 0; attempt < 20; attempt++) {
            assertThatThrownBy(() -> ProfileStore.open(disk, NOW, LONG_LOG)).hasMessage("Operation not permitted");
        }

        assertThat(names()).hasSizeLessThan(6);
        assertThat(disk.open).as("files that nobody closed").isZero();
        assertThat(ProfileStore.read(new LocalDirectory(directory))).containsExactlyInAnyOrderElementsOf(profiles);
        disk.undeletable = "";
        ProfileStore.open(disk, NOW, LONG_LOG).store().close();
        assertThat(names()).hasSize(3);
    }

    @Test
    void snapshotThatFailsLeavesNoUnfinishedFile() throws IOException {
        FullDisk disk = new FullDisk(new LocalDirectory(directory));
        ProfileStore store = ProfileStore.open(disk, NOW, LONG_LOG).store();
        ProfileStore.Snapshot snapshot = store.beginSnapshot();
        disk.full = true;

        assertThatThrownBy(() -> snapshot.write(RandomProfiles.of(new Random(1))))
                .hasMessage("No space left on device");

        assertThat(names()).noneMatch(name -> name.endsWith(".next"));
        store.close();
    }

    /** One hung, and comes to its end while the next one deletes what it replaces. */
    @Test
    void snapshotThatIsDoneAfterALaterOneIsNotMissed() throws IOException {
        List<TaskProfile> all = RandomProfiles.of(new Random(1));
        List<ProfileStore.Snapshot> hanging = new ArrayList<>();
        StoreDirectory local = new LocalDirectory(directory);
        StoreDirectory slow = (StoreDirectory) Proxy.newProxyInstance(
                StoreDirectory.class.getClassLoader(),
                new Class<?>[] {StoreDirectory.class},
                (proxy, method, given) -> {
                    if (method.getName().equals("list") && !hanging.isEmpty()) {
                        hanging.remove(0).write(all);
                    }
                    return method.invoke(local, given);
                });
        ProfileStore store = ProfileStore.open(slow, NOW, LONG_LOG).store();
        ProfileStore.Snapshot first = store.beginSnapshot();
        store.append(changes(all));
        ProfileStore.Snapshot second = store.beginSnapshot();
        hanging.add(first);

        second.write(all);

        assertThat(hanging).isEmpty();
        store.append(changes(all));
        store.close();
        assertThat(open().profiles()).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void directoryThatSomebodyEmptiesIsNoticedAndFilledAgain() throws IOException {
        List<TaskProfile> first = RandomProfiles.of(new Random(1));
        ProfileStore store = open().store();
        store.append(changes(first));
        for (String name : names()) {
            Files.delete(directory.resolve(name));
        }
        Files.delete(directory);

        assertThatThrownBy(() -> store.append(changes(RandomProfiles.of(new Random(2)))))
                .isInstanceOf(ProfileStore.Removed.class);
        store.append(changes(first));
        store.close();

        assertThat(open().profiles()).containsExactlyInAnyOrderElementsOf(first);
    }

    /** Cleaners delete by age: what is never written again goes first, and the log stays. */
    @Test
    void snapshotThatIsDeletedIsNoticedAndWrittenAnew() throws IOException {
        List<TaskProfile> first = RandomProfiles.of(new Random(1));
        open(first);
        ProfileStore store = open().store();
        Files.delete(onlySnapshot());

        assertThatThrownBy(() -> store.append(changes(RandomProfiles.of(new Random(2)))))
                .isInstanceOf(ProfileStore.Removed.class);
        assertThat(store.wantsSnapshot()).isTrue();
        store.append(changes(first));
        assertThat(ProfileStore.read(new LocalDirectory(directory)))
                .as("all of them are in the log")
                .containsExactlyInAnyOrderElementsOf(first);
        store.beginSnapshot().write(first);
        assertThat(store.wantsSnapshot()).isFalse();
        Files.delete(onlySnapshot());
        assertThatThrownBy(() -> store.append(changes(first))).isInstanceOf(ProfileStore.Removed.class);
        store.close();
    }

    @Test
    void olderLogThatIsDeletedIsNoticedUntilASnapshotReplacesIt() throws IOException {
        List<TaskProfile> first = RandomProfiles.of(new Random(1));
        ProfileStore store = open().store();
        store.append(changes(first));
        ProfileStore.Snapshot snapshot = store.beginSnapshot();
        store.append(changes(first));
        Path older = directory.resolve("profiles-00000001-00000000.log");
        byte[] held = Files.readAllBytes(older);
        Files.delete(older);

        assertThatThrownBy(() -> store.append(changes(first))).isInstanceOf(ProfileStore.Removed.class);
        Files.write(older, held);
        store.append(changes(first));
        snapshot.write(first);

        assertThat(older).doesNotExist();
        store.append(changes(first));
        store.close();
        assertThat(open().profiles()).containsExactlyInAnyOrderElementsOf(first);
    }

    @Test
    void snapshotThatAFencedOneStillWritesIsIgnored() throws IOException {
        List<TaskProfile> first = RandomProfiles.of(new Random(1));
        ProfileStore active = open().store();
        active.append(changes(first));
        ProfileStore.Snapshot late = active.beginSnapshot();
        ProfileStore next = open().store();

        late.write(RandomProfiles.of(new Random(2)));

        assertThat(ProfileStore.read(new LocalDirectory(directory))).containsExactlyInAnyOrderElementsOf(first);
        active.close();
        next.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void damagedBytesCostTheLinesThatTheyAreInAndAreReported(long seed) throws IOException {
        Random random = new Random(seed);
        List<TaskProfile> profiles = RandomProfiles.of(random);
        open(profiles);
        Path snapshot = onlySnapshot();
        byte[] bytes = Files.readAllBytes(snapshot);
        byte[] before = bytes.clone();
        int from = random.nextInt(bytes.length);
        byte[] damage = new byte[1 + random.nextInt(Math.min(64, bytes.length - from))];
        random.nextBytes(damage);
        System.arraycopy(damage, 0, bytes, from, damage.length);
        Files.write(snapshot, bytes);

        ProfileStore.Opened opened = open();

        assertThat(profiles).containsAll(opened.profiles());
        if (!Arrays.equals(before, bytes)) {
            assertThat(opened.problems()).hasSize(1);
            assertThat(directory.resolve(snapshot.getFileName() + ".unreadable-" + NOW.toEpochMilli()))
                    .hasBinaryContent(bytes);
            assertThat(opened.profiles()).hasSizeGreaterThanOrEqualTo(profiles.size() - 64);
        }
        opened.store().close();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void randomBytesAreMovedAsideAndTheStoreStartsEmpty(long seed) throws IOException {
        Random random = new Random(seed);
        byte[] bytes = new byte[random.nextInt(5000)];
        random.nextBytes(bytes);
        if (random.nextBoolean()) {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) "0123456789abcdef {}[]\":,\n".charAt(Math.floorMod(bytes[i], 25));
            }
        }
        Files.write(directory.resolve("profiles-00000004-00000002.snapshot"), bytes);

        ProfileStore.Opened opened = open();

        assertThat(opened.profiles()).isEmpty();
        assertThat(opened.problems()).hasSize(1);
        opened.store().append(changes(RandomProfiles.of(random)));
        opened.store().close();
        assertThat(ProfileStore.read(new LocalDirectory(directory))).isNotEmpty();
    }

    @Test
    void logCutAnywhereGivesAllItsWholeLinesAndNoProblem() throws IOException {
        List<TaskProfile> profiles = RandomProfiles.of(new Random(4)).subList(0, 5);
        try (ProfileStore store = open().store()) {
            store.append(changes(profiles));
        }
        byte[] whole = Files.readAllBytes(directory.resolve("profiles-00000001-00000000.log"));
        long lines = 0;

        for (int length = 0; length <= whole.length; length++) {
            lines += length > 0 && whole[length - 1] == '\n' ? 1 : 0;
            List<Change> found = new ArrayList<>();

            Lines.Read read = Lines.read(new ByteArrayInputStream(whole, 0, length), found::add);

            assertThat(found.size()).isEqualTo((int) Math.max(0, lines - 1));
            assertThat(read.damaged()).isZero();
        }
    }

    @Test
    void newerSchemaIsMovedAsideAndNamed() throws IOException {
        Lines.Buffer line = new Lines.Buffer();
        Lines.header(line);
        String newer = line.toString(StandardCharsets.UTF_8).replace(":2}", ":3}");
        CRC32C crc = new CRC32C();
        crc.update("{\"schema\":3}".getBytes(StandardCharsets.UTF_8));
        newer = "%08x".formatted(crc.getValue()) + newer.substring(8);
        Files.writeString(directory.resolve("profiles-00000001-00000000.snapshot"), newer);

        ProfileStore.Opened opened = open();

        assertThat(opened.problems())
                .singleElement()
                .asString()
                .contains("schema 3, this version reads 2")
                .endsWith("it was moved to profiles-00000001-00000000.snapshot.unreadable-" + NOW.toEpochMilli());
        opened.store().close();
    }

    @Test
    void fileThatCannotBeReadAtAllIsAnErrorAndStaysInPlace() throws IOException {
        Files.createDirectory(directory.resolve("profiles-00000001-00000000.snapshot"));

        assertThatThrownBy(this::open).isInstanceOf(IOException.class);

        assertThat(directory.resolve("profiles-00000001-00000000.snapshot")).isDirectory();
    }

    /** Written before there were other signals. */
    @Test
    void goldenFileIsReadAndWrittenToTheByte() throws IOException {
        byte[] golden;
        try (var in = ProfileStoreTest.class.getResourceAsStream("/store/profiles-2.snapshot")) {
            golden = in == null ? new byte[0] : in.readAllBytes();
        }
        List<TaskProfile> profiles = RandomProfiles.of(new Random(42), Signal.predictors()).stream()
                .sorted(Comparator.comparing(
                        profile -> profile.key().level() + profile.key().text()))
                .toList();
        FakeDirectory memory = new FakeDirectory(new Random(0), 100);
        ProfileStore.open(memory, NOW, LONG_LOG).store().beginSnapshot().write(profiles);
        byte[] written = memory.files().get("profiles-00000001-00000001.snapshot");
        if (Boolean.getBoolean("golden.write")) {
            Path file =
                    Files.createDirectories(Path.of("src/test/resources/store")).resolve("profiles-2.snapshot");
            Files.write(file, written);
        }

        assertThat(written).isEqualTo(golden);
        Files.write(directory.resolve("profiles-00000001-00000000.snapshot"), golden);
        assertThat(ProfileStore.read(new LocalDirectory(directory))).containsExactlyElementsOf(profiles);
    }

    private ProfileStore.Opened open() throws IOException {
        return ProfileStore.open(new LocalDirectory(directory), NOW, LONG_LOG);
    }

    /** Leaves a snapshot of {@code profiles}. */
    private void open(Collection<TaskProfile> profiles) throws IOException {
        try (ProfileStore store = open().store()) {
            store.beginSnapshot().write(profiles);
        }
    }

    private Path onlySnapshot() throws IOException {
        return directory.resolve(names().stream()
                .filter(name -> name.endsWith(".snapshot"))
                .findFirst()
                .orElseThrow());
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(path -> path.getFileName().toString()).toList();
        }
    }

    private static List<Change> changes(Collection<TaskProfile> profiles) {
        return profiles.stream()
                .map(profile -> new Change(profile.key(), Optional.of(profile)))
                .toList();
    }
}
