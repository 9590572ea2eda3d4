/** Wires the plugin into a NodeManager and out of it again. YARN's settings and context come in; heartbeats go out. */
package org.interference.yarn.nm.app;
