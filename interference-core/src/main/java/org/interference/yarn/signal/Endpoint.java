package org.interference.yarn.signal;

/**
 * One end of a connection: an address as IPv6 has it, IPv4 as {@code ::ffff:a.b.c.d}, and a port.
 *
 * @param high the first 64 bits of the address
 * @param low the others
 * @param port 0 to {@value #HIGHEST_PORT}
 */
public record Endpoint(long high, long low, int port) {
    private static final int HIGHEST_PORT = 0xffff;
    private static final long IPV4 = 0xffff_0000_0000L;
    private static final long IPV4_BITS = 0xffff_ffffL;
    private static final int IPV4_LOOPBACK = 127;

    public Endpoint {
        if (port < 0 || port > HIGHEST_PORT) {
            throw new IllegalArgumentException("port must be 0 to %d, got %d".formatted(HIGHEST_PORT, port));
        }
    }

    /** Returns an end of IPv4, whose address is {@code bits}, the first byte the highest. */
    public static Endpoint ofIpv4(int bits, int port) {
        return new Endpoint(0, IPV4 | (bits & IPV4_BITS), port);
    }

    /** Returns whether the address is one of IPv4. */
    public boolean isIpv4() {
        return high == 0 && (low & ~IPV4_BITS) == IPV4;
    }

    /** Returns whether the address means each machine itself: 127/8, or {@code ::1}. */
    public boolean isLoopback() {
        return isIpv4() ? (low & IPV4_BITS) >> (3 * Byte.SIZE) == IPV4_LOOPBACK : high == 0 && low == 1;
    }

    /** Returns the same address without a port. */
    public Endpoint host() {
        return new Endpoint(high, low, 0);
    }
}
