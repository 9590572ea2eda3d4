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
    private final LineConnection connection;
    private long requests;

    private IntpdSession(LineConnection connection) {
        this.connection = connection;
    }

    /** Connects; {@code deadline} is in ns of {@code nanoTime}. */
    static IntpdSession open(Path socket, LongSupplier nanoTime, long deadline) throws IOException {
        return new IntpdSession(LineConnection.open(socket, IntpdCodec.MAX_ANSWER_BYTES, nanoTime, deadline));
    }

    /**
     * Asks {@code request} and returns its answer, which is of the type that the request names.
     *
     * @throws IOException if there is no such answer before the deadline; a refusal is none
     */
    <A extends IntpdAnswer> A ask(IntpdRequest request, Class<A> type, long deadline) throws IOException {
        requests++;
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
