package org.interference.yarn.dispatch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Which of HiBench's inputs are there, by files beside them: a file system that was made anew has neither. HiBench keeps one input of each
 * workload, whatever its scale, so a file holds the scale of the input that is there. Thread-safe.
 */
final class PreparedInputs {
    private final Configuration conf;
    private final Path folder;
    private final byte[] scale;

    /** @param data the folder of HiBench's inputs, with its file system */
    PreparedInputs(Configuration conf, String data, ScaleProfile scale) {
        this.conf = conf;
        this.folder = new Path(data, "dispatch-prepared");
        this.scale = scale.label().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the file that says at which scale {@code input} is there. */
    String mark(String input) {
        return new Path(folder, input).toString();
    }

    /** Returns whether it is there at this scale. */
    boolean has(String input) throws IOException {
        Path mark = new Path(folder, input);
        FileSystem files = files();
        if (!files.exists(mark)) {
            return false;
        }
        try (InputStream in = files.open(mark)) {
            return Arrays.equals(in.readNBytes(scale.length + 1), scale);
        }
    }

    /** Notes that it is about to be made: until {@link #add} there is none to rely on. */
    void remove(String input) throws IOException {
        files().delete(new Path(folder, input), false);
    }

    void add(String input) throws IOException {
        try (OutputStream out = files().create(new Path(folder, input))) {
            out.write(scale);
        }
    }

    private FileSystem files() throws IOException {
        return folder.getFileSystem(conf);
    }
}
