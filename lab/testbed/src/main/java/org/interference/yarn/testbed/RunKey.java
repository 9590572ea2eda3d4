package org.interference.yarn.testbed;

/**
 * One run of a plan.
 *
 * @param policy what places, or {@link #ALONE} or {@link #WARM_UP}
 * @param repetition from 1; the runs of one repetition have the same jobs
 */
record RunKey(Mix mix, String policy, int repetition) {
    /** Measures each kind where nothing else is. */
    static final String ALONE = "alone";
    /** Lets our scheduler learn; not compared. */
    static final String WARM_UP = "warm-up";

    private static final String SEPARATOR = "\t";

    String line() {
        return String.join(SEPARATOR, mix.toString(), policy, String.valueOf(repetition));
    }
}
