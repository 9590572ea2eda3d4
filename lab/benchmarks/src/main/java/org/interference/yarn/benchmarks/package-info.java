/** What a heartbeat costs on the node, on the wire and in the ResourceManager; the program behind docs/measurements. */
package org.interference.yarn.benchmarks;
