package org.interference.yarn.nm.collect;

import java.util.Collection;
import java.util.function.Supplier;

/** Lists the containers of one NodeManager that are not over. Asked by one thread. */
@FunctionalInterface
public interface Listing extends Supplier<Collection<ListedContainer>> {
    /**
     * Lists the same between two ticks. The process of a container that has been listed with one need not be asked for again: asking
     * reads a file, and a container that was launched again has until the next tick.
     */
    default Collection<ListedContainer> betweenTicks() {
        return get();
    }
}
