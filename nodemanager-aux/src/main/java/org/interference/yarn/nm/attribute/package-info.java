/** Decides which processes belong to a container. The text of /proc comes in, and sets of pids and cgroup paths go out. */
package org.interference.yarn.nm.attribute;
