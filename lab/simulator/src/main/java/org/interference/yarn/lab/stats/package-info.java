/**
 * The statistics of everything that is published: of simulated runs, of the test bed's and of the benchmarks', by one definition each.
 * Numbers come in, numbers go out. A statistic of no values is an {@link java.lang.IllegalArgumentException}.
 */
package org.interference.yarn.lab.stats;
