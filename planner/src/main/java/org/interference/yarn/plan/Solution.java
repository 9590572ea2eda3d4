package org.interference.yarn.plan;

/**
 * What a solver found. Immutable.
 *
 * @param cost of the plan under the problem's objective; infinite if something does not fit
 * @param steps how many neighbours, or partial plans, were looked at
 * @param optimal whether it is proven that no plan costs less
 */
public record Solution(Plan plan, double cost, long steps, boolean optimal) {}
