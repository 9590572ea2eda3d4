/** How well slowdowns are predicted. The table of co-runs comes in; errors, ranks and regrets go out. */
package org.interference.yarn.benchmarks.prediction;
