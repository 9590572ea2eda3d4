package org.interference.yarn.relocate;

import java.util.List;

/**
 * What was made last of all containers that are opted in. Immutable.
 *
 * @param configuredMode as it is set
 * @param mode in force: off also while placement is off in every queue or has failed too often
 * @param judgements those first that are to leave; empty while the mode is off
 * @param published what published policies would do
 */
public record RelocationReport(
        RelocationMode configuredMode,
        RelocationMode mode,
        List<Judgement> judgements,
        List<HerdChoice> published,
        Tally tally) {
    /** Of a cluster whose containers nobody looks at. */
    public static final RelocationReport OFF =
            new RelocationReport(RelocationMode.OFF, RelocationMode.OFF, List.of(), List.of(), Tally.NONE);

    public RelocationReport {
        judgements = List.copyOf(judgements);
        published = List.copyOf(published);
    }
}
