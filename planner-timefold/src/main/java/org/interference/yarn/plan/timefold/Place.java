package org.interference.yarn.plan.timefold;

/**
 * A machine that an instance may be on.
 *
 * @param machine its index in the problem
 */
record Place(int machine) {}
