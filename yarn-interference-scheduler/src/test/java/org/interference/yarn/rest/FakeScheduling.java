package org.interference.yarn.rest;

import java.util.List;
import org.interference.yarn.advice.Amount;

/** A scheduler of containers from 512 MB to 8 GB, without the queue {@code gone}. */
record FakeScheduling(Sources.Demand demand) implements Sources.Scheduling {
    FakeScheduling() {
        this(new Sources.Demand(0, Amount.NONE, Amount.NONE, List.of(), List.of()));
    }

    @Override
    public Sources.ContainerSizes sizes() {
        return new Sources.ContainerSizes(512, 8192);
    }

    @Override
    public boolean hasQueue(String queue) {
        return !queue.equals("gone");
    }
}
