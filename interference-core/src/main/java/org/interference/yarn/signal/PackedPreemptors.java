package org.interference.yarn.signal;

import java.util.AbstractList;
import java.util.Objects;
import java.util.Optional;

/**
 * Who took one container's CPU, as it came from the node: for each two bytes, little-endian, with the number of the container in the node's
 * report, from 1, or 0 for what is outside of all; then how often a second, a {@link ShortFloat}. Immutable. A preemptor is made when it is asked for.
 *
 * <p>A ResourceManager of 10,000 nodes replaces 400,000 of these every second, and few of them are ever looked at.
 */
public final class PackedPreemptors extends AbstractList<Preemptor> {
    /** In bytes. */
    public static final int LENGTH_OF_ONE = 2 + ShortFloat.BYTES;

    private final String[] containers;
    private final byte[] packed;
    private final int start;
    private final int length;

    /**
     * The arrays are not copied: the caller gives them away, and may go on to fill in {@code containers} until it hands the list on.
     *
     * @param containers the ids of all containers of the report, in its order
     * @param packed has the preemptors in {@code length} bytes from {@code start}
     * @throws IllegalArgumentException if one is cut off, there are more than {@link Preemptor#MOST}, a number is of no container, or a rate is not finite
     */
    public PackedPreemptors(String[] containers, byte[] packed, int start, int length) {
        if (length % LENGTH_OF_ONE != 0 || length > Preemptor.MOST * LENGTH_OF_ONE) {
            throw new IllegalArgumentException("%d bytes are no list of preemptors".formatted(length));
        }
        this.containers = containers;
        this.packed = packed;
        this.start = start;
        this.length = length;
        for (int i = 0; i < size(); i++) {
            if (number(i) > containers.length) {
                throw new IllegalArgumentException(
                        "preemptor %d of %d containers".formatted(number(i), containers.length));
            }
            Preemptor.requireRate(rate(i));
        }
    }

    private int number(int index) {
        int at = start + LENGTH_OF_ONE * index;
        return Byte.toUnsignedInt(packed[at]) | (Byte.toUnsignedInt(packed[at + 1]) << Byte.SIZE);
    }

    private float rate(int index) {
        return ShortFloat.read(packed, start + LENGTH_OF_ONE * index + 2);
    }

    @Override
    public Preemptor get(int index) {
        Objects.checkIndex(index, size());
        int number = number(index);
        return new Preemptor(number == 0 ? Optional.empty() : Optional.of(containers[number - 1]), rate(index));
    }

    @Override
    public int size() {
        return length / LENGTH_OF_ONE;
    }
}
