package org.interference.yarn.nm.collect;

/** What one tick found of the node: the window in ns, its CPUs, and which of its counters exist. */
record ProcNode(long elapsedNanos, int cpus, boolean schedCounted, boolean blockDelayCounted, boolean disksCounted) {}
