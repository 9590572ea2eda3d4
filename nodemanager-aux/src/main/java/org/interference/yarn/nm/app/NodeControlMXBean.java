package org.interference.yarn.nm.app;

import java.util.List;

/** What one NodeManager's controller does, for its operator: in JMX, and so at the NodeManager's /jmx. */
public interface NodeControlMXBean {
    /** {@code dry-run}, {@code on}, or {@code unsupported} where it should be on and this node has nothing that it could use. */
    String getMode();

    /** What it cannot do on this node, and why; empty if it can do everything. */
    String getUnsupported();

    /** Files and groups that an earlier NodeManager changed and that could not be undone yet; it is tried at every tick. */
    List<String> getNotUndone();

    /** How often it took a policy back because the node got slower. */
    long getStepsBack();

    /** How often something could not be done. */
    long getFailures();

    /** The newest changes with their reasons, at most 100, the oldest first; in a dry run, what would have been done. */
    List<String> getChanges();

    /** Every running container: class, why, cores, disk limit, since when. */
    List<String> getContainers();
}
