package org.interference.yarn.wire.intpd;

import java.util.List;
import java.util.Map;

/** Whatever line a daemon sends, it is an answer or refused with a sentence; and every count is one to calculate with. */
public final class IntpdAnswerFuzz {
    private static final List<IntpdRequest> REQUESTS = List.of(
            new IntpdRequest.Hello(),
            new IntpdRequest.Watch(Map.of()),
            new IntpdRequest.Unwatch(List.of()),
            new IntpdRequest.Snapshot());

    private IntpdAnswerFuzz() {}

    public static void fuzzerTestOneInput(byte[] line) {
        for (IntpdRequest request : REQUESTS) {
            try {
                if (IntpdCodec.decode(line, request).answer() instanceof IntpdAnswer.Snapshot snapshot) {
                    snapshot.containers().values().forEach(counts -> counts.values()
                            .forEach(IntpdAnswerFuzz::requireUsable));
                }
            } catch (IntpdProtocolException e) {
                require(e.getMessage() != null && !e.getMessage().isBlank());
            }
        }
    }

    private static void requireUsable(IntpdCount count) {
        if (count instanceof IntpdCount.Counted counted) {
            require(Double.isFinite(counted.used()) && counted.used() >= 0);
            require(Double.isFinite(counted.capacity()) && counted.capacity() >= 0);
        }
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new AssertionError();
        }
    }
}
