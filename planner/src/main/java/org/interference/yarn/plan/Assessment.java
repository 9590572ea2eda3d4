package org.interference.yarn.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A plan's cost and what it is made of. Immutable.
 *
 * @param cost equation 6.8; infinite if something does not fit
 * @param machines in the problem's order, empty ones too
 */
public record Assessment(Plan plan, double cost, List<MachineCost> machines) {
    public Assessment {
        machines = List.copyOf(machines);
    }

    /**
     * What one machine costs: equation 6.7, {@code interference * affinity * capacityFactor}.
     *
     * @param capacityFactor equation 6.1: 1, or infinite if something does not fit
     * @param interferenceTerms what {@code interference} is the product of
     * @param affinityTerms what {@code affinity} is the product of: each instance that pays, with the tiers that it misses
     * @param used of each amount, how much is taken
     */
    public record MachineCost(
            Machine machine,
            double cost,
            double capacityFactor,
            double interference,
            double affinity,
            List<Term> interferenceTerms,
            List<Term> affinityTerms,
            List<Resident> residents,
            Map<String, Double> used) {
        public MachineCost {
            interferenceTerms = List.copyOf(interferenceTerms);
            affinityTerms = List.copyOf(affinityTerms);
            residents = List.copyOf(residents);
            used = Factors.copy(used);
        }
    }

    /**
     * One instance on a machine.
     *
     * @param slowdown predicted beside the others there, at least 1; without what its affinities cost
     * @param affinity the factor that it pays for tiers that it talks to and that are elsewhere, at least 1
     * @param occupant whether it was there before and stays
     */
    public record Resident(String tier, double slowdown, double affinity, boolean occupant) {}

    static Assessment of(Arrangement arrangement) {
        Problem problem = arrangement.problem();
        List<MachineCost> machines = new ArrayList<>();
        for (int machine = 0; machine < problem.machines().size(); machine++) {
            machines.add(machineCost(arrangement, machine));
        }
        return new Assessment(arrangement.plan(), arrangement.cost(), machines);
    }

    private static MachineCost machineCost(Arrangement arrangement, int machine) {
        Problem problem = arrangement.problem();
        CostFunction costs = arrangement.costFunction();
        Assignment.Residents together = arrangement.assignment().on(machine);
        List<Resident> residents = new ArrayList<>();
        double affinity = costs.affinityFactor(machine);
        for (int i = 0; i < together.size(); i++) {
            residents.add(new Resident(
                    together.get(i).name(),
                    problem.interference().slowdown(together, i),
                    costs.affinityFactorOf(together.instance(i)),
                    together.instance(i) >= problem.instances()));
        }
        double capacityFactor = costs.capacityFactor(machine);
        return new MachineCost(
                problem.machines().get(machine),
                costs.cost(machine) * capacityFactor,
                capacityFactor,
                costs.interferenceFactor(machine),
                affinity,
                problem.interference().terms(together),
                costs.affinityTerms(machine),
                residents,
                arrangement.assignment().load(machine));
    }
}
