/**
 * Decides which processes belong to a container, and what it was launched as. The text of /proc and launch commands come
 * in; sets of pids, cgroup paths and launch identities go out.
 */
package org.interference.yarn.nm.attribute;
