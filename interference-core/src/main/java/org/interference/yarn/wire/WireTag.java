package org.interference.yarn.wire;

import com.google.protobuf.WireFormat;

/** Of what a field's tag is made: its number, moved by {@link #TYPE_BITS}, and one of these types. */
final class WireTag {
    static final int VARINT = WireFormat.WIRETYPE_VARINT;
    static final int BYTES = WireFormat.WIRETYPE_LENGTH_DELIMITED;
    static final int FIXED64 = WireFormat.WIRETYPE_FIXED64;
    static final int TYPE_BITS = 3;

    private WireTag() {}
}
