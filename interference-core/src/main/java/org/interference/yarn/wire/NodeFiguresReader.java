package org.interference.yarn.wire;

import java.util.EnumMap;
import java.util.Map;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;

/** Reads NodeReportProto.figures. */
final class NodeFiguresReader {
    static final int BYTES_OF_ONE = 1 + ShortFloat.BYTES;

    private NodeFiguresReader() {}

    /** @throws IllegalArgumentException if it is cut off, or a value is not finite */
    static NodeFigures read(byte[] bytes, int start, int length) {
        if (length == 0) {
            return NodeFigures.EMPTY;
        }
        if (length % BYTES_OF_ONE != 0) {
            throw new IllegalArgumentException("%d bytes are no whole number of a node's values".formatted(length));
        }
        Map<NodeMetric, Double> told = new EnumMap<>(NodeMetric.class);
        for (int at = start; at < start + length; at += BYTES_OF_ONE) {
            double value = ShortFloat.read(bytes, at + 1);
            NodeMetric.ofId(Byte.toUnsignedInt(bytes[at])).ifPresent(metric -> told.put(metric, value));
        }
        return new NodeFigures(told);
    }
}
