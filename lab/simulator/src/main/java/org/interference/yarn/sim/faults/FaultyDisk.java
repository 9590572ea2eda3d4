package org.interference.yarn.sim.faults;

import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.interference.yarn.sim.faults.Fault.Disk;

/**
 * Files in memory that several ResourceManagers share, one after the other, and that go wrong on command. Thread-safe: the threads of a
 * plugin use it, and wait here while it hangs; a thread of YARN's that would wait is told of instead.
 */
final class FaultyDisk {
    private static final Map<String, FaultyDisk> MOUNTED = new ConcurrentHashMap<>();

    private final Map<String, ByteArrayOutputStream> files = new TreeMap<>();
    private Disk state = Disk.WORKS;
    private int yarnWaited;
    /** The thread that may look again whether the disk hangs still; null for none. */
    private SteppedThread woken;

    /** Makes an empty disk that file systems find under {@code name}. */
    static FaultyDisk mount(String name) {
        FaultyDisk disk = new FaultyDisk();
        MOUNTED.put(name, disk);
        return disk;
    }

    static FaultyDisk mounted(String name) throws IOException {
        FaultyDisk disk = MOUNTED.get(name);
        if (disk == null) {
            throw new IOException("no disk is " + name);
        }
        return disk;
    }

    static void unmount(String name) {
        MOUNTED.remove(name);
    }

    /** Turns; who waits is told by {@link SteppedThread#goOn}, one after the other. */
    synchronized void turn(Disk to) {
        state = to;
    }

    synchronized void wake(SteppedThread waiting) {
        woken = waiting;
        notifyAll();
    }

    /** Returns how often a thread that is not one of the plugin's would have waited for the disk. */
    synchronized int yarnWaited() {
        return yarnWaited;
    }

    synchronized boolean hangs() {
        return state == Disk.HANGS;
    }

    synchronized List<String> list() throws IOException {
        use();
        return List.copyOf(files.keySet());
    }

    synchronized boolean exists(String name) throws IOException {
        use();
        return files.containsKey(name);
    }

    synchronized byte[] read(String name) throws IOException {
        use();
        ByteArrayOutputStream file = files.get(name);
        if (file == null) {
            throw new FileNotFoundException(name);
        }
        return file.toByteArray();
    }

    /** Returns false if there is a file of that name, and it may not be emptied. */
    synchronized boolean create(String name, boolean overwrite) throws IOException {
        use();
        if (!overwrite && files.containsKey(name)) {
            return false;
        }
        files.put(name, new ByteArrayOutputStream());
        return true;
    }

    synchronized void append(String name, byte[] bytes, int from, int length) throws IOException {
        use();
        if (state == Disk.FULL) {
            throw new IOException("No space left on device");
        }
        ByteArrayOutputStream file = files.get(name);
        if (file == null) {
            throw new FileNotFoundException(name);
        }
        file.write(bytes, from, length);
    }

    synchronized boolean rename(String from, String to) throws IOException {
        use();
        ByteArrayOutputStream file = files.remove(from);
        if (file != null) {
            files.put(to, file);
        }
        return file != null;
    }

    synchronized boolean delete(String name) throws IOException {
        use();
        return files.remove(name) != null;
    }

    /** Waits while the disk hangs. */
    synchronized void use() throws IOException {
        if (state == Disk.HANGS && !SteppedThread.isCurrent()) {
            yarnWaited++;
            throw new IOException("would hang");
        }
        SteppedThread waiting = SteppedThread.current();
        while (state == Disk.HANGS) {
            woken = null;
            waiting.waits(true);
            try {
                while (woken != waiting) {
                    wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("given up");
            } finally {
                waiting.waits(false);
            }
        }
        if (state == Disk.FAILS) {
            throw new IOException("Input/output error");
        }
    }
}
