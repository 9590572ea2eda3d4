package org.interference.yarn.place;

/**
 * What it costs to break what tags wish for (ADR-0019), in the unit of gains: a task's work alone. Immutable.
 *
 * @param penalty for each container that a task is rather not beside, {@code >= 0}
 * @param affinityFactor by how much longer a task takes where nobody is of a group that it talks to (equation 6.7 of the thesis: interference
 *     times affinity), for each such group; {@code >= 1}
 */
public record TagCosts(double penalty, double affinityFactor) {
    static final TagCosts NONE = new TagCosts(0, 1);

    /**
     * Returns what it costs that {@code applicant} comes to {@code company}, {@code >= 0}.
     *
     * @param weight how many times its slowdown counts
     * @param slowdown of its container there without what tags say, {@code >= 1}
     */
    double of(Applicant applicant, NodeCompany company, double weight, double slowdown) {
        double breaches = penalty * company.breaches(applicant.wishes(), applicant.occupant());
        int silences = company.silences(applicant.wishes());
        return silences == 0 ? breaches : breaches + weight / slowdown * (1 - Math.pow(affinityFactor, -silences));
    }
}
