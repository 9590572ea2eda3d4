package org.interference.yarn.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a machine costs by what is on it: equations 6.1 to 6.7 of the thesis, under the problem's objective. Not thread-safe. */
final class CostFunction {
    /** The products of hundreds of instances are not finite, and a difference of two such costs is no number. */
    private static final double MOST = 1e100;

    private final Interference interference;
    private final Problem.Tables tables;
    private final Assignment assignment;
    private final boolean countsInterference;
    private final boolean countsAffinity;

    /** Of each name the last evaluation that met it. */
    private final int[] met;

    private int evaluation;

    CostFunction(Problem problem, Assignment assignment) {
        interference = problem.interference();
        tables = problem.tables();
        this.assignment = assignment;
        countsInterference = problem.objective() != Objective.AFFINITY_ONLY;
        countsAffinity = problem.objective() != Objective.INTERFERENCE_ONLY;
        met = new int[tables.names];
    }

    /** Equation 6.7 without its capacity factor: a machine's cost is interference x affinity. */
    double cost(int machine) {
        double cost = countsInterference ? interferenceFactor(machine) : 1;
        return Math.min(MOST, countsAffinity ? cost * affinityFactor(machine) : cost);
    }

    /** Equation 6.1: the capacity factor is infinite when the sizes on a machine exceed its capacity in any amount, else 1. */
    double capacityFactor(int machine) {
        return assignment.excess(machine) > 0 ? Double.POSITIVE_INFINITY : 1;
    }

    /** Equations 6.2 to 6.4, or what takes their place. */
    double interferenceFactor(int machine) {
        return interference.factor(assignment.on(machine));
    }

    /** Equations 6.5 and 6.6: the product, over the instances on a machine, of their affinities whose other end is not there. */
    double affinityFactor(int machine) {
        meet(machine);
        double factor = 1;
        Assignment.Residents here = assignment.on(machine);
        for (int i = 0; i < here.size(); i++) {
            factor *= affinityFactorOf(here.instance(i));
        }
        return factor;
    }

    /** Of an instance on the machine that {@link #affinityFactor} was asked for last. */
    double affinityFactorOf(int instance) {
        int kind = tables.kindOf[instance];
        int[] partners = tables.partners[kind];
        double factor = 1;
        for (int i = 0; i < partners.length; i++) {
            if (met[partners[i]] != evaluation) {
                factor *= tables.factors[kind][i];
            }
        }
        return factor;
    }

    private void meet(int machine) {
        evaluation++;
        Assignment.Residents here = assignment.on(machine);
        for (int i = 0; i < here.size(); i++) {
            met[tables.nameOf[tables.kindOf[here.instance(i)]]] = evaluation;
        }
    }

    /**
     * Returns what a machine costs at least, whatever else is placed.
     *
     * @param missing of each name how many instances are not placed yet
     */
    double leastCost(int machine, int[] missing) {
        boolean grows = countsInterference && interference.growsWithCompany();
        double least = grows ? interferenceFactor(machine) : 1;
        if (countsAffinity) {
            meet(machine);
            Assignment.Residents here = assignment.on(machine);
            for (int i = 0; i < here.size(); i++) {
                int kind = tables.kindOf[here.instance(i)];
                int[] partners = tables.partners[kind];
                for (int partner = 0; partner < partners.length; partner++) {
                    boolean isAway = met[partners[partner]] != evaluation && missing[partners[partner]] == 0;
                    least *= isAway ? tables.factors[kind][partner] : 1;
                }
            }
        }
        return Math.min(MOST, least);
    }

    /** Returns what {@link #affinityFactor} is the product of: each instance that pays, with the tiers that it misses. */
    List<Term> affinityTerms(int machine) {
        meet(machine);
        List<Term> terms = new ArrayList<>();
        Assignment.Residents here = assignment.on(machine);
        for (int i = 0; i < here.size(); i++) {
            double factor = affinityFactorOf(here.instance(i));
            if (factor > 1) {
                int kind = tables.kindOf[here.instance(i)];
                List<String> away = Arrays.stream(tables.partners[kind])
                        .filter(partner -> met[partner] != evaluation)
                        .mapToObj(this::nameOf)
                        .toList();
                terms.add(new Term(here.get(i).name(), factor, away));
            }
        }
        return terms;
    }

    private String nameOf(int name) {
        for (int kind = 0; kind < tables.kinds.length; kind++) {
            if (tables.nameOf[kind] == name) {
                return tables.kinds[kind].name();
            }
        }
        throw new IllegalArgumentException("no name has the number " + name);
    }
}
