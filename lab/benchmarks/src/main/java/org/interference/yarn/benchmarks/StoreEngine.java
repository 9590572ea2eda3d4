package org.interference.yarn.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.interference.yarn.profile.ProfileRepository.Change;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.store.LocalDirectory;
import org.interference.yarn.profile.store.ProfileDocument;
import org.interference.yarn.profile.store.ProfileStore;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** One way to keep profiles on disk. What {@link #save} returns from survives a power cut. */
interface StoreEngine extends Closeable {
    /** Returns all profiles on disk, parsed. */
    Collection<TaskProfile> load() throws IOException;

    /**
     * Makes {@code changed} durable.
     *
     * @param all everything, {@code changed} too
     */
    void save(Collection<TaskProfile> changed, Collection<TaskProfile> all) throws IOException;

    /** A class of the library, whose jar would be added to the plugin. */
    Class<?> library();

    static StoreEngine open(String name, Path directory) throws IOException {
        return switch (name) {
            case "json_file" -> new JsonFile(directory);
            case "log_and_snapshot" -> new LogAndSnapshot(directory);
            case "mvstore" -> new MvStoreEngine(directory);
            case "rocksdb" -> new RocksDbEngine(directory);
            default -> throw new IllegalArgumentException("no such engine: " + name);
        };
    }

    private static byte[] bytes(TaskProfile profile) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ProfileDocument.write(List.of(profile), out);
        return out.toByteArray();
    }

    private static TaskProfile profile(byte[] bytes) throws IOException {
        return ProfileDocument.read(bytes).get(0);
    }

    private static String text(TaskKey key) {
        return key.level() + " " + key.text();
    }

    /** The whole repository in one document, replaced by a rename. */
    record JsonFile(Path directory) implements StoreEngine {
        @Override
        public Collection<TaskProfile> load() throws IOException {
            Path file = directory.resolve("profiles.json");
            return Files.exists(file) ? ProfileDocument.read(Files.readAllBytes(file)) : List.of();
        }

        @Override
        public void save(Collection<TaskProfile> changed, Collection<TaskProfile> all) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ProfileDocument.write(all, out);
            Path next = directory.resolve("profiles.json.next");
            try (FileChannel channel = FileChannel.open(
                    next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                ByteBuffer buffer = ByteBuffer.wrap(out.toByteArray());
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                channel.force(true);
            }
            Files.move(next, directory.resolve("profiles.json"), StandardCopyOption.ATOMIC_MOVE);
        }

        @Override
        public Class<?> library() {
            return Object.class;
        }

        @Override
        public void close() {}
    }

    /** The store of the plugin. */
    final class LogAndSnapshot implements StoreEngine {
        private final ProfileStore.Opened opened;

        LogAndSnapshot(Path directory) throws IOException {
            opened = ProfileStore.open(new LocalDirectory(directory), Instant.EPOCH, 8L << 20);
        }

        @Override
        public Collection<TaskProfile> load() {
            return opened.profiles();
        }

        @Override
        public void save(Collection<TaskProfile> changed, Collection<TaskProfile> all) throws IOException {
            if (changed.size() == all.size()) {
                opened.store().beginSnapshot().write(all);
            } else {
                opened.store()
                        .append(changed.stream()
                                .map(profile -> new Change(profile.key(), Optional.of(profile)))
                                .toList());
            }
        }

        @Override
        public Class<?> library() {
            return Object.class;
        }

        @Override
        public void close() throws IOException {
            opened.store().close();
        }
    }

    /** H2's key-value store. */
    final class MvStoreEngine implements StoreEngine {
        private final MVStore store;
        private final MVMap<String, byte[]> map;

        MvStoreEngine(Path directory) {
            store = new MVStore.Builder()
                    .fileName(directory.resolve("profiles.mv").toString())
                    .autoCommitDisabled()
                    .open();
            map = store.openMap("profiles");
        }

        @Override
        public Collection<TaskProfile> load() throws IOException {
            List<TaskProfile> profiles = new ArrayList<>();
            for (byte[] value : map.values()) {
                profiles.add(profile(value));
            }
            return profiles;
        }

        @Override
        public void save(Collection<TaskProfile> changed, Collection<TaskProfile> all) throws IOException {
            for (TaskProfile profile : changed) {
                map.put(text(profile.key()), bytes(profile));
            }
            store.commit();
            store.sync();
        }

        @Override
        public Class<?> library() {
            return MVStore.class;
        }

        @Override
        public void close() {
            store.close();
        }
    }

    /** RocksDB through JNI. */
    final class RocksDbEngine implements StoreEngine {
        private final RocksDB store;

        RocksDbEngine(Path directory) throws IOException {
            try (Options options = new Options().setCreateIfMissing(true)) {
                store = RocksDB.open(options, directory.resolve("rocksdb").toString());
            } catch (RocksDBException e) {
                throw new IOException(e);
            }
        }

        @Override
        public Collection<TaskProfile> load() throws IOException {
            List<TaskProfile> profiles = new ArrayList<>();
            try (RocksIterator entries = store.newIterator()) {
                for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                    profiles.add(profile(entries.value()));
                }
            }
            return profiles;
        }

        @Override
        public void save(Collection<TaskProfile> changed, Collection<TaskProfile> all) throws IOException {
            try (WriteBatch batch = new WriteBatch();
                    WriteOptions options = new WriteOptions().setSync(true)) {
                for (TaskProfile profile : changed) {
                    batch.put(text(profile.key()).getBytes(StandardCharsets.UTF_8), bytes(profile));
                }
                store.write(options, batch);
            } catch (RocksDBException e) {
                throw new IOException(e);
            }
        }

        @Override
        public Class<?> library() {
            return RocksDB.class;
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
