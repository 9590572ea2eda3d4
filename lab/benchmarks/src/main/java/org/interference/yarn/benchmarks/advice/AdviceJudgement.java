package org.interference.yarn.benchmarks.advice;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.interference.yarn.advice.KindAdvice;
import org.interference.yarn.advice.KindAdvisor;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.Footprint;
import org.interference.yarn.profile.Mixture;
import org.interference.yarn.profile.ResourceUse;
import org.interference.yarn.profile.RunTimes;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;

/**
 * What advice would have saved. Each kind of task is divided in time: at the start of its middle task, advice is made of what has finished until then, and
 * judged by the tasks that start from then on. One that needs more than its first allocation runs twice, as the published rules take it: all its
 * time with that, and again with what was asked for. Of kinds without advice nothing changes.
 */
final class AdviceJudgement {
    private static final double MACHINE_BYTES = 128.0 * (1 << 30);
    private static final double BYTES_OF_A_MB = 1 << 20;

    private final KindAdvisor advisor;
    private final double stepBytes;
    private final Map<String, Score> scores = new TreeMap<>();
    private long judged;
    private long advised;
    private long kinds;
    private long kindsAdvised;
    private double usedBySeconds;

    /** How one rule does. */
    private static final class Score {
        private double asked;
        private double given;
        private long failures;
        private double statedRisk;
    }

    /** @param stepMb of which containers have a multiple; what was asked for is rounded up to it, too */
    AdviceJudgement(long stepMb) {
        this.stepBytes = stepMb * BYTES_OF_A_MB;
        this.advisor = new KindAdvisor(
                new KindAdvisor.Cluster(stepMb, Integer.MAX_VALUE, Set.of(MACHINE_BYTES), queue -> true));
    }

    void judge(List<TaskUse> tasks) {
        tasks.stream()
                .collect(Collectors.groupingBy(TaskUse::kind, TreeMap::new, Collectors.toList()))
                .forEach(this::judgeKind);
    }

    private void judgeKind(String kind, List<TaskUse> tasks) {
        List<TaskUse> inOrder = new ArrayList<>(tasks);
        inOrder.sort(Comparator.comparing(TaskUse::started));
        Instant now = inOrder.get(inOrder.size() / 2).started();
        Footprint footprint = Footprint.NONE;
        for (TaskUse task : tasks) {
            footprint = task.finished().isAfter(now) ? footprint : footprint.with(use(task));
        }
        KindAdvice advice = advisor.of(new TaskProfile(
                new TaskKey(TaskKey.Level.TAG, kind),
                1,
                Map.of(),
                new RunTimes(Averages.constant(1, 1), Averages.NONE, Averages.NONE),
                Mixture.NONE,
                footprint,
                now));
        kinds++;
        kindsAdvised += advice.advice() instanceof KindAdvice.Sizes ? 1 : 0;
        inOrder.stream().filter(task -> !task.started().isBefore(now)).forEach(task -> judge(task, advice.advice()));
    }

    private ResourceUse use(TaskUse task) {
        return new ResourceUse(
                asked(task),
                task.requestedCores(),
                task.seconds(),
                task.peakBytes(),
                task.peakBytes(),
                OptionalDouble.of(task.usedCores()),
                MACHINE_BYTES,
                false);
    }

    private double asked(TaskUse task) {
        return Math.ceil(task.requestedBytes() / stepBytes) * stepBytes;
    }

    private void judge(TaskUse task, KindAdvice.Outcome advice) {
        judged++;
        usedBySeconds += task.peakBytes() * task.seconds();
        advised += advice instanceof KindAdvice.Sizes ? 1 : 0;
        judge("advised", task, advice, KindAdvice.Sizes::advised);
        judge("minimum_waste", task, advice, KindAdvice.Sizes::minimumWaste);
        judge("maximum_throughput", task, advice, KindAdvice.Sizes::maximumThroughput);
    }

    private void judge(
            String rule, TaskUse task, KindAdvice.Outcome advice, Function<KindAdvice.Sizes, KindAdvice.Size> size) {
        Score score = scores.computeIfAbsent(rule, first -> new Score());
        double asked = asked(task);
        double first = asked;
        if (advice instanceof KindAdvice.Sizes sizes) {
            KindAdvice.Size chosen = size.apply(sizes);
            first = chosen.memoryMb() * BYTES_OF_A_MB;
            score.statedRisk += chosen.riskAtMost();
        }
        boolean fails = task.peakBytes() > first && first < asked;
        score.failures += fails ? 1 : 0;
        score.asked += asked * task.seconds();
        score.given += (first + (fails ? asked : 0)) * task.seconds();
    }

    /** Puts what the rules saved and how often their sizes did not suffice, of those tasks for which there was advice. */
    void put(Results results) {
        results.put("tasks_judged", judged);
        results.put("tasks_advised", advised);
        results.put("kinds", kinds);
        results.put("kinds_advised", kindsAdvised);
        results.put("memory_used", usedBySeconds / scores.get("advised").asked);
        scores.forEach((rule, score) -> put(rule.equals("advised") ? results : results.under(rule), score));
    }

    private void put(Results results, Score score) {
        results.put("memory_saved", 1 - score.given / score.asked);
        results.put("failures_added", advised == 0 ? 0 : (double) score.failures / advised);
        results.put("failures_stated_at_most", advised == 0 ? 0 : score.statedRisk / advised);
    }
}
