package org.interference.yarn.plan.timefold;

import ai.timefold.solver.core.api.domain.solution.PlanningEntityCollectionProperty;
import ai.timefold.solver.core.api.domain.solution.PlanningScore;
import ai.timefold.solver.core.api.domain.solution.PlanningSolution;
import ai.timefold.solver.core.api.domain.solution.ProblemFactCollectionProperty;
import ai.timefold.solver.core.api.domain.solution.ProblemFactProperty;
import ai.timefold.solver.core.api.domain.valuerange.ValueRangeProvider;
import ai.timefold.solver.core.api.score.buildin.hardsoftlong.HardSoftLongScore;
import java.util.List;
import java.util.stream.IntStream;
import org.interference.yarn.plan.Problem;

/** All instances, as the library moves them. Mutable, as the library wants it; not thread-safe. */
@PlanningSolution
public final class Arranged {
    @ProblemFactProperty
    private Problem problem;

    @SuppressWarnings("UnusedVariable") // The library reads it.
    @ValueRangeProvider
    @ProblemFactCollectionProperty
    private List<Place> places;

    @PlanningEntityCollectionProperty
    private List<PlacedInstance> instances;

    @SuppressWarnings("UnusedVariable") // The library writes and reads it.
    @PlanningScore
    private HardSoftLongScore score;

    /** The library makes copies. */
    public Arranged() {}

    Arranged(Problem problem) {
        this.problem = problem;
        places = IntStream.range(0, problem.machines().size())
                .mapToObj(Place::new)
                .toList();
        instances = IntStream.range(0, problem.instances())
                .mapToObj(PlacedInstance::new)
                .toList();
    }

    Problem problem() {
        return problem;
    }

    List<PlacedInstance> instances() {
        return instances;
    }
}
