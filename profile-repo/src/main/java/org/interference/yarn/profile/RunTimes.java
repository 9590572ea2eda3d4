package org.interference.yarn.profile;

/**
 * How long tasks of one kind ran, in seconds. Immutable.
 *
 * @param alone of those whose node was otherwise quiet
 * @param contended of those that had neighbours
 */
public record RunTimes(Averages all, Averages alone, Averages contended) {
    /** None has ended yet. */
    public static final RunTimes NONE = new RunTimes(Averages.NONE, Averages.NONE, Averages.NONE);

    RunTimes with(double seconds, Company company) {
        return new RunTimes(
                all.with(seconds),
                company == Company.ALONE ? alone.with(seconds) : alone,
                company == Company.CONTENDED ? contended.with(seconds) : contended);
    }
}
