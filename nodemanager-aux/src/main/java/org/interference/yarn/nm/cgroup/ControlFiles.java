package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The few things that are done with the files of a kernel's control file system. Tests have one in memory. */
public interface ControlFiles {
    boolean exists(Path path);

    /** Returns whether there is such a process: why one cannot be moved is said in the language of the machine. */
    boolean isRunning(String pid);

    /** Returns whether there is such a block device, {@code MAJOR:MINOR}: of one that is gone the kernel takes no limit, and no lifting of one. */
    boolean hasDevice(String device);

    /** Whether this process may write the file, or make groups in the group. */
    boolean isWritable(Path path);

    /** Returns a file's text. */
    String read(Path file) throws IOException;

    /** Writes {@code text} in one call, which is what these files take. The file must be there. */
    void write(Path file, String text) throws IOException;

    /** Makes a group; one that is there stays as it is. */
    void make(Path group) throws IOException;

    /** Removes a group that has neither processes nor groups below it; one that is gone stays gone. */
    void remove(Path group) throws IOException;

    /** Returns the groups directly below {@code group}; none if it is gone. */
    List<Path> below(Path group) throws IOException;
}
