package org.interference.yarn.nm.app;

import java.util.List;

/** What one NodeManager's controller does, for its operator: in JMX, and so at the NodeManager's /jmx. */
public interface NodeControlMXBean {
    /** {@code dry-run} or {@code on}. */
    String getMode();

    /** How often it took a policy back because the node got slower. */
    long getStepsBack();

    /** How often something could not be done. */
    long getFailures();

    /** The newest changes with their reasons, at most 100, the oldest first; in a dry run, what would have been done. */
    List<String> getChanges();

    /** Every running container: class, why, cores, disk limit, since when. */
    List<String> getContainers();
}
