/** What the runs show. Outcomes come in; metrics, intervals, tables and files go out. */
package org.interference.yarn.sim.report;
