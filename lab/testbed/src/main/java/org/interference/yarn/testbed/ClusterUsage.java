package org.interference.yarn.testbed;

/**
 * How much of the cluster was in use at one moment of a run.
 *
 * @param second since the run began
 * @param slots containers had, as a share of those that are configured; above 1 where nodes have grown
 * @param cpus share of the hosts' CPU time that containers used since the moment before, from 0 on
 */
record ClusterUsage(double second, double slots, double cpus) {}
