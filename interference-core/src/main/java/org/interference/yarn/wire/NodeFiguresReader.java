package org.interference.yarn.wire;

import java.util.EnumMap;
import java.util.Map;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.ShortFloat;
import org.interference.yarn.signal.Untold;

/** Reads NodeReportProto.figures and NodeReportProto.untold, of each the bytes at its place when {@link #read}. */
final class NodeFiguresReader {
    static final int BYTES_OF_ONE = 1 + ShortFloat.BYTES;
    static final int BYTES_OF_ONE_UNTOLD = 2;

    private int figuresStart;
    private int figuresLength;
    private int untoldStart;
    private int untoldLength;

    void figuresAt(int start, int length) {
        figuresStart = start;
        figuresLength = length;
    }

    void untoldAt(int start, int length) {
        untoldStart = start;
        untoldLength = length;
    }

    /** @throws IllegalArgumentException if it is cut off, or a value is not finite */
    NodeFigures read(byte[] bytes) {
        if (figuresLength == 0 && untoldLength == 0) {
            return NodeFigures.EMPTY;
        }
        if (figuresLength % BYTES_OF_ONE != 0 || untoldLength % BYTES_OF_ONE_UNTOLD != 0) {
            throw new IllegalArgumentException(
                    "%d and %d bytes are no whole number of a node's values and of reasons for some that it has not"
                            .formatted(figuresLength, untoldLength));
        }
        NodeFigures.Builder told = new NodeFigures.Builder();
        for (int at = figuresStart; at < figuresStart + figuresLength; at += BYTES_OF_ONE) {
            told.put(Byte.toUnsignedInt(bytes[at]), ShortFloat.read(bytes, at + 1));
        }
        Map<NodeMetric, Untold> untold = new EnumMap<>(NodeMetric.class);
        for (int at = untoldStart; at < untoldStart + untoldLength; at += BYTES_OF_ONE_UNTOLD) {
            int reason = Byte.toUnsignedInt(bytes[at + 1]);
            NodeMetric.ofId(Byte.toUnsignedInt(bytes[at]))
                    .ifPresent(metric -> Untold.ofId(reason).ifPresent(why -> untold.put(metric, why)));
        }
        return told.build(untold);
    }
}
