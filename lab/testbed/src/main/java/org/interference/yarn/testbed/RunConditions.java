package org.interference.yarn.testbed;

/**
 * What else there was in the box.
 *
 * @param waitedBefore the share of the last five seconds before the run in which some process waited for a CPU, in per cent
 * @param stolenBefore the share of CPU time that the hypervisor kept just before the run, in per cent
 * @param stolen the same during the run
 * @param masterSeconds CPU seconds of the ResourceManager during the run
 */
record RunConditions(double waitedBefore, double stolenBefore, double stolen, double masterSeconds) {
    /** The rule by which a run counts as undisturbed, fixed before any was made. */
    boolean quiet() {
        return waitedBefore < 5 && stolenBefore < 1 && stolen < 3;
    }
}
