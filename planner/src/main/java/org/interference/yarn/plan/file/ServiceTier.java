package org.interference.yarn.plan.file;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.plan.Tier;

/**
 * A tier as its file describes it. Immutable.
 *
 * @param describesDegradation whether the file says what it does to others; if not, {@code tier} does nothing to them
 * @param profile the key of the profile that was learnt of such tasks
 * @param component more fields of its component in YARN's service file, as they are there
 */
public record ServiceTier(
        Tier tier, boolean describesDegradation, Optional<String> profile, Map<String, Object> component) {
    public ServiceTier {
        component = Collections.unmodifiableMap(new LinkedHashMap<>(component));
    }

    /** Returns it with another tier in its place, such as one with what was learnt. */
    public ServiceTier with(Tier other) {
        return new ServiceTier(other, describesDegradation, profile, component);
    }
}
