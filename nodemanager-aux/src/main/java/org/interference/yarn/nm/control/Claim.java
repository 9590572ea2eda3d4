package org.interference.yarn.nm.control;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.interference.yarn.signal.WorkClass;

/**
 * What a container brings to an allocation of cores.
 *
 * @param vcores that YARN gave it, at least 1
 */
public record Claim(WorkClass workClass, int vcores) {
    public Claim {
        Objects.requireNonNull(workClass, "workClass is null");
        if (vcores < 1) {
            throw new IllegalArgumentException("a container has at least one vcore, got " + vcores);
        }
    }

    /** Returns who of {@code claims} is of a class, in their order. */
    static List<String> of(WorkClass wanted, Map<String, Claim> claims) {
        return claims.entrySet().stream()
                .filter(entry -> entry.getValue().workClass() == wanted)
                .map(Map.Entry::getKey)
                .toList();
    }
}
