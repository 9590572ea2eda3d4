package org.interference.yarn.benchmarks.scheduler;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.interference.yarn.InterferenceAwareFairScheduler;
import org.interference.yarn.InterferenceAwareScheduler;

/** Which of YARN's schedulers, and how it is set up: the same for everyone who is compared. */
enum Family {
    /** One node at a time, on a thread of its own: what Hadoop 3.5 does unless it is told otherwise. */
    CAPACITY("capacity", CapacityScheduler.class, InterferenceAwareScheduler.class),
    /** All nodes at once, sorted by how much of them is used. */
    CAPACITY_MULTI_NODE("multi_node", CapacityScheduler.class, InterferenceAwareScheduler.class),
    /** The node that has just reported. */
    FAIR("fair", FairScheduler.class, InterferenceAwareFairScheduler.class);

    static final List<String> QUEUES = List.of("a", "b", "c", "d");

    private final String key;
    private final Class<?> stock;
    private final Class<?> ours;

    private static final String ASYNCHRONOUS = "yarn.scheduler.capacity.schedule-asynchronously.enable";

    Family(String key, Class<?> stock, Class<?> ours) {
        this.key = key;
        this.stock = stock;
        this.ours = ours;
    }

    /** Returns under what its figures are published. */
    String key() {
        return key;
    }

    /** Returns the configuration of {@code contender}, but for directories and addresses. */
    Configuration configuration(Contender contender) {
        Configuration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, (contender.mode().isEmpty() ? stock : ours).getName());
        contender.mode().ifPresent(mode -> conf.set("yarn.interference.place.mode", mode));
        if (contender == Contender.ALWAYS) {
            conf.setDouble("yarn.interference.place.time-share", 1);
            conf.setInt("yarn.interference.place.decision-limit-ms", 0);
        }
        if (this == FAIR) {
            // By hand, as often.
            conf.setLong("yarn.scheduler.fair.update-interval-ms", Integer.MAX_VALUE);
            conf.setBoolean("yarn.scheduler.fair.assignmultiple", false);
        } else {
            capacity(conf);
        }
        return conf;
    }

    /** As {@link #configuration}, with a scheduler that says how long its commits take. */
    Configuration timed(Contender contender) {
        Configuration conf = configuration(contender);
        if (this != FAIR) {
            Class<?> timed =
                    contender.mode().isEmpty() ? TimedCapacityScheduler.class : TimedInterferenceAwareScheduler.class;
            conf.set(YarnConfiguration.RM_SCHEDULER, timed.getName());
        }
        return conf;
    }

    /** As {@link #configuration}, but each node gets at most one container, and when it reports. */
    Configuration byHeartbeats(Contender contender) {
        Configuration conf = configuration(contender);
        conf.setBoolean(ASYNCHRONOUS, false);
        conf.setBoolean("yarn.scheduler.capacity.per-node-heartbeat.multiple-assignments-enabled", false);
        return conf;
    }

    private void capacity(Configuration conf) {
        conf.setBoolean(ASYNCHRONOUS, true);
        conf.setInt("yarn.scheduler.capacity.schedule-asynchronously.maximum-threads", 1);
        conf.setBoolean("yarn.scheduler.capacity.multi-node-placement-enabled", this == CAPACITY_MULTI_NODE);
        if (this == CAPACITY_MULTI_NODE) {
            String policies = "yarn.scheduler.capacity.multi-node-sorting.policy";
            conf.set(policies + ".names", "default");
            conf.set(policies, "default");
            conf.set(
                    policies + ".default.class",
                    "org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.ResourceUsageMultiNodeLookupPolicy");
        }
        conf.set("yarn.scheduler.capacity.root.queues", String.join(",", QUEUES));
        for (String queue : QUEUES) {
            String prefixOfQueue = "yarn.scheduler.capacity.root." + queue;
            conf.setFloat(prefixOfQueue + ".capacity", 100f / QUEUES.size());
            conf.setFloat(prefixOfQueue + ".maximum-capacity", 100);
            conf.setFloat(prefixOfQueue + ".user-limit-factor", 100);
        }
        // ApplicationMasters run elsewhere; what YARN reserves for them must not hold applications back.
        conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1000");
    }
}
