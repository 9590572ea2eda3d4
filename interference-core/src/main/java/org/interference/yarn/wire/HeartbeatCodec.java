package org.interference.yarn.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.proto.ContainerProto;
import org.interference.yarn.wire.proto.KindProto;
import org.interference.yarn.wire.proto.NodeReportProto;
import org.interference.yarn.wire.proto.StatusProto;

/** Encodes and decodes {@link NodeReport}s (heartbeat.proto). Stateless; never throws on what it decodes. */
public final class HeartbeatCodec {
    /** The field of YARN's ResourceUtilizationProto that carries the bytes (ADR-0003). */
    public static final int CARRIER_FIELD = 19701;

    private static final int SCHEMA_VERSION = 1;
    private static final int VALUES_PER_READING = 3;

    private HeartbeatCodec() {}

    public static byte[] encode(NodeReport report) {
        Map<KindProto, Integer> kinds = new LinkedHashMap<>();
        NodeReportProto.Builder proto = NodeReportProto.newBuilder()
                .setSchemaVersion(SCHEMA_VERSION)
                .setIncarnation(report.incarnation())
                .setSequence(report.sequence())
                .setMeasuredAtMs(report.measuredAt().toEpochMilli());
        for (ContainerReport container : report.containers()) {
            proto.addContainers(encode(container, kinds));
        }
        return proto.addAllKinds(kinds.keySet()).build().toByteArray();
    }

    /**
     * Decodes {@code bytes} of at most {@code maxBytes}. Signals and statuses of a newer peer are left out; a value that
     * is not finite or is negative makes the whole report malformed, because its sender cannot be trusted.
     */
    public static Decoded decode(byte[] bytes, int maxBytes) {
        if (bytes.length > maxBytes) {
            return new Decoded.Rejected(
                    Decoded.Rejection.OVERSIZED, "%d bytes, at most %d are read".formatted(bytes.length, maxBytes));
        }
        try {
            NodeReportProto proto = NodeReportProto.parseFrom(bytes);
            if (proto.getSchemaVersion() != SCHEMA_VERSION) {
                return new Decoded.Rejected(
                        Decoded.Rejection.UNKNOWN_VERSION,
                        "schema version %d, this reader knows %d".formatted(proto.getSchemaVersion(), SCHEMA_VERSION));
            }
            return new Decoded.Accepted(decode(proto));
        } catch (InvalidProtocolBufferException | IllegalArgumentException | DateTimeException e) {
            return new Decoded.Rejected(Decoded.Rejection.MALFORMED, String.valueOf(e.getMessage()));
        }
    }

    private static ContainerProto encode(ContainerReport container, Map<KindProto, Integer> kinds) {
        ContainerProto.Builder proto = ContainerProto.newBuilder()
                .setId(container.container())
                .setObservedMs(container.observed().toMillis())
                .setEnded(container.ended());
        container.readings().forEach((signal, reading) -> {
            KindProto kind = kind(signal, reading);
            Integer known = kinds.putIfAbsent(kind, kinds.size());
            proto.addKind(known == null ? kinds.size() - 1 : known);
            if (reading instanceof Reading.Measured measured) {
                proto.addValues(narrowed(measured.level()));
                proto.addValues(narrowed(measured.mean()));
                proto.addValues(narrowed(measured.raw()));
            }
        });
        return proto.build();
    }

    /** A level that no float holds is wrong, but must not make its whole report malformed. */
    private static float narrowed(double value) {
        return (float) Math.min(value, Float.MAX_VALUE);
    }

    private static KindProto kind(Signal signal, Reading reading) {
        KindProto.Builder kind = KindProto.newBuilder().setSignal(signal.id()).setSource(reading.source());
        if (reading instanceof Reading.Measured measured) {
            return kind.setStatus(measured.apportioned() ? StatusProto.APPORTIONED : StatusProto.OK)
                    .build();
        }
        Reading.Unavailable unavailable = (Reading.Unavailable) reading;
        return kind.setStatus(StatusProto.UNAVAILABLE)
                .setReason(unavailable.reason())
                .build();
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
        return new ContainerReport(proto.getId(), Duration.ofMillis(proto.getObservedMs()), proto.getEnded(), readings);
    }
}
