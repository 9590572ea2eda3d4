package org.interference.yarn.dispatch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * What a full-load test has found: how many jobs at once were held, and which load ended it. Immutable.
 *
 * @param ending the step that ended it; empty if none did, or not yet
 * @param steps those that were submitted, without the jobs that ran alone
 */
record LoadReport(LoadTest.Outcome outcome, Optional<Step> ending, List<Step> steps) {
    /**
     * One load.
     *
     * @param jobs how many were submitted at once
     * @param succeeded how many of them have succeeded
     * @param slowdown mean over the jobs, over their kinds' first ones, which ran alone; at least that while some run
     * @param highest the same of the job that was slowed down most
     * @param density vcore-seconds that were allocated, over what the cluster has, until the last one's end, in [0, 1]; empty if not
     *     known
     */
    record Step(int jobs, int succeeded, double slowdown, double highest, OptionalDouble density) {
        private ObjectNode json() {
            ObjectNode json = JsonNodeFactory.instance
                    .objectNode()
                    .put("jobs", jobs)
                    .put("succeeded", succeeded)
                    .put("slowdown", slowdown)
                    .put("highestSlowdown", highest);
            density.ifPresent(share -> json.put("density", share));
            return json;
        }

        /** Returns by how many per cent its jobs took longer than alone. */
        private double longer() {
            return (slowdown - 1) * 100;
        }
    }

    LoadReport {
        steps = List.copyOf(steps);
    }

    /** Reports on a run, by what is known of all of its jobs, in the order of their numbers. */
    static LoadReport of(LoadTest test, List<JobRun> jobs, Optional<Yarn.Capacity> capacity) {
        LoadTest.State state = test.state(jobs);
        List<List<Integer>> submitted = test.loads().stream()
                .filter(step -> step.stream()
                        .anyMatch(instance -> jobs.get(instance).submitted().isPresent()))
                .toList();
        boolean over = state.outcome() != LoadTest.Outcome.GOES_ON && state.outcome() != LoadTest.Outcome.HELD;
        return new LoadReport(
                state.outcome(),
                over ? Optional.of(step(test, test.step(state.step()), jobs, capacity)) : Optional.empty(),
                submitted.stream().map(step -> step(test, step, jobs, capacity)).toList());
    }

    private static Step step(LoadTest test, List<Integer> step, List<JobRun> jobs, Optional<Yarn.Capacity> capacity) {
        List<JobRun> members = step.stream().map(jobs::get).toList();
        return new Step(
                step.size(),
                (int) members.stream()
                        .filter(job -> job.state() == JobRun.State.SUCCEEDED)
                        .count(),
                test.meanSlowdown(step, jobs),
                test.highestSlowdown(step, jobs),
                new Result("", 0, members, capacity, false, Optional.empty()).density());
    }

    /** Returns how many jobs at once were slowed down by less than the limit; empty if no load was. */
    OptionalInt held() {
        int whole = outcome == LoadTest.Outcome.HELD ? steps.size() : Math.max(0, steps.size() - 1);
        return IntStream.range(0, whole).map(step -> steps.get(step).jobs()).max();
    }

    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("outcome", outcome.name());
        held().ifPresent(jobs -> json.put("heldJobs", jobs));
        ending.ifPresent(step -> json.set("ending", step.json()));
        ArrayNode all = json.putArray("steps");
        steps.forEach(step -> all.add(step.json()));
        return json;
    }

    /** Returns the finding in a few words. */
    String summary() {
        String held = held().isPresent() ? "%d jobs at once are held".formatted(held().getAsInt()) : "no load is held";
        return ending.map(step -> held + ", " + words(step)).orElse(held);
    }

    private String words(Step step) {
        return switch (outcome) {
            case SLOWED -> "%d take %.0f %% longer than alone".formatted(step.jobs(), step.longer());
            case ABORTED ->
                "aborted at %d, which take at least %.0f %% longer than alone".formatted(step.jobs(), step.longer());
            case FAILED ->
                "ended at %d, of which %d did not succeed".formatted(step.jobs(), step.jobs() - step.succeeded());
            case GOES_ON, HELD -> "";
        };
    }
}
