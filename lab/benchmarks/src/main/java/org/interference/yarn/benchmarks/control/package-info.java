/** What the node's controller gains, and how well its classifiers tell tasks apart. */
package org.interference.yarn.benchmarks.control;
