package org.interference.yarn.signal;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a node's controller takes a container for. The id is the wire's; it is never changed or reused. */
public enum WorkClass {
    /** Nothing is known of it yet, or nothing can be; it is left alone. */
    UNCLASSIFIED(1),
    CPU_INTENSIVE(2),
    IO_INTENSIVE(3);

    private static final Map<Integer, WorkClass> BY_ID =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(WorkClass::id, known -> known));

    private final int id;

    WorkClass(int id) {
        this.id = id;
    }

    public int id() {
        return id;
    }

    /** The name as people and REST read it, as in {@code io-intensive}. */
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the class with {@code id}; empty for an id of a newer peer. */
    public static Optional<WorkClass> ofId(int id) {
        return Optional.ofNullable(BY_ID.get(id));
    }
}
