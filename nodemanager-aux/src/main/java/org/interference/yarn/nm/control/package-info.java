/**
 * What a node does about contention after placement: which class of work a container is, which cores and how much of the disks it
 * gets. What containers used comes in, changes with their reasons go out; nothing here touches the node (ADR-0024).
 */
package org.interference.yarn.nm.control;
