/**
 * Where the tiers of long-running services should live (CIAPA: Xavier, PUCRS 2019, chapter 6). Tiers and machines come in; a plan and
 * its cost, explained, go out. Pure: time and randomness are arguments.
 *
 * <p>{@link org.interference.yarn.plan.Problem} is what is asked, {@link org.interference.yarn.plan.Solver} searches, and
 * {@link org.interference.yarn.plan.Planner} does both and compares:
 *
 * <pre>{@code
 * Problem problem = Problem.of(tiers, machines, new TableInterference());
 * Answer answer = Planner.answer(problem, new Annealing(), Budget.time(System::nanoTime, Duration.ofSeconds(10)), seed, Optional.empty());
 * }</pre>
 */
package org.interference.yarn.plan;
