package org.interference.yarn.testbed.services;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;

/**
 * Somebody who asks a tier again and again, some time after it has answered, and notes how long each answer took. Without random pauses requests come in step with
 * what a tier waits for: a throttled disk gives out its bytes by slices of time, so each answer would end with a slice, and whatever a plan saves of CPU or network would be waited for at
 * the disk.
 */
final class Visitor implements Callable<List<Double>> {
    private static final byte[] REQUEST = "1\n".getBytes(StandardCharsets.US_ASCII);
    private static final int PATIENCE_MILLIS = 60_000;
    private static final double NANOS_PER_MILLI = 1e6;

    private final InetSocketAddress tier;
    private final LongSupplier clock;
    private final Runnable pause;
    private final long from;
    private final long until;

    /**
     * Asks nothing yet.
     *
     * @param clock in ns
     * @param pause waits before each request
     * @param from answers to what was asked before are not noted
     * @param until nothing is asked any more
     */
    Visitor(InetSocketAddress tier, LongSupplier clock, Runnable pause, long from, long until) {
        this.tier = tier;
        this.clock = clock;
        this.pause = pause;
        this.from = from;
        this.until = until;
    }

    /** Returns milliseconds of each answer. */
    @Override
    public List<Double> call() throws IOException {
        List<Double> times = new ArrayList<>();
        try (Socket socket = new Socket()) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(tier, PATIENCE_MILLIS);
            OutputStream out = socket.getOutputStream();
            InputStream in = socket.getInputStream();
            pause.run();
            for (long asked = clock.getAsLong(); asked < until; asked = clock.getAsLong()) {
                out.write(REQUEST);
                if (in.read() < 0) {
                    throw new IOException(tier + " hung up");
                }
                if (asked >= from) {
                    times.add((clock.getAsLong() - asked) / NANOS_PER_MILLI);
                }
                pause.run();
            }
        }
        return times;
    }
}
