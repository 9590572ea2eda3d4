package org.interference.yarn.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** When which job is submitted. Pure: the same arguments give the same timetable. */
final class Timetable {
    private Timetable() {}

    /**
     * Shuffles jobs and submits them in batches, without waiting for any to end, as in the published evaluation: ten every five seconds.
     *
     * @param ramp how many batches at the beginning are smaller: the first of {@code r} is 1/(r+1) of a whole batch, rounded up, the
     *     next twice that, and so on
     */
    static List<Submission> batches(List<Job> jobs, long seed, int batch, Duration interval, int ramp) {
        List<Job> order = shuffled(jobs, seed);
        List<Submission> submissions = new ArrayList<>();
        for (int number = 0; submissions.size() < order.size(); number++) {
            Duration at = interval.multipliedBy(number);
            int size = Math.min(size(number, batch, ramp), order.size() - submissions.size());
            for (int i = 0; i < size; i++) {
                submissions.add(new Submission(submissions.size(), at, order.get(submissions.size())));
            }
        }
        return submissions;
    }

    /**
     * Makes the steps of a {@link LoadTest}: shuffled jobs, of which the first of each kind has a step of its own; then what {@link
     * #batches} makes of the others. Jobs of one step have one time, which no other step has: the earliest that it may be submitted.
     *
     * @param interval more than 0
     */
    static List<Submission> steps(List<Job> jobs, long seed, int batch, Duration interval, int ramp) {
        List<Submission> submissions = new ArrayList<>();
        List<Job> others = new ArrayList<>();
        Set<String> kinds = new HashSet<>();
        for (Job job : shuffled(jobs, seed)) {
            if (kinds.add(job.workload())) {
                submissions.add(new Submission(submissions.size(), interval.multipliedBy(submissions.size()), job));
            } else {
                others.add(job);
            }
        }
        for (Submission later : batches(others, seed, batch, interval, ramp)) {
            Duration at = later.at().plus(interval.multipliedBy(kinds.size()));
            submissions.add(new Submission(submissions.size(), at, later.job()));
        }
        return submissions;
    }

    private static List<Job> shuffled(List<Job> jobs, long seed) {
        List<Job> order = new ArrayList<>(jobs);
        Collections.shuffle(order, new Random(seed));
        return order;
    }

    private static int size(int number, int batch, int ramp) {
        return number >= ramp ? batch : (int) -Math.floorDiv(-(long) batch * (number + 1), ramp + 1L);
    }
}
