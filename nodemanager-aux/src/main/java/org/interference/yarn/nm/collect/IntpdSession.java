package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.interference.yarn.wire.intpd.IntpdAnswer;
import org.interference.yarn.wire.intpd.IntpdCodec;
import org.interference.yarn.wire.intpd.IntpdReply;
import org.interference.yarn.wire.intpd.IntpdRequest;

/** Typed questions and answers on one connection to intpd. Used by one thread at a time; of no use after a failure. */
final class IntpdSession implements AutoCloseable {
    /** An answer takes the daemon less than 1 ms; the rest is for a node on which it has to wait for a CPU. */
    private static final long LONGEST_ANSWER_NANOS = 1_000_000_000;

    private final LineConnection connection;
    private final LongSupplier nanoTime;
    private long requests;

    private IntpdSession(LineConnection connection, LongSupplier nanoTime) {
        this.connection = connection;
        this.nanoTime = nanoTime;
    }

    /** Connects; {@code nanoTime} is a monotonic clock. */
    static IntpdSession open(Path socket, LongSupplier nanoTime) throws IOException {
        long deadline = nanoTime.getAsLong() + LONGEST_ANSWER_NANOS;
        return new IntpdSession(LineConnection.open(socket, IntpdCodec.MAX_ANSWER_BYTES, nanoTime, deadline), nanoTime);
    }

    /**
     * Asks {@code request} and returns its answer, which is of the type that the request names.
     *
     * @throws IOException if there is no such answer within a second; a refusal is none
     */
    <A extends IntpdAnswer> A ask(IntpdRequest request, Class<A> type) throws IOException {
        requests++;
        long deadline = nanoTime.getAsLong() + LONGEST_ANSWER_NANOS;
        byte[] line = connection.exchange(IntpdCodec.encode(request, OptionalLong.of(requests)), deadline);
        IntpdReply reply = IntpdCodec.decode(line, request);
        if (reply.answer() instanceof IntpdAnswer.Refused refused) {
            throw new IOException(
                    "'%s' is refused: %s (%s)".formatted(request.op(), refused.code(), refused.message()));
        }
        if (reply.id().orElse(0) != requests) {
            throw new IOException("request %d has the answer of another one".formatted(requests));
        }
        return type.cast(reply.answer());
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
