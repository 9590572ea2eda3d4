package org.interference.yarn.wire;

import com.google.protobuf.CodedInputStream;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Some bytes as a key of a map. Immutable as long as the array is. */
final class ByteRange {
    private final byte[] bytes;
    private final int start;
    private final int end;
    private final int hash;

    /** The array is not copied. */
    ByteRange(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.start = start;
        this.end = end;
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, start, end - start);
        this.hash = (int) checksum.getValue();
    }

    /** Returns the same with an array of its own. */
    ByteRange copy() {
        return new ByteRange(Arrays.copyOfRange(bytes, start, end), 0, end - start);
    }

    /** Returns a reader of them. */
    CodedInputStream input() {
        return CodedInputStream.newInstance(bytes, start, end - start);
    }

    int length() {
        return end - start;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ByteRange that
                && hash == that.hash
                && Arrays.equals(bytes, start, end, that.bytes, that.start, that.end);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
