package org.interference.yarn.signal;

/**
 * A level in three bytes: a 32-bit float without its sign, which a level has not, and without the 7 last bits of its
 * fraction, so that it is off by one part in 130,000 at most. Two bytes would be one in 512; no source is that coarse.
 */
public final class ShortFloat {
    public static final int BYTES = 3;

    /** Which says of a value that it is infinite or no number, and of no other. */
    private static final int NOT_FINITE_THIRD_BYTE = 0xFF;

    private static final int CUT_BITS = 7;
    private static final int HALF = 1 << (CUT_BITS - 1);
    private static final int SECOND_BYTE = 8;
    private static final int THIRD_BYTE = 16;

    /** The largest that there is. */
    private static final float MAX =
            Float.intBitsToFloat((Float.floatToRawIntBits(Float.MAX_VALUE) >> CUT_BITS) << CUT_BITS);

    private ShortFloat() {}

    /** Returns {@code value >= 0}, which travels as that number; a level that no float holds is wrong, but still large. */
    public static float nearest(double value) {
        float narrowed = (float) Math.min(value, MAX);
        return Float.intBitsToFloat((Float.floatToRawIntBits(narrowed) + HALF) >> CUT_BITS << CUT_BITS);
    }

    /** Writes {@code value >= 0} to {@code bytes} and returns the index after it. */
    public static int write(double value, byte[] bytes, int at) {
        int bits = Float.floatToRawIntBits(nearest(value)) >> CUT_BITS;
        bytes[at] = (byte) bits;
        bytes[at + 1] = (byte) (bits >> SECOND_BYTE);
        bytes[at + 2] = (byte) (bits >> THIRD_BYTE);
        return at + BYTES;
    }

    /** Returns what stands at {@code at}: never negative, but maybe infinite or no number. */
    public static float read(byte[] bytes, int at) {
        int bits = Byte.toUnsignedInt(bytes[at])
                | (Byte.toUnsignedInt(bytes[at + 1]) << SECOND_BYTE)
                | (Byte.toUnsignedInt(bytes[at + 2]) << THIRD_BYTE);
        return Float.intBitsToFloat(bits << CUT_BITS);
    }

    /** Returns the third byte of {@code value}, unsigned: of two values the larger one's is not the smaller. */
    static int magnitude(float value) {
        return (Float.floatToRawIntBits(value) >> CUT_BITS) >> THIRD_BYTE;
    }

    /** Returns the {@link #magnitude} of what stands at {@code at}: cheaper than reading it. */
    static int magnitude(byte[] bytes, int at) {
        return Byte.toUnsignedInt(bytes[at + 2]);
    }

    /** Returns whether a value with this magnitude is a finite one. */
    static boolean isFinite(int magnitude) {
        return magnitude != NOT_FINITE_THIRD_BYTE;
    }
}
