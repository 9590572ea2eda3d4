package org.interference.yarn.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** When which job is submitted, without waiting for any to end. Pure: the same arguments give the same timetable. */
final class Timetable {
    private Timetable() {}

    /**
     * Shuffles jobs and submits them in batches, as in the published evaluation: ten every five seconds.
     *
     * @param ramp how many batches at the beginning are smaller: the first of {@code r} is 1/(r+1) of a whole batch, rounded up, the
     *     next twice that, and so on
     */
    static List<Submission> batches(List<Job> jobs, long seed, int batch, Duration interval, int ramp) {
        List<Job> order = new ArrayList<>(jobs);
        Collections.shuffle(order, new Random(seed));
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

    private static int size(int number, int batch, int ramp) {
        return number >= ramp ? batch : (int) -Math.floorDiv(-(long) batch * (number + 1), ramp + 1L);
    }
}
