package org.interference.yarn.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.dispatch.swim.SwimJob;

/**
 * Reads a workload of SWIM (github.com/SWIMProjectUCB/SWIM): a line for each job with six numbers between tabs: name, second of its
 * submission, gap to the one before, bytes read, bytes shuffled, bytes written. Jobs whose sizes are of the same orders of magnitude
 * are of one kind, as SWIM has no names. Pure.
 */
final class SwimTrace {
    private static final int FIELDS = 6;
    private static final int MOST = 100_000;
    private static final long LATEST_SECONDS = 100L * 366 * 24 * 3600;
    private static final long MOST_BYTES = Long.MAX_VALUE / 4;

    private record Line(long second, long input, long shuffle, long output) {}

    private SwimTrace() {}

    /**
     * Returns the timetable, with the first submission at 0.
     *
     * @param time factor of all times: 0.1 is ten times as fast
     * @param bytes factor of all sizes
     * @param most takes the first so many jobs; all if empty
     * @param data the data set that is read
     */
    static List<Submission> replay(
            List<String> lines, String file, double time, double bytes, Optional<Integer> most, String data)
            throws InputException {
        List<Line> jobs = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                jobs.add(line(lines.get(i), file, i + 1));
            }
        }
        if (jobs.isEmpty()) {
            throw new InputException("%s: has no jobs".formatted(file));
        }
        jobs.sort(Comparator.comparingLong(Line::second));
        List<Line> taken = jobs.subList(0, Math.min(jobs.size(), most.orElse(MOST)));
        if (taken.size() < jobs.size() && most.isEmpty()) {
            throw new InputException("%s: has %d jobs; at most %d can be dispatched, --count takes the first"
                    .formatted(file, jobs.size(), MOST));
        }
        List<Submission> submissions = new ArrayList<>();
        for (Line job : taken) {
            Duration at =
                    Duration.ofMillis(Math.round((job.second() - taken.get(0).second()) * time * 1000));
            submissions.add(new Submission(submissions.size(), at, job(job, bytes, data)));
        }
        return submissions;
    }

    private static Job job(Line line, double factor, String data) {
        return new Job(
                "swim-i%d-s%d-o%d"
                        .formatted(magnitude(line.input()), magnitude(line.shuffle()), magnitude(line.output())),
                Framework.MAPREDUCE,
                SwimJob.class.getName(),
                Optional.empty(),
                List.of(
                        "${input}",
                        "${output}",
                        scaled(line.input(), factor),
                        scaled(line.shuffle(), factor),
                        scaled(line.output(), factor)),
                Optional.of(data),
                Optional.empty());
    }

    private static String scaled(long bytes, double factor) {
        return Long.toString(Math.round(bytes * factor));
    }

    private static Line line(String text, String file, long number) throws InputException {
        String[] fields = text.split("\t", -1);
        if (fields.length != FIELDS) {
            throw InputException.at(
                    file,
                    number,
                    ("has %d fields between tabs but must have 6: job, submitted s, gap s, input bytes, shuffle bytes,"
                                    + " output bytes")
                            .formatted(fields.length));
        }
        return new Line(
                number("submitted", fields[1], file, number, LATEST_SECONDS),
                number("input bytes", fields[3], file, number, MOST_BYTES),
                number("shuffle bytes", fields[4], file, number, MOST_BYTES),
                number("output bytes", fields[5], file, number, MOST_BYTES));
    }

    private static long number(String what, String field, String file, long line, long most) throws InputException {
        String text = field.strip();
        // Nineteen digits may be too many for a long; eighteen never are.
        if (text.matches("[0-9]{1,18}") || (text.matches("[0-9]{19}") && text.compareTo(Long.toString(most)) <= 0)) {
            long value = Long.parseLong(text);
            if (value <= most) {
                return value;
            }
        }
        throw InputException.at(
                file,
                line,
                "%s is '%s' but must be a whole number from 0 to %d".formatted(what, Tsv.shown(text), most));
    }

    /** Returns how many decimal digits {@code bytes} has; 0 for 0. */
    private static int magnitude(long bytes) {
        return bytes == 0 ? 0 : Long.toString(bytes).length();
    }
}
