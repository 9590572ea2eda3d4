package org.interference.yarn.dispatch;

import java.util.List;
import org.interference.yarn.cli.rm.RmException;

/** What is asked of YARN while a run goes on. */
interface Yarn {
    /** Where one container is. Immutable. */
    record Container(String id, String node) {}

    /** What all nodes have together. Immutable. */
    record Capacity(int nodes, long vcores, long memoryMb) {}

    /** Returns the applications of the run {@code run}, those that have ended too as far as YARN remembers them. */
    List<Application> applications(String run) throws RmException;

    /** Returns the containers that an application has at the moment. */
    List<Container> containers(Application application) throws RmException;

    Capacity capacity() throws RmException;
}
