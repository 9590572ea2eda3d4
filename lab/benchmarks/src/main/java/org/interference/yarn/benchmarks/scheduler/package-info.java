/** What interference-aware scheduling costs a ResourceManager; the program behind bin/lab scheduler. */
package org.interference.yarn.benchmarks.scheduler;
