package org.interference.yarn.nm.collect;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A connection to a Unix socket on which each line that is sent is answered by one line. Used by one thread at a time.
 *
 * <p>Deadlines are in ns of the clock that the connection was opened with. A connection that missed one, or failed
 * otherwise, is of no further use.
 */
final class LineConnection implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final LongSupplier nanoTime;
    private final int longestLine;
    private final SocketChannel channel;
    private final Selector selector;
    private final ByteBuffer received = ByteBuffer.allocate(BUFFER_BYTES);
    private boolean everAnswered;

    private LineConnection(LongSupplier nanoTime, int longestLine, SocketChannel channel, Selector selector) {
        this.nanoTime = nanoTime;
        this.longestLine = longestLine;
        this.channel = channel;
        this.selector = selector;
    }

    /**
     * Connects to {@code socket}.
     *
     * @param longestLine in bytes; a longer answer fails
     */
    static LineConnection open(Path socket, int longestLine, LongSupplier nanoTime, long deadline) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        boolean connected = false;
        try {
            channel.configureBlocking(false);
            Selector selector = channel.provider().openSelector();
            LineConnection connection = new LineConnection(nanoTime, longestLine, channel, selector);
            try {
                connection.connect(socket, deadline);
                connected = true;
            } finally {
                if (!connected) {
                    selector.close();
                }
            }
            return connection;
        } finally {
            if (!connected) {
                channel.close();
            }
        }
    }

    private void connect(Path socket, long deadline) throws IOException {
        channel.register(selector, 0);
        boolean connected = channel.connect(UnixDomainSocketAddress.of(socket));
        while (!connected) {
            await(SelectionKey.OP_CONNECT, deadline);
            connected = channel.finishConnect();
        }
    }

    /** Sends {@code line} and returns the line that answers it, both without their ends. */
    byte[] exchange(byte[] line, long deadline) throws IOException {
        ByteBuffer unsent = ByteBuffer.allocate(line.length + 1);
        unsent.put(line).put((byte) '\n').flip();
        while (unsent.hasRemaining()) {
            if (write(unsent) == 0) {
                await(SelectionKey.OP_WRITE, deadline);
            }
        }
        byte[] answer = receive(deadline);
        everAnswered = true;
        return answer;
    }

    private byte[] receive(long deadline) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            received.clear();
            int count = read();
            if (count == 0) {
                await(SelectionKey.OP_READ, deadline);
                continue;
            }
            int end = endOfLine(count);
            line.write(received.array(), 0, end);
            if (line.size() > longestLine) {
                throw new IOException("an answer is longer than %d bytes".formatted(longestLine));
            }
            if (end < count - 1) {
                throw new IOException("a request was answered by more than one line");
            }
            if (end < count) {
                return line.toByteArray();
            }
        }
    }

    private int write(ByteBuffer unsent) throws IOException {
        try {
            return channel.write(unsent);
        } catch (IOException e) {
            throw closed(e);
        }
    }

    private int read() throws IOException {
        try {
            int count = channel.read(received);
            if (count < 0) {
                throw new EOFException("end of stream");
            }
            return count;
        } catch (IOException e) {
            throw closed(e);
        }
    }

    /** A daemon that does not answer this user closes the connection; what that looks like depends on the moment. */
    private IOException closed(IOException cause) {
        String hint = everAnswered ? "" : " before the first answer; does the daemon answer this user?";
        return new IOException("the connection was closed (%s)%s".formatted(cause.getMessage(), hint), cause);
    }

    private int endOfLine(int count) {
        int end = 0;
        while (end < count && received.get(end) != '\n') {
            end++;
        }
        return end;
    }

    private void await(int operation, long deadline) throws IOException {
        long left = deadline - nanoTime.getAsLong();
        channel.keyFor(selector).interestOps(operation);
        // What came while this thread did not run, in a pause of the whole process say, is there even after the
        // deadline.
        int ready = left > 0 ? selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left))) : selector.selectNow();
        if (ready == 0 && left <= 0) {
            throw new SocketTimeoutException("no answer in time");
        }
        selector.selectedKeys().clear();
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted while waiting for an answer");
        }
    }

    @Override
    public void close() throws IOException {
        try (selector) {
            channel.close();
        }
    }
}
