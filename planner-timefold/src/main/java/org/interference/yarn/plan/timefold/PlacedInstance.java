package org.interference.yarn.plan.timefold;

import ai.timefold.solver.core.api.domain.entity.PlanningEntity;
import ai.timefold.solver.core.api.domain.lookup.PlanningId;
import ai.timefold.solver.core.api.domain.variable.PlanningVariable;

/** An instance and where the library puts it. Mutable, as the library wants it; not thread-safe. */
@PlanningEntity
public final class PlacedInstance {
    @PlanningId
    private int instance;

    @PlanningVariable
    private Place place;

    /** The library makes copies. */
    public PlacedInstance() {}

    PlacedInstance(int instance) {
        this.instance = instance;
    }

    int instance() {
        return instance;
    }

    Place place() {
        return place;
    }
}
