/** Puts the newest node report on the NodeManager's heartbeat. A report comes in, and YARN's utilization record goes out. */
package org.interference.yarn.nm.heartbeat;
