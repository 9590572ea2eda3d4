/**
 * Executes the controller's changes through the kernel's control groups and takes them back. A change comes in, files are written;
 * a journal remembers what must be undone (ADR-0024).
 */
package org.interference.yarn.nm.cgroup;
