package org.interference.yarn.wire;

/**
 * A level in three bytes: a 32-bit float without its sign, which a level has not, and without the 7 last bits of its
 * fraction, so that it is off by one part in 130,000 at most. Two bytes would be one in 512; no source is that coarse.
 */
final class ShortFloat {
    static final int BYTES = 3;

    private static final int CUT_BITS = 7;
    private static final int HALF = 1 << (CUT_BITS - 1);
    private static final int SECOND_BYTE = 8;
    private static final int THIRD_BYTE = 16;

    /** The largest that there is. */
    private static final float MAX =
            Float.intBitsToFloat((Float.floatToRawIntBits(Float.MAX_VALUE) >> CUT_BITS) << CUT_BITS);

    private ShortFloat() {}

    /** Returns {@code value >= 0}, which travels as that number; a level that no float holds is wrong, but still large. */
    static float nearest(double value) {
        float narrowed = (float) Math.min(value, MAX);
        return Float.intBitsToFloat((Float.floatToRawIntBits(narrowed) + HALF) >> CUT_BITS << CUT_BITS);
    }

    /** Writes {@code value >= 0} to {@code bytes} and returns the index after it. */
    static int write(double value, byte[] bytes, int at) {
        int bits = Float.floatToRawIntBits(nearest(value)) >> CUT_BITS;
        bytes[at] = (byte) bits;
        bytes[at + 1] = (byte) (bits >> SECOND_BYTE);
        bytes[at + 2] = (byte) (bits >> THIRD_BYTE);
        return at + BYTES;
    }

    /** Returns what stands at {@code at}: never negative, but maybe infinite or no number. */
    static float read(byte[] bytes, int at) {
        int bits = Byte.toUnsignedInt(bytes[at])
                | (Byte.toUnsignedInt(bytes[at + 1]) << SECOND_BYTE)
                | (Byte.toUnsignedInt(bytes[at + 2]) << THIRD_BYTE);
        return Float.intBitsToFloat(bits << CUT_BITS);
    }
}
