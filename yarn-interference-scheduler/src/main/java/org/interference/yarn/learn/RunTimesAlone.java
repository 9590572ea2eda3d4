package org.interference.yarn.learn;

/**
 * The run times of one kind of task with nobody beside it. Immutable.
 *
 * @param runs how many
 * @param mean in seconds
 * @param squares the sum of squared differences from the mean, in seconds squared (Welford, Technometrics 4(3), 1962)
 */
public record RunTimesAlone(long runs, double mean, double squares) {
    static final RunTimesAlone NEVER = new RunTimesAlone(0, 0, 0);

    /** @throws IllegalArgumentException if a figure is negative or not finite */
    public RunTimesAlone {
        if (runs < 0 || !(mean >= 0 && mean <= Double.MAX_VALUE) || !(squares >= 0 && squares <= Double.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "run times must be finite and >= 0, got %d, %s, %s".formatted(runs, mean, squares));
        }
    }

    RunTimesAlone with(double seconds) {
        long n = runs + 1;
        double step = seconds - mean;
        double next = mean + step / n;
        return new RunTimesAlone(n, next, squares + step * (seconds - next));
    }

    Labels.Alone times() {
        return new Labels.Alone(mean, runs < 2 ? 0 : Math.sqrt(squares / (runs - 1)), runs);
    }
}
