package org.interference.yarn.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.interference.yarn.lab.stats.Interval;
import org.junit.jupiter.api.Test;

class MixComparisonTest {
    @Test
    void gainsArePairedByRepetition() {
        // Whatever the jobs of a repetition take, ours takes a tenth less.
        MixComparison comparison = new MixComparison(List.of(
                MadeUpRuns.of("fair", 1, 100),
                MadeUpRuns.of("ours-warm", 1, 90),
                MadeUpRuns.of("fair", 2, 300),
                MadeUpRuns.of("ours-warm", 2, 270)));

        Interval gain = comparison.reduction("ours-warm", "fair", RunFigures::makespan);

        assertThat(gain.mean()).isCloseTo(0.1, within(1e-9));
        assertThat(gain.halfWidth()).isCloseTo(0, within(1e-9));
    }

    /** What one training has learnt is common to its repetitions: as if it were independent, the interval would be too narrow. */
    @Test
    void intervalsAreOfTheTrainingsMeans() {
        List<RunResult> runs = new ArrayList<>();
        for (int repetition = 1; repetition <= 6; repetition++) {
            runs.add(MadeUpRuns.of("fair", repetition, 100));
            // The second training is worth twenty per cent, and the first nothing.
            runs.add(MadeUpRuns.of("ours-warm", repetition, repetition % 2 == 1 ? 100 : 80));
        }

        Interval gain = new MixComparison(runs, 2).reduction("ours-warm", "fair", RunFigures::makespan);

        assertThat(gain.mean()).isCloseTo(0.1, within(1e-9));
        assertThat(gain.halfWidth())
                .isCloseTo(Interval.of(new double[] {0, 0.2}).halfWidth(), within(1e-9));
        assertThat(gain.halfWidth())
                .isGreaterThan(new MixComparison(runs)
                        .reduction("ours-warm", "fair", RunFigures::makespan)
                        .halfWidth());
    }

    @Test
    void aRepetitionThatOnlyOneHasRunIsNoPair() {
        MixComparison comparison = new MixComparison(List.of(
                MadeUpRuns.of("fair", 1, 100), MadeUpRuns.of("fair", 2, 100), MadeUpRuns.of("ours-warm", 2, 100)));

        assertThat(comparison.pairs("ours-warm", "fair")).containsExactly(2);
        assertThat(comparison.pairs("ours-warm", "capacity")).isEmpty();
    }

    @Test
    void slowdownIsAgainstTheMedianAlone() {
        MixComparison comparison = new MixComparison(List.of(
                MadeUpRuns.of(RunKey.ALONE, 1, 10), MadeUpRuns.of(RunKey.ALONE, 2, 10), MadeUpRuns.of("fair", 1, 30)));

        // Of 5, 5, 10 and 10.
        assertThat(comparison.alone()).containsExactly(Map.entry("read", 7.5));
        assertThat(comparison.mean("fair", RunFigures::slowdownP95).mean()).isEqualTo(4);
    }

    @Test
    void figuresAreOfWhatEnded() {
        RunResult run = MadeUpRuns.of("fair", 1, 100);
        JobResult never = new JobResult(
                3,
                "read",
                "",
                "a",
                0,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                "NEVER_SUBMITTED",
                0,
                List.of(),
                0);
        RunFigures figures = RunFigures.of(
                new RunResult(
                        run.key(),
                        run.conditions(),
                        run.slots(),
                        List.of(run.jobs().get(0), run.jobs().get(1), never),
                        run.containers(),
                        run.usage()),
                Map.of());

        assertThat(figures.makespan()).isEqualTo(100);
        assertThat(figures.turnaround()).isEqualTo(75);
        // 100 s and 50 s of 4 slots for 100 s.
        assertThat(figures.density()).isEqualTo(0.375);
        assertThat(figures.failed()).isEqualTo(1);
        assertThat(figures.starved()).isEqualTo(1);
    }

    @Test
    void theSummaryNamesOursWarmFirstAndColdApart() {
        MixComparison comparison = new MixComparison(List.of(
                MadeUpRuns.of("fair", 1, 100),
                MadeUpRuns.of("capacity", 1, 200),
                MadeUpRuns.of("ours-warm", 1, 80),
                MadeUpRuns.of("placebo", 1, 160),
                MadeUpRuns.of("ours-capacity", 1, 150),
                MadeUpRuns.of("ours-cold", 1, 100)));

        var results = new Summary().of(Map.of(Mix.UNCONTENDED, comparison)).at("/results/testbed");

        assertThat(results.at("/uncontended/makespan_gain_vs_fair/mean").asDouble())
                .isEqualTo(0.2);
        assertThat(results.at("/uncontended/makespan_gain_vs_capacity/mean").asDouble())
                .isEqualTo(0.6);
        assertThat(results.at("/uncontended/cold/makespan_gain_vs_fair/mean").asDouble())
                .isZero();
        assertThat(results.at("/uncontended/makespan_gain_vs_placebo/mean").asDouble())
                .isEqualTo(0.5);
        assertThat(results.at("/uncontended/capacity/makespan_gain_vs_capacity/mean")
                        .asDouble())
                .isEqualTo(0.25);
        assertThat(results.at("/uncontended/repetitions").asInt()).isOne();
        assertThat(results.at("/uncontended/failed/mean").asDouble()).isZero();
        assertThat(results.at("/uncontended_loss/mean").asDouble()).isEqualTo(-0.2);
        assertThat(results.at("/uncontended/makespan_gain_vs_fair/seeds").asInt())
                .isOne();
    }

    @Test
    void whereTasksRequestTooMuchItIsGrownNodesThatAreCompared() {
        MixComparison comparison = new MixComparison(List.of(
                MadeUpRuns.of("fair", 1, 100),
                MadeUpRuns.of("ours-warm", 1, 80),
                MadeUpRuns.of("ours-elastic", 1, 60)));

        var results = new Summary().of(Map.of(Mix.OVERREQUESTED, comparison)).at("/results/testbed/overrequested");

        assertThat(results.at("/makespan_gain_vs_fair/mean").asDouble()).isEqualTo(0.4);
        assertThat(results.at("/makespan_gain_vs_ours_fair/mean").asDouble()).isEqualTo(0.25);
    }

    @Test
    void aPolicyThatHasNotRunHasNoFigures() {
        var results =
                new Summary().of(Map.of(Mix.CONTENDED, new MixComparison(List.of(MadeUpRuns.of("fair", 1, 100)))));

        assertThat(results.at("/results/testbed/contended/makespan_gain_vs_fair")
                        .isMissingNode())
                .isTrue();
        assertThat(results.at("/results/testbed/contended/policies/fair/makespan_s/mean")
                        .asDouble())
                .isEqualTo(100);
    }
}
