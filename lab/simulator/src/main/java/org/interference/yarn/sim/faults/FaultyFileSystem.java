package org.interference.yarn.sim.faults;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** A {@link FaultyDisk} as Hadoop sees it, {@code faulty://<name>/}. Directories are there as soon as somebody asks. Made by Hadoop, by reflection. */
public final class FaultyFileSystem extends FileSystem {
    static final String SCHEME = "faulty";

    private URI uri;
    private FaultyDisk disk;

    @Override
    public void initialize(URI name, Configuration conf) throws IOException {
        super.initialize(name, conf);
        setConf(conf);
        uri = URI.create(SCHEME + "://" + name.getAuthority());
        disk = FaultyDisk.mounted(name.getAuthority());
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public URI getUri() {
        return uri;
    }

    private static String name(Path path) {
        return path.toUri().getPath();
    }

    @Override
    public FSDataInputStream open(Path path, int buffer) throws IOException {
        return new FSDataInputStream(new Bytes(disk.read(name(path))));
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            boolean overwrite,
            int buffer,
            short replication,
            long block,
            Progressable progress)
            throws IOException {
        if (!disk.create(name(path), overwrite)) {
            throw new FileAlreadyExistsException(path.toString());
        }
        return new FSDataOutputStream(new Appending(name(path)), statistics);
    }

    @Override
    public FSDataOutputStream append(Path path, int buffer, Progressable progress) throws IOException {
        throw new UnsupportedOperationException("nobody appends to a file that was closed");
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        return disk.rename(name(from), name(to));
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        return disk.delete(name(path));
    }

    @Override
    public FileStatus[] listStatus(Path directory) throws IOException {
        String prefix = name(directory) + "/";
        return disk.list().stream()
                .filter(name -> name.startsWith(prefix) && name.indexOf('/', prefix.length()) < 0)
                .map(name -> new FileStatus(0, false, 1, 0, 0, new Path(uri + name)))
                .toArray(FileStatus[]::new);
    }

    @Override
    public void setWorkingDirectory(Path directory) {
        // Nobody uses relative paths.
    }

    @Override
    public Path getWorkingDirectory() {
        return new Path(uri + "/");
    }

    @Override
    public boolean mkdirs(Path directory, FsPermission permission) throws IOException {
        disk.use();
        return true;
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        if (!disk.exists(name(path))) {
            throw new FileNotFoundException(path.toString());
        }
        return new FileStatus(disk.read(name(path)).length, false, 1, 0, 0, path);
    }

    private final class Appending extends OutputStream implements Syncable, StreamCapabilities {
        private final String name;

        Appending(String name) {
            this.name = name;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            disk.append(name, bytes, from, length);
        }

        @Override
        public void hflush() throws IOException {
            disk.use();
        }

        @Override
        public void hsync() throws IOException {
            disk.use();
        }

        @Override
        public boolean hasCapability(String capability) {
            return capability.equals(StreamCapabilities.HSYNC) || capability.equals("hflush");
        }
    }

    private static final class Bytes extends FSInputStream {
        private final byte[] bytes;
        private int at;

        Bytes(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public void seek(long position) {
            at = (int) position;
        }

        @Override
        public long getPos() {
            return at;
        }

        @Override
        public boolean seekToNewSource(long position) {
            return false;
        }

        @Override
        public int read() {
            return at < bytes.length ? bytes[at++] & 0xFF : -1;
        }

        @Override
        public int read(byte[] into, int from, int length) {
            int count = Math.min(length, bytes.length - at);
            if (count <= 0) {
                return length == 0 ? 0 : -1;
            }
            System.arraycopy(bytes, at, into, from, count);
            at += count;
            return count;
        }
    }
}
