package org.interference.yarn.sim.engine;

import java.util.List;
import java.util.Objects;
import org.interference.yarn.predict.Composition;
import org.interference.yarn.profile.TaskProfile;

/**
 * What a cluster has learnt. Immutable.
 *
 * @param model the prior alone where no model was better
 */
public record Knowledge(List<TaskProfile> profiles, Composition model) {
    public static final Knowledge NONE = new Knowledge(List.of(), Composition.PRIOR);

    public Knowledge {
        profiles = List.copyOf(profiles);
        Objects.requireNonNull(model, "model is null");
    }
}
