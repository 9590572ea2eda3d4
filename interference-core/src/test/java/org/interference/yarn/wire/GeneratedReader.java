package org.interference.yarn.wire;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.proto.ContainerProto;
import org.interference.yarn.wire.proto.KindProto;
import org.interference.yarn.wire.proto.NodeReportProto;
import org.interference.yarn.wire.proto.StatusProto;

/**
 * Reads reports with the generated parser: slow, obviously right, and what {@link HeartbeatReader} must agree with.
 *
 * <p>Of protobuf's two it is the parser over a stream. They differ on numbers of more than 64 bits, which nobody writes.
 */
final class GeneratedReader {
    private static final int VALUES_PER_READING = 3;

    private GeneratedReader() {}

    /** Returns the report in {@code bytes}; empty if they are malformed, whatever the version. */
    static Optional<NodeReport> read(byte[] bytes) {
        try {
            return Optional.of(decode(NodeReportProto.parseFrom(CodedInputStream.newInstance(bytes))));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static NodeReport decode(NodeReportProto proto) {
        List<ContainerReport> containers = new ArrayList<>(proto.getContainersCount());
        for (ContainerProto container : proto.getContainersList()) {
            containers.add(decode(container, proto.getKindsList()));
        }
        return new NodeReport(
                proto.getIncarnation(), proto.getSequence(), Instant.ofEpochMilli(proto.getMeasuredAtMs()), containers);
    }

    private static ContainerReport decode(ContainerProto proto, List<KindProto> kinds) {
        EnumMap<Signal, Reading> readings = new EnumMap<>(Signal.class);
        int next = 0;
        for (int index : proto.getKindList()) {
            if (index < 0 || index >= kinds.size()) {
                throw new IllegalArgumentException("kind %d of %d".formatted(index, kinds.size()));
            }
            KindProto kind = kinds.get(index);
            Optional<Signal> signal = Signal.ofId(kind.getSignal());
            if (kind.getStatus() == StatusProto.UNAVAILABLE) {
                signal.ifPresent(
                        known -> readings.put(known, new Reading.Unavailable(kind.getReason(), kind.getSource())));
                continue;
            }
            if (next + VALUES_PER_READING > proto.getValuesCount()) {
                throw new IllegalArgumentException("%s has fewer values than readings".formatted(proto.getId()));
            }
            Reading.Measured measured = new Reading.Measured(
                    proto.getValues(next),
                    proto.getValues(next + 1),
                    proto.getValues(next + 2),
                    kind.getStatus() == StatusProto.APPORTIONED,
                    kind.getSource());
            next += VALUES_PER_READING;
            if (kind.getStatus() == StatusProto.OK || kind.getStatus() == StatusProto.APPORTIONED) {
                signal.ifPresent(known -> readings.put(known, measured));
            }
        }
        if (proto.getObservedMs() < 0) {
            throw new IllegalArgumentException("%s was observed for a negative time".formatted(proto.getId()));
        }
        Optional<LaunchSignature> launch = proto.hasLaunchSignature()
                ? Optional.of(new LaunchSignature(proto.getLaunchSignature()))
                : Optional.empty();
        return new ContainerReport(
                proto.getId(), Duration.ofMillis(proto.getObservedMs()), proto.getEnded(), readings, launch);
    }
}
