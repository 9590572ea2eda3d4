package org.interference.yarn.plan;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where each instance lives: for each tier the names of machines, one for each instance. Instances of a tier are alike, so their order
 * means nothing; a plan that comes from a solver has them in the machines' order. Immutable.
 */
public record Plan(Map<String, List<String>> machines) {
    public Plan {
        Map<String, List<String>> copy = new LinkedHashMap<>();
        machines.forEach((tier, names) -> copy.put(tier, List.copyOf(names)));
        machines = Collections.unmodifiableMap(copy);
    }
}
