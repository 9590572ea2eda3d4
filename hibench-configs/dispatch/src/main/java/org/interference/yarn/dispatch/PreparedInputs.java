package org.interference.yarn.dispatch;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Which of HiBench's inputs are there, by files beside them: a file system that was made anew has neither. Thread-safe. */
final class PreparedInputs {
    private final Configuration conf;
    private final Path folder;

    /** @param data the folder of HiBench's inputs, with its file system */
    PreparedInputs(Configuration conf, String data, Scale scale) {
        this.conf = conf;
        this.folder = new Path(new Path(data, "dispatch-prepared"), scale.label());
    }

    /** Returns the file that says that {@code input} is there. */
    String mark(String input) {
        return new Path(folder, input).toString();
    }

    boolean has(String input) throws IOException {
        return files().exists(new Path(folder, input));
    }

    void add(String input) throws IOException {
        files().create(new Path(folder, input)).close();
    }

    private FileSystem files() throws IOException {
        return folder.getFileSystem(conf);
    }
}
