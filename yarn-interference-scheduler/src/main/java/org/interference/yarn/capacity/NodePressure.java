package org.interference.yarn.capacity;

import java.util.OptionalDouble;

/**
 * How a node is, as far as it tells. Immutable. What is not told is empty, and says neither that all is well nor that it is not.
 *
 * @param cpu share of the time in which some task was stalled for a CPU (PSI), from 0 to 1
 * @param io share of the time in which all tasks were stalled for I/O
 * @param memory share of the time in which some task was stalled for memory
 * @param diskUsed share that is used of the fullest disk of YARN's local directories
 * @param availableMb memory that a new process could have, MiB
 */
public record NodePressure(
        OptionalDouble cpu,
        OptionalDouble io,
        OptionalDouble memory,
        OptionalDouble diskUsed,
        OptionalDouble availableMb) {
    /** Nothing is told. */
    public static final NodePressure UNTOLD = new NodePressure(
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty());

    public NodePressure {
        cpu = finite(cpu);
        io = finite(io);
        memory = finite(memory);
        diskUsed = finite(diskUsed);
        availableMb = finite(availableMb);
    }

    private static OptionalDouble finite(OptionalDouble told) {
        return told.isPresent() && Double.isFinite(told.getAsDouble()) ? told : OptionalDouble.empty();
    }
}
