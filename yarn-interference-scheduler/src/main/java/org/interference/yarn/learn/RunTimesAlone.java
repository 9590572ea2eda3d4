package org.interference.yarn.learn;

/**
 * The run times of one kind of task with nobody beside it. They fade: a kind whose input grows is compared with how long it takes now, and one run that went wrong
 * is not remembered for ever. Immutable.
 *
 * @param runs on how many it stands, {@value #SPAN} at most in what is added to
 * @param mean in seconds
 * @param squares the sum of squared differences from the mean, in seconds squared (Welford, Technometrics 4(3), 1962)
 */
public record RunTimesAlone(long runs, double mean, double squares) {
    /** So many the mean and the variance stand on: they move by one over that with each further run, as {@code Averages} do. */
    private static final int SPAN = 64;

    static final RunTimesAlone NEVER = new RunTimesAlone(0, 0, 0);

    /** @throws IllegalArgumentException if a figure is negative or not finite */
    public RunTimesAlone {
        if (runs < 0 || !(mean >= 0 && mean <= Double.MAX_VALUE) || !(squares >= 0 && squares <= Double.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "run times must be finite and >= 0, got %d, %s, %s".formatted(runs, mean, squares));
        }
    }

    RunTimesAlone with(double seconds) {
        long n = Math.min(runs + 1, SPAN);
        double step = seconds - mean;
        double next = mean + step / n;
        double before = runs < SPAN ? squares : squares / runs * (n - 1);
        return new RunTimesAlone(n, next, before + step * (seconds - next));
    }

    Labels.Alone times() {
        return new Labels.Alone(mean, runs < 2 ? 0 : Math.sqrt(squares / (runs - 1)), runs);
    }
}
