package org.interference.yarn.plan.file;

import java.util.List;
import java.util.Optional;
import org.interference.yarn.plan.Interference;
import org.interference.yarn.plan.Machine;
import org.interference.yarn.plan.PlanException;
import org.interference.yarn.plan.Problem;

/**
 * What a services file says. Immutable.
 *
 * @param machines empty if the file leaves them to others
 */
public record Services(String name, List<Machine> machines, List<ServiceTier> tiers) {
    public Services {
        machines = List.copyOf(machines);
        tiers = List.copyOf(tiers);
    }

    /** Returns the same on other machines. */
    public Services on(List<Machine> others) {
        return new Services(name, others, tiers);
    }

    /** Returns the first tier of which only a profile says what it does to others. */
    public Optional<ServiceTier> needsProfile() {
        return tiers.stream()
                .filter(tier -> tier.profile().isPresent() && !tier.describesDegradation())
                .findFirst();
    }

    /**
     * Returns the problem of placing them.
     *
     * @throws PlanException as {@link Problem#of}
     */
    public Problem problem(Interference interference) {
        return Problem.of(tiers.stream().map(ServiceTier::tier).toList(), machines, interference);
    }
}
