package org.interference.yarn.nm.attribute;

/** What a container is to the framework that launched it. The names are hashed into launch signatures: never rename one. */
public enum LaunchRole {
    MAPREDUCE_MASTER,
    MAPREDUCE_MAP,
    MAPREDUCE_REDUCE,
    SPARK_DRIVER,
    SPARK_MASTER,
    SPARK_EXECUTOR,
    TEZ_MASTER,
    TEZ_TASK,
    DISTRIBUTEDSHELL_MASTER,
    STORM_MASTER,
    STORM_SUPERVISOR,
    STORM_WORKER,
    SHELL_SCRIPT,
    UNKNOWN
}
