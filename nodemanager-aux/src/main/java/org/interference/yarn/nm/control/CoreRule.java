package org.interference.yarn.nm.control;

import java.util.List;
import java.util.Map;
import org.interference.yarn.signal.WorkClass;

/** Says which cores containers get, by what they are taken for. Pure. */
public interface CoreRule {
    /**
     * Returns who is confined to which cores; who is not named keeps all.
     *
     * @param classes of the containers that may be confined, in the order in which they came
     * @param use what each container that runs used since the last cleaning
     */
    Map<String, CoreSet> allocate(NodeCores node, Map<String, WorkClass> classes, Map<String, Usage> use);

    /**
     * Whether the controller guards it: application masters are spared, nobody is confined before a whole tick of it is known, cores are given
     * anew at every tick, and are taken back where the node's work gets slower. Without that, cores change where a class changes or a container
     * comes, as CSS has it, and at no other time.
     */
    boolean guarded();

    /** Returns the containers of one class, in their order. */
    static List<String> named(WorkClass wanted, Map<String, WorkClass> classes) {
        return classes.entrySet().stream()
                .filter(entry -> entry.getValue() == wanted)
                .map(Map.Entry::getKey)
                .toList();
    }
}
