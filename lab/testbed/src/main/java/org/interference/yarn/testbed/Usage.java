package org.interference.yarn.testbed;

/**
 * How much of the cluster was in use at one moment of a run.
 *
 * @param second since the run began
 * @param slots share of all slots that containers had, in [0, 1]
 * @param cpus share of the hosts' CPU time that containers used since the moment before, from 0 on
 */
record Usage(double second, double slots, double cpus) {}
