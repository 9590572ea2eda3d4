package org.interference.yarn.nm.app;

import java.util.List;

/** The newest counters of one NodeManager's containers, for its operator: in JMX, and so at the NodeManager's /jmx. */
public interface NodeCountersMXBean {
    /** The NodeManager: its node id, or, for the auxiliary service, the address in its configuration. */
    String getNode();

    /** When the newest sample was taken, ISO 8601; null as long as there is none. */
    String getMeasuredAt();

    /** Every container that runs or has just ended. */
    List<ContainerCounters> getContainers();
}
