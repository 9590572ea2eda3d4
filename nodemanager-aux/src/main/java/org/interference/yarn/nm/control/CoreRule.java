package org.interference.yarn.nm.control;

import java.util.Map;

/** Says which cores containers get, by what they are taken for. Pure. */
public interface CoreRule {
    /**
     * Returns who is confined to which cores; who is not named keeps all.
     *
     * @param claims of the containers that may be confined, in the order in which they came
     */
    Map<String, CoreSet> allocate(NodeCores node, Map<String, Claim> claims);

    /** Returns this for a node on which YARN has the kernel weigh containers by their vcores. */
    CoreRule whereWeighed();

    /**
     * Whether the controller guards it: application masters are spared, nobody is confined before a whole tick of it is known, cores are given
     * anew at every tick, and are taken back where the node's work gets slower. Without that, cores change where a class changes or a container
     * comes, as CSS has it, and at no other time.
     */
    boolean guarded();
}
