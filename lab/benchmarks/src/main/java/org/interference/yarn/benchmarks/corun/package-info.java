/** The tasks of the co-run measurement that run in a JVM; bin/lab corun starts them. */
package org.interference.yarn.benchmarks.corun;
