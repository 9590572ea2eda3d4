package org.interference.yarn.nm.collect;

import java.util.OptionalLong;

/**
 * How much a container's counters grew in one window.
 *
 * @param blockDelayNanos empty where it was not counted, or was more than the threads can have waited
 */
record Growth(long onCpuNanos, long waitNanos, OptionalLong blockDelayNanos, long readBytes, long writtenBytes) {}
