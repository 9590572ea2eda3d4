package org.interference.yarn.learn;

import org.interference.yarn.profile.TaskIdentity;

/**
 * A container that YARN has seen end. Immutable.
 *
 * @param node host and port, as YARN writes a node id
 * @param cutShort whether it was ended before its work was done, so that its counters say nothing of the next task
 */
public record CompletedContainer(
        String container,
        String application,
        String node,
        TaskIdentity task,
        boolean applicationMaster,
        boolean cutShort) {}
