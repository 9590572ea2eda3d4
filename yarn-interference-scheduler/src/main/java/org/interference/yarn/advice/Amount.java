package org.interference.yarn.advice;

/**
 * So much of what containers are given. Immutable.
 *
 * @param vcores 0 everywhere where the scheduler does not count them
 */
public record Amount(double memoryMb, double vcores) {
    public static final Amount NONE = new Amount(0, 0);

    public Amount {
        if (!(Math.abs(memoryMb) <= Double.MAX_VALUE && Math.abs(vcores) <= Double.MAX_VALUE)) {
            throw new IllegalArgumentException("an amount must be finite, got %s, %s".formatted(memoryMb, vcores));
        }
    }

    public Amount plus(Amount other) {
        return new Amount(memoryMb + other.memoryMb, vcores + other.vcores);
    }

    public Amount times(double factor) {
        return new Amount(memoryMb * factor, vcores * factor);
    }

    /** Returns how many such amounts this is, by what it has least of; infinitely many if that is nothing. */
    public double over(Amount each) {
        return Math.min(share(memoryMb, each.memoryMb), share(vcores, each.vcores));
    }

    /** Returns of how many {@code each} this is the sum at least, by what it has most of; 0 if it is nothing. */
    public double in(Amount each) {
        return Math.max(memoryMb > 0 ? share(memoryMb, each.memoryMb) : 0, vcores > 0 ? share(vcores, each.vcores) : 0);
    }

    private static double share(double of, double each) {
        return each > 0 ? of / each : Double.POSITIVE_INFINITY;
    }
}
