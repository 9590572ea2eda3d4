package org.interference.yarn.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The application tags of a run's jobs. YARN takes ten of 100 ASCII characters, and makes them lower case. Pure. */
final class Tags {
    static final String INSTANCE = "inst=";
    private static final String RUN = "run=";
    private static final String KIND = "ifc:";
    private static final int MOST = 10;
    private static final int OWN = 3;
    private static final Pattern TAG = Pattern.compile("[!-+\\--~&&[^A-Z]]{1,100}");

    private Tags() {}

    static String run(String run) {
        return RUN + run;
    }

    /** Returns the tags of a job: its kind, run and number, and {@code more}, which {@link #checked} has seen. */
    static List<String> of(String run, Submission submission, List<String> more) {
        return of(run, submission.job().workload(), submission.instance(), more);
    }

    /** Returns the tags of what is of one kind and has a number in the run. */
    static List<String> of(String run, String kind, int instance, List<String> more) {
        List<String> tags = new ArrayList<>(List.of(KIND + kind, run(run), INSTANCE + instance));
        tags.addAll(more);
        return tags;
    }

    static List<String> checked(List<String> more) throws InputException {
        for (String tag : more) {
            if (!TAG.matcher(tag).matches()) {
                throw new InputException(
                        "--tag is '%s' but must be 1 to 100 printable ASCII characters without blanks, commas and capitals"
                                .formatted(Tsv.shown(tag)));
            }
        }
        if (more.size() > MOST - OWN) {
            throw new InputException("--tag is given %d times but YARN takes %d tags, of which %d are the run's own"
                    .formatted(more.size(), MOST, OWN));
        }
        return more;
    }
}
