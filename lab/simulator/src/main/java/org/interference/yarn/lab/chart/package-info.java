/** Drawings of measurements. */
package org.interference.yarn.lab.chart;
