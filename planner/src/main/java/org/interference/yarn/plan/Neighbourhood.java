package org.interference.yarn.plan;

import java.util.random.RandomGenerator;

/**
 * Steps from one arrangement to another that is nearly the same: half of them exchange two instances, half move one, as in the authors' program (thesis 6.2.2 has "random changes"). On
 * more than a few machines a quarter of all steps bring an instance to the machine of a tier that it talks to, because hardly any other
 * machine would do; a half was worse on 1,000 tiers. What does not fit is not tried while everything fits; until then what exceeds must not grow.
 */
final class Neighbourhood {
    private static final int FEW_MACHINES = 4;
    /** Every fourth step. */
    private static final int TALKATIVE = 4;

    private final Arrangement arrangement;
    private final RandomGenerator random;
    private final int instances;
    private final int machines;
    /** Of each tier: the instances of tiers that it talks to, or that talk to it. */
    private final int[][] talkingTo;

    private double excessBefore;

    Neighbourhood(Arrangement arrangement, RandomGenerator random) {
        this.arrangement = arrangement;
        this.random = random;
        Problem problem = arrangement.problem();
        instances = problem.instances();
        machines = problem.machines().size();
        talkingTo = problem.tables().talkingTo();
    }

    /** Returns whether there is any step at all. */
    boolean isEmpty() {
        return machines < 2;
    }

    /**
     * Makes a step and returns by how much the sum of costs changes; NaN if there was none to make. The caller takes it back by
     * {@link Arrangement#undo} if it is not wanted.
     */
    double step() {
        excessBefore = arrangement.excess();
        int instance = random.nextInt(instances);
        int from = arrangement.machineOf(instance).orElseThrow();
        int to = target(instance);
        if (to == from) {
            return Double.NaN;
        }
        return random.nextBoolean() ? move(instance, to) : swap(instance, to);
    }

    /** Returns whether the last step made worse what does not fit. */
    boolean exceedsMore() {
        return arrangement.excess() > excessBefore;
    }

    /** Returns whether the last step made better what does not fit, which is worth any cost. */
    boolean exceedsLess() {
        return arrangement.excess() < excessBefore;
    }

    private int target(int instance) {
        int[] partners = talkingTo[arrangement.problem().tierOf(instance)];
        if (partners.length > 0 && machines > FEW_MACHINES && random.nextInt(TALKATIVE) == 0) {
            return arrangement
                    .machineOf(partners[random.nextInt(partners.length)])
                    .orElseThrow();
        }
        return random.nextInt(machines);
    }

    private double move(int instance, int to) {
        if (excessBefore == 0 && !arrangement.hasRoom(instance, to)) {
            return Double.NaN;
        }
        return arrangement.tryMove(instance, to);
    }

    private double swap(int instance, int to) {
        int there = arrangement.residentsOf(to);
        if (there == 0) {
            return Double.NaN;
        }
        int other = arrangement.resident(to, random.nextInt(there));
        if (other >= instances
                || arrangement.problem().tierOf(other) == arrangement.problem().tierOf(instance)
                || (excessBefore == 0 && !arrangement.haveRoom(instance, other))) {
            return Double.NaN;
        }
        return arrangement.trySwap(instance, other);
    }
}
