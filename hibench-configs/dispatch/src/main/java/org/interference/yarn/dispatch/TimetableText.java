package org.interference.yarn.dispatch;

import java.util.ArrayList;
import java.util.List;

/** A timetable for people and for {@code diff}: a line for each job. Pure. */
final class TimetableText {
    private static final double MILLIS = 1000.0;

    private TimetableText() {}

    static List<String> of(List<Submission> timetable, String queue) {
        List<String> lines = new ArrayList<>(List.of("at_s\tinstance\tworkload\tframework\tqueue\tprogram\targuments"));
        for (Submission submission : timetable) {
            Job job = submission.job();
            lines.add(String.join(
                    "\t",
                    "%.3f".formatted(submission.at().toMillis() / MILLIS),
                    Integer.toString(submission.instance()),
                    job.workload(),
                    job.framework().label(),
                    job.queue().orElse(queue),
                    job.program(),
                    String.join(" ", job.arguments())));
        }
        return lines;
    }
}
