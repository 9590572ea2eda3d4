package org.interference.yarn.sim.world;

/** Random numbers that depend on what they are for and not on the order in which they are drawn. */
public final class Seeds {
    private static final double TWO_TO_53 = 0x1p53;

    private Seeds() {}

    /** Returns {@code bits} scrambled (SplitMix64's finaliser). */
    public static long mix(long bits) {
        long z = bits + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Returns the scrambled combination of {@code parts}, in their order. */
    public static long of(long... parts) {
        long combined = 0;
        for (long part : parts) {
            combined = mix(combined ^ part);
        }
        return combined;
    }

    /** Returns a number in [0, 1) made of {@code bits}. */
    public static double uniform(long bits) {
        return (bits >>> 11) / TWO_TO_53;
    }

    /** Returns a standard normal number made of {@code bits} (Box and Muller). */
    public static double normal(long bits) {
        double radius = Math.sqrt(-2 * StrictMath.log(1 - uniform(mix(bits))));
        return radius * StrictMath.cos(2 * Math.PI * uniform(mix(bits ^ 0x5DEECE66DL)));
    }
}
