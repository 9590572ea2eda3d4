package org.interference.yarn.rest;

/** A scheduler of containers from 512 MB to 8 GB, without the queue {@code gone}. */
final class FakeScheduling implements Sources.Scheduling {
    @Override
    public Sources.ContainerSizes sizes() {
        return new Sources.ContainerSizes(512, 8192);
    }

    @Override
    public boolean hasQueue(String queue) {
        return !queue.equals("gone");
    }
}
