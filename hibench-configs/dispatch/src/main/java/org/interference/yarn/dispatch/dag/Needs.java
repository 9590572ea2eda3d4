package org.interference.yarn.dispatch.dag;

/**
 * How large a rule's container is. Immutable.
 *
 * @param cores vcores, at least 1
 * @param memoryMb in MB, at least 1
 */
public record Needs(int cores, int memoryMb) {}
