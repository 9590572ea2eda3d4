package org.interference.yarn.profile.store;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The directory that a store lives in, on whatever file system. What returns has happened for good: it survives the end of
 * the process, and of the machine as far as the file system can promise that.
 */
public interface StoreDirectory {
    /** Returns the names of the files in it; none if it is not there: whoever makes a file makes it. */
    List<String> list() throws IOException;

    InputStream read(String name) throws IOException;

    /** Makes an empty file, unless there is one of that name; returns whether it did. */
    boolean claim(String name) throws IOException;

    /** Makes a file, or empties it, to write on. What is made is for its owner alone. */
    Output create(String name) throws IOException;

    /** Renames a file in one step; nothing has the name {@code to}. */
    void rename(String from, String to) throws IOException;

    /** Deletes a file, if there is one. */
    void delete(String name) throws IOException;

    /** Where it is, for people. */
    String location();

    /** A file that is being written. Not thread-safe. */
    interface Output extends Closeable {
        void write(byte[] bytes, int length) throws IOException;

        /** Returns once everything written is there for good. */
        void force() throws IOException;
    }
}
