package org.interference.yarn.predict;

import java.util.List;
import org.interference.yarn.signal.Signal;

/**
 * What neighbours want of a resource that the kernel divides, up to a part of it each: by these figures it is known what fair share is left, whoever they
 * are. Pure.
 */
final class Parts {
    /**
     * Levels of these are shares of what the node has, and the kernel divides them among those who want them. A level of a disk is time for which requests are
     * in flight, and several tasks' can be more than all there is.
     */
    static final List<Signal> DIVIDED = List.of(Signal.CPU, Signal.NETP);

    /** Up to which part of the whole each counts; what it wants beyond is left out. */
    static final double[] AT = {0.125, 0.25, 0.5};

    private static final List<String> NAMED = List.of("eighth", "quarter", "half");

    static final List<String> NAMES = DIVIDED.stream()
            .flatMap(signal -> NAMED.stream().map(part -> "beside." + signal.wireName() + "." + part))
            .toList();

    static final int SIZE = DIVIDED.size() * AT.length;

    private Parts() {}

    /** Returns whose figure {@code index} is. */
    static Signal signal(int index) {
        return DIVIDED.get(index / AT.length);
    }

    static double at(int index) {
        return AT[index % AT.length];
    }
}
