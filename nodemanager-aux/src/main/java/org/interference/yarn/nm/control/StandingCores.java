package org.interference.yarn.nm.control;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.signal.WorkClass;

/**
 * Which cores a rule has given to whom. One that is not guarded decides where a class changes or a container comes ("changed when the container type is
 * changed, or a new container is added": CSS, section 3.2), and where the node's cores change; what an ended one had stays unused until then.
 * Not thread-safe.
 */
final class StandingCores {
    private Map<String, WorkClass> decided = Map.of();
    private Optional<NodeCores> decidedOn = Optional.empty();
    private Map<String, CoreSet> given = Map.of();

    /** Returns what each of {@code classes} gets by {@code rule} now; who is not named keeps all. */
    Map<String, CoreSet> of(CoreRule rule, NodeCores node, Map<String, WorkClass> classes, Map<String, Usage> use) {
        boolean occasion = rule.guarded()
                || !decidedOn.equals(Optional.of(node))
                || !decided.entrySet().containsAll(classes.entrySet());
        if (occasion) {
            given = rule.allocate(node, classes, use);
            decided = Map.copyOf(classes);
            decidedOn = Optional.of(node);
        }
        Map<String, CoreSet> present = new HashMap<>(given);
        present.keySet().retainAll(classes.keySet());
        return present;
    }
}
