package org.interference.yarn.dispatch.dag.yarn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.URL;
import org.interference.yarn.dispatch.dag.Rule;
import org.interference.yarn.dispatch.dag.RuleScript;

/** The folder that has a workflow's files, on a file system that every node sees. Thread-safe. */
public final class WorkflowFolder {
    private static final String FILE = "file";

    private final FileSystem files;
    private final Path path;

    private WorkflowFolder(FileSystem files, Path path) {
        this.files = files;
        this.path = path;
    }

    /**
     * Finds the folder.
     *
     * @param folder a path, of the default file system if it names none
     * @throws IOException if it is none
     */
    public static WorkflowFolder of(Configuration conf, String folder) throws IOException {
        Path path = new Path(folder);
        FileSystem files = path.getFileSystem(conf);
        Path qualified = files.makeQualified(path);
        if (!files.getFileStatus(qualified).isDirectory()) {
            throw new IOException("it is no folder");
        }
        return new WorkflowFolder(files, qualified);
    }

    /** Whether a file of the workflow is there. */
    public boolean exists(String name) {
        try {
            return files.exists(new Path(path, name));
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be read: %s".formatted(path, e.getMessage()), e);
        }
    }

    /** Returns where it is on this machine; empty if it is on a file system of Hadoop's. */
    public Optional<java.nio.file.Path> here() {
        return path.toUri().getScheme().equals(FILE)
                ? Optional.of(java.nio.file.Path.of(path.toUri().getPath()))
                : Optional.empty();
    }

    String script(Rule rule) {
        return here().map(folder -> RuleScript.forPath(rule, folder.toString()))
                .orElseGet(() -> RuleScript.forFileSystem(rule, path.toString()));
    }

    /** Returns a file as the NodeManager carries it: once to a node, for all of the user's containers that read it there. */
    LocalResource resource(String name) throws IOException {
        FileStatus file = files.getFileStatus(new Path(path, name));
        return LocalResource.newInstance(
                URL.fromPath(file.getPath()),
                LocalResourceType.FILE,
                LocalResourceVisibility.PRIVATE,
                file.getLen(),
                file.getModificationTime());
    }

    Path path() {
        return path;
    }

    @Override
    public String toString() {
        return here().map(java.nio.file.Path::toString).orElseGet(path::toString);
    }
}
