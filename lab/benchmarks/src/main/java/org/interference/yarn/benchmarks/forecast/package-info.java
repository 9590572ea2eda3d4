/** How well it is forecast what tasks get done on hosts of another size. */
package org.interference.yarn.benchmarks.forecast;
