package org.interference.yarn.learn;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.profile.Company;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * What was seen of a container while it runs. Immutable.
 *
 * @param observed how long its node had observed it when it was last seen
 * @param alone how much of the time between the first look and the last one nobody else pressed
 * @param watched the time between these looks
 * @param memory the highest working set of any window, as a share of its node; not a number if none was measured. {@code peak} has predictors alone
 * @param series how its use went; empty where so many run that it is not kept
 * @param anew whether its node had observed it before, and has begun anew since
 * @param mark what was last learnt of it as a long-lived one; empty before
 */
record Life(
        Duration observed,
        Duration alone,
        Duration watched,
        boolean aloneNow,
        InterferenceVector peak,
        double memory,
        boolean anew,
        Optional<ContainerReport> mark,
        Optional<UseSeries> series,
        Instant seenAt) {
    private static final double MOSTLY = 0.9;

    static Life begin(
            ContainerReport report,
            InterferenceVector newest,
            boolean alone,
            boolean anew,
            boolean keepsSeries,
            Instant now) {
        return new Life(
                report.observed(),
                Duration.ZERO,
                Duration.ZERO,
                alone,
                newest,
                memory(report),
                anew,
                // Nobody knows what was learnt of it before, as by the ResourceManager that was active then.
                report.observed().compareTo(RunningTasks.LONG_LIVED) >= 0 ? Optional.of(report) : Optional.empty(),
                keepsSeries ? Optional.of(UseSeries.begin(report)) : Optional.empty(),
                now);
    }

    Life with(ContainerReport report, InterferenceVector newest, boolean aloneSince, Instant now) {
        Duration since = report.observed().minus(observed);
        return new Life(
                report.observed(),
                aloneSince ? alone.plus(since) : alone,
                watched.plus(since),
                aloneSince,
                peak.highest(newest),
                higher(memory, memory(report)),
                anew,
                mark,
                series.map(before -> before.with(report)),
                now);
    }

    Life marked(ContainerReport report) {
        return new Life(observed, alone, watched, aloneNow, peak, memory, anew, Optional.of(report), series, seenAt);
    }

    /** Returns the working set in the newest window of {@code report}; not a number if it was not measured. */
    private static double memory(ContainerReport report) {
        return report.level(Signal.MEM);
    }

    private static double higher(double held, double newest) {
        return Double.isNaN(held) || newest > held ? newest : held;
    }

    /** Returns the highest levels of any window; of what no slowdown is predicted from, the working set alone. */
    InterferenceVector highest() {
        return Double.isNaN(memory) ? peak : peak.highest(new InterferenceVector(Map.of(Signal.MEM, memory)));
    }

    /** Returns the company of the whole life; of one that was reported once while it ran, that of that moment; unknown if most of it was over when somebody first looked. */
    Company company() {
        if (!Company.isSeen(observed.minus(watched), observed)) {
            return Company.UNKNOWN;
        }
        boolean wasAlone = watched.isZero() ? aloneNow : alone.toMillis() >= MOSTLY * watched.toMillis();
        return wasAlone ? Company.ALONE : Company.CONTENDED;
    }
}
