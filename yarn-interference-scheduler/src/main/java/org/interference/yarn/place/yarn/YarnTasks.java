package org.interference.yarn.place.yarn;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.interference.yarn.place.Occupant;
import org.interference.yarn.place.Request;
import org.interference.yarn.place.Wishes;
import org.interference.yarn.profile.SharedTags;
import org.interference.yarn.profile.TaskIdentity;

/** Who a task is, from what the ResourceManager knows. Thread-safe: it only reads fields of RMApp that need no lock. */
public final class YarnTasks {
    /** An application tag {@code ifc:<id>} names the kind of task. */
    private static final String TAG_PREFIX = "ifc:";

    private static final String BELOW_ROOT = "root.";

    private final SharedTags shared;

    /** @param shared tags by which all users mean the same kind of task */
    public YarnTasks(SharedTags shared) {
        this.shared = shared;
    }

    /** Returns what {@code application} asks for under {@code key}. */
    public Request request(
            RMApp app, SchedulerApplicationAttempt application, SchedulerRequestKey key, boolean applicationMaster) {
        return new Request(
                application.getApplicationAttemptId().toString(),
                key.toString(),
                identity(app, key, applicationMaster),
                applicationMaster,
                path(application.getQueue()),
                wishes(app));
    }

    /** Returns who is in {@code container}. */
    public Occupant occupant(RMApp app, SchedulerApplicationAttempt application, RMContainer container) {
        return new Occupant(
                application.getApplicationAttemptId().toString(),
                path(application.getQueue()),
                container.isAMContainer() ? wishes(app).silent() : wishes(app),
                () -> container.getAllocatedSchedulerKey() == null
                        ? null
                        : identity(app, container.getAllocatedSchedulerKey(), container.isAMContainer()));
    }

    /** Returns what an application wishes by its tags, heard or not. */
    public static Wishes wishes(RMApp app) {
        return app.getApplicationTags() == null ? Wishes.NONE : Wishes.of(app.getApplicationTags());
    }

    /** Returns the full path: RMApp has only what was asked for when an application was moved. */
    public static String path(Queue queue) {
        return queue instanceof CSQueue capacity ? capacity.getQueuePath() : queue.getQueueName();
    }

    public TaskIdentity identity(RMApp app, SchedulerRequestKey key, boolean applicationMaster) {
        String type = Objects.requireNonNullElse(app.getApplicationType(), "yarn");
        TaskIdentity task = TaskIdentity.of(
                type,
                Objects.requireNonNullElse(app.getName(), ""),
                applicationMaster ? TaskIdentity.MASTER : role(type, key),
                queue(app),
                tag(app),
                Optional.ofNullable(app.getUser()),
                shared);
        return app.getApplicationId() == null
                ? task
                : task.in(app.getApplicationId().toString());
    }

    /** Returns its queue as the CapacityScheduler has it: what was learnt under one scheduler is known under the other, which puts the root before it. */
    private static String queue(RMApp app) {
        String queue = Objects.requireNonNullElse(app.getQueue(), "");
        return queue.startsWith(BELOW_ROOT) ? queue.substring(BELOW_ROOT.length()) : queue;
    }

    /** Returns the role that the framework's own ApplicationMaster expresses by priority or allocation request id. */
    private static String role(String type, SchedulerRequestKey key) {
        int priority = key.getPriority().getPriority();
        return switch (type.toUpperCase(Locale.ROOT)) {
            case "MAPREDUCE" -> mapReduceRole(priority);
            case "SPARK" -> TaskIdentity.EXECUTOR + priority;
            case "TEZ" -> "vertex-" + priority;
            case "YARN-SERVICE" -> "component-" + key.getAllocationRequestId();
            default -> "priority-" + priority;
        };
    }

    /** Priorities of MapReduce's RMContainerAllocator: 20 map, 19 opportunistic map, 5 retried map, 10 reduce. */
    private static String mapReduceRole(int priority) {
        return switch (priority) {
            case 5, 19, 20 -> TaskIdentity.MAP;
            case 10 -> TaskIdentity.REDUCE;
            default -> "priority-" + priority;
        };
    }

    private static Optional<String> tag(RMApp app) {
        if (app.getApplicationTags() == null) {
            return Optional.empty();
        }
        return app.getApplicationTags().stream()
                .filter(tag -> tag.startsWith(TAG_PREFIX) && tag.length() > TAG_PREFIX.length())
                .map(tag -> tag.substring(TAG_PREFIX.length()))
                .sorted()
                .findFirst();
    }
}
