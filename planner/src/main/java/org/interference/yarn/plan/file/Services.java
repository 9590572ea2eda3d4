package org.interference.yarn.plan.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.plan.Copies;
import org.interference.yarn.plan.CopyingInterference;
import org.interference.yarn.plan.Interference;
import org.interference.yarn.plan.Machine;
import org.interference.yarn.plan.PlanException;
import org.interference.yarn.plan.Problem;
import org.interference.yarn.plan.Tier;

/**
 * What a services file says. Immutable.
 *
 * @param machines empty if the file leaves them to others
 * @param copies what moving data costs of the machines' CPU
 */
public record Services(String name, List<Machine> machines, List<ServiceTier> tiers, Copies copies) {
    public Services {
        machines = List.copyOf(machines);
        tiers = List.copyOf(tiers);
    }

    /** Returns the same on other machines. */
    public Services on(List<Machine> others) {
        return new Services(name, others, tiers, copies);
    }

    /** Returns the same with other tiers. */
    public Services with(List<ServiceTier> others) {
        return new Services(name, machines, others, copies);
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
     * @param interference to which the CPU is added that moving data costs, if the file says that it costs any
     * @throws PlanException as {@link Problem#of}
     */
    public Problem problem(Interference interference) {
        List<Tier> placed = tiers.stream().map(ServiceTier::tier).toList();
        if (copies.equals(Copies.NONE)) {
            return Problem.of(placed, machines, interference);
        }
        List<Tier> copying = placed.stream().map(copies::applied).toList();
        List<Machine> holding = machines.stream()
                .map(machine -> new Machine(
                        machine.name(),
                        machine.capacity(),
                        machine.occupants().stream().map(copies::applied).toList()))
                .toList();
        List<Tier> all = new ArrayList<>(copying);
        holding.forEach(machine -> all.addAll(machine.occupants()));
        return Problem.of(copying, holding, new CopyingInterference(interference, copies, all));
    }
}
