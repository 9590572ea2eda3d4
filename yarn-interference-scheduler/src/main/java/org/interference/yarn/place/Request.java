package org.interference.yarn.place;

import org.interference.yarn.profile.TaskIdentity;

/**
 * One application's ask for containers of one kind.
 *
 * @param attempt the application attempt id as YARN writes it
 * @param schedulerKey tells apart the asks of one attempt
 * @param applicationMaster whether the container is the application's own master
 */
public record Request(String attempt, String schedulerKey, TaskIdentity task, boolean applicationMaster) {}
