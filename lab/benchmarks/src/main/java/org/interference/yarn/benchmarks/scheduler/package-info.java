/** What interference-aware scheduling costs a ResourceManager; the program behind bin/measure-scheduler. */
package org.interference.yarn.benchmarks.scheduler;
