package org.interference.yarn.profile.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * A directory of a file system that Hadoop reaches. It must be one with atomic renames and exclusive creation, and with
 * streams that can be forced out, as HDFS is and object stores are not.
 */
public final class HadoopDirectory implements StoreDirectory {
    private static final FsPermission OWNERS_DIRECTORY = new FsPermission((short) 0700);
    private static final FsPermission OWNERS_FILE = new FsPermission((short) 0600);

    private final FileSystem files;
    private final Path directory;

    HadoopDirectory(FileSystem files, Path directory) {
        this.files = files;
        this.directory = files.makeQualified(directory);
    }

    /**
     * Returns the directory at {@code location}: a local one for a path without a scheme or with {@code file:}, and one of
     * the file system that the scheme names for others.
     *
     * @throws IOException if that file system cannot be reached
     */
    public static StoreDirectory of(String location, Configuration conf) throws IOException {
        String scheme = new Path(location).toUri().getScheme();
        if (scheme == null || scheme.equals("file")) {
            return new LocalDirectory(
                    java.nio.file.Path.of(new Path(location).toUri().getPath()));
        }
        Path directory = new Path(location);
        return new HadoopDirectory(directory.getFileSystem(conf), directory);
    }

    @Override
    public List<String> list() throws IOException {
        List<String> names = new ArrayList<>();
        try {
            for (FileStatus file : files.listStatus(directory)) {
                names.add(file.getPath().getName());
            }
        } catch (FileNotFoundException e) {
            return List.of();
        }
        return names;
    }

    @Override
    public InputStream read(String name) throws IOException {
        return files.open(new Path(directory, name));
    }

    /** Names of users and jobs are in it. Made recursively, because not every file system of Hadoop's can make a file otherwise. */
    private FSDataOutputStreamBuilder<?, ?> file(String name) throws IOException {
        files.mkdirs(directory, OWNERS_DIRECTORY);
        return files.createFile(new Path(directory, name)).recursive().permission(OWNERS_FILE);
    }

    @Override
    public boolean claim(String name) throws IOException {
        try {
            file(name).overwrite(false).build().close();
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    @Override
    public Output create(String name) throws IOException {
        FSDataOutputStream out = file(name).overwrite(true).build();
        if (!out.hasCapability(StreamCapabilities.HSYNC)) {
            out.close();
            throw new IOException(
                    "%s cannot force a file out (hsync), which the store needs".formatted(files.getUri()));
        }
        return new Output() {
            @Override
            public void write(byte[] bytes, int length) throws IOException {
                out.write(bytes, 0, length);
            }

            @Override
            public void force() throws IOException {
                out.hsync();
            }

            @Override
            public void close() throws IOException {
                out.close();
            }
        };
    }

    @Override
    public void rename(String from, String to) throws IOException {
        if (!files.rename(new Path(directory, from), new Path(directory, to))) {
            throw new FileNotFoundException("%s cannot be renamed to %s".formatted(new Path(directory, from), to));
        }
    }

    @Override
    public void delete(String name) throws IOException {
        // False says that it was gone already.
        boolean unused = files.delete(new Path(directory, name), false);
    }

    @Override
    public String location() {
        return directory.toString();
    }
}
