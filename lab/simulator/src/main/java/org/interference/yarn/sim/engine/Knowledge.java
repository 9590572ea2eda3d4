package org.interference.yarn.sim.engine;

import java.util.List;
import java.util.Objects;
import org.interference.yarn.app.LearntStore;
import org.interference.yarn.predict.Composition;
import org.interference.yarn.profile.TaskProfile;

/**
 * What a cluster has learnt. Immutable.
 *
 * @param model the prior alone where no model was better
 * @param kept what its next life goes on learning from
 */
public record Knowledge(List<TaskProfile> profiles, Composition model, LearntStore.Learnt kept) {
    public static final Knowledge NONE = new Knowledge(List.of(), Composition.PRIOR, LearntStore.Learnt.NOTHING);

    public Knowledge {
        profiles = List.copyOf(profiles);
        Objects.requireNonNull(model, "model is null");
        Objects.requireNonNull(kept, "kept is null");
    }
}
