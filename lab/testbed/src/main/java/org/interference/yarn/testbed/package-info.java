/**
 * What the hosts of bin/testbed are given to do, and what it took: in go seeded job lists, out come a line per job and container
 * and, over all runs, how schedulers differ. The jobs ask a ResourceManager as any application does; nothing here knows which one.
 */
package org.interference.yarn.testbed;
