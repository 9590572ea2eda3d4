package org.interference.yarn.signal;

/** The interference classes of Xavier, PUCRS 2019, Table 6.1: Absent 0 %, Low 1-20 %, Moderate 21-50 %, High 51-100 %. */
public enum InterferenceClass {
    ABSENT,
    LOW,
    MODERATE,
    HIGH;

    /** The last bits of a sum depend on the order of its terms; on a boundary they must not decide the class. */
    private static final double SUM_NOISE_PER_CENT = 1e-9;

    /**
     * Returns the class of {@code level}, a fraction of capacity, which is rounded to a whole per cent as in the table.
     *
     * @throws IllegalArgumentException if {@code level} is negative or not a number
     */
    public static InterferenceClass of(double level) {
        if (!(level >= 0)) {
            throw new IllegalArgumentException("level must be >= 0, got " + level);
        }
        long perCent = Math.round(level * 100 + SUM_NOISE_PER_CENT);
        if (perCent == 0) {
            return ABSENT;
        }
        if (perCent <= 20) {
            return LOW;
        }
        return perCent <= 50 ? MODERATE : HIGH;
    }
}
