package org.interference.yarn.nm.heartbeat;

import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.apache.hadoop.thirdparty.protobuf.UnsafeByteOperations;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.wire.HeartbeatCodec;

/**
 * The newest report as heartbeats carry it. It is encoded by whoever brings it, the sampler's thread, so that a heartbeat
 * takes no longer for it. Thread-safe; never throws.
 */
public final class ReportPayload implements Consumer<Optional<NodeReport>> {
    private final int maxBytes;
    private final Failures failures;
    private volatile Optional<UnknownFieldSet.Field> field = Optional.empty();

    /** @param maxBytes a larger report is not sent */
    public ReportPayload(int maxBytes, Failures failures) {
        this.maxBytes = maxBytes;
        this.failures = failures;
    }

    /** Replaces what heartbeats carry; with nothing, they go out as stock. */
    @Override
    @SuppressWarnings("CatchThrowable") // Whatever goes wrong, the NodeManager goes on.
    public void accept(Optional<NodeReport> newest) {
        try {
            field = newest.flatMap(this::encoded);
        } catch (Throwable e) {
            field = Optional.empty();
            failures.note("The heartbeat goes out without interference counters", e);
        }
    }

    Optional<UnknownFieldSet.Field> field() {
        return field;
    }

    private Optional<UnknownFieldSet.Field> encoded(NodeReport report) {
        byte[] bytes = HeartbeatCodec.encode(report);
        if (bytes.length > maxBytes) {
            failures.note(
                    "The heartbeat goes out without interference counters, their size is over the limit",
                    "%d bytes, at most %d are sent".formatted(bytes.length, maxBytes));
            return Optional.empty();
        }
        return Optional.of(UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(UnsafeByteOperations.unsafeWrap(bytes))
                .build());
    }
}
