package org.interference.yarn.place;

import org.interference.yarn.profile.TaskIdentity;

/**
 * One application's ask for containers of one kind. Immutable.
 *
 * @param attempt the application attempt id as YARN writes it
 * @param schedulerKey tells apart the asks of one attempt
 * @param applicationMaster whether the container is the application's own master
 * @param queue the full path of the queue that it is asked in; empty if it is not known
 * @param wishes of the application
 */
public record Request(
        String attempt,
        String schedulerKey,
        TaskIdentity task,
        boolean applicationMaster,
        String queue,
        Wishes wishes) {

    /** A request in a queue that nobody knows, of an application that asks for nothing else. */
    public Request(String attempt, String schedulerKey, TaskIdentity task, boolean applicationMaster) {
        this(attempt, schedulerKey, task, applicationMaster, "", Wishes.NONE);
    }

    /** Returns the application id as YARN writes it: the attempt's id without its number; empty if it is not one. */
    public String application() {
        return application(attempt);
    }

    static String application(String attempt) {
        String[] parts = attempt.split("_", -1);
        return parts.length == 4 ? "application_" + parts[1] + "_" + parts[2] : "";
    }

    /** Returns who will be in the containers. */
    Occupant occupant() {
        return new Occupant(attempt, queue, wishes, this::task);
    }

    /** Returns the same ask of an application with these wishes. */
    Request with(Wishes others) {
        return others.equals(wishes)
                ? this
                : new Request(attempt, schedulerKey, task, applicationMaster, queue, others);
    }

    /** Returns the same ask for the application's own master. */
    public Request asMaster() {
        return new Request(attempt, schedulerKey, task, true, queue, wishes);
    }
}
