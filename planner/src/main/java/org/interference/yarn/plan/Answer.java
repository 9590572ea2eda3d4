package org.interference.yarn.plan;

import java.util.Optional;

/**
 * A plan beside those of planners that know less, and beside what is there today. All costs are the whole cost. Immutable.
 *
 * @param solver its name
 * @param interferenceOnly the plan of a planner that does not know who talks to whom; one of several, often
 * @param affinityOnly the plan of a planner that does not know who disturbs whom
 */
public record Answer(
        Problem problem,
        String solver,
        Solution solution,
        Assessment plan,
        Assessment interferenceOnly,
        Assessment affinityOnly,
        Optional<Assessment> today) {}
