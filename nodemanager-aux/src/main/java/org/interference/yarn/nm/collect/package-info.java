/** Samples the node's counters per container. Container ids with their root pids come in, and node reports go out. */
package org.interference.yarn.nm.collect;
