package org.interference.yarn.nm.collect;

import java.util.Map;
import java.util.Optional;

/**
 * One process of a container at one instant.
 *
 * @param startTicks tells the process from a later one with the same pid
 * @param threads by thread id
 * @param io empty if it was not readable
 */
record ProcessSample(long pid, long startTicks, Map<Long, ThreadCounts> threads, Optional<IoCounts> io) {}
