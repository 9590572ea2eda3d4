package org.interference.yarn.sim.workload.trace;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.interference.yarn.sim.workload.RunLengthList;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.workload.SimTask;

/**
 * The jobs of all files of a trace, as they were read.
 *
 * <p>Their queues become the simulated ones in turn, in the order in which they first appear: the simulated cluster has three.
 */
record TracedJobs(List<TracedJob> jobs) {
    private static final List<String> QUEUES = List.of("a", "b", "c");
    /** What YARN allows in an application tag, less room for a prefix. */
    private static final int LONGEST_NAME = 80;

    private static final Pattern NOT_PLAIN = Pattern.compile("[^A-Za-z0-9_-]");

    /** @param unreadable what is wrong with files that were left out */
    Trace toTrace(String file, KindInference inference, List<String> unreadable) throws TraceException {
        List<TracedJob> usable = jobs.stream()
                .filter(job -> !job.tasks().isEmpty())
                .sorted(Comparator.comparingLong(TracedJob::submitted))
                .toList();
        if (usable.isEmpty()) {
            throw new TraceException(file, "has no job with a task that succeeded");
        }
        long origin = usable.get(0).submitted();
        Map<String, String> queues = new HashMap<>();
        usable.forEach(job -> queues.putIfAbsent(job.queue(), QUEUES.get(queues.size() % QUEUES.size())));
        Map<TracedTask, SimTask> known = new HashMap<>();
        List<SimJob> simulated = usable.stream()
                .map(job -> new SimJob(
                        plain(job.name()),
                        queues.get(job.queue()),
                        Duration.ofMillis(job.submitted() - origin),
                        RunLengthList.map(
                                job.tasks(),
                                task -> known.computeIfAbsent(
                                        task, traced -> new SimTask(inference.kind(traced), traced.ran())))))
                .toList();
        return new Trace(simulated, jobs.size() - usable.size(), unreadable);
    }

    /** Returns {@code name} as an application tag may be: its letters, digits, dashes and underscores, in lower case. */
    private static String plain(String name) {
        String plain = NOT_PLAIN.matcher(name).replaceAll("-").toLowerCase(Locale.ROOT);
        return plain.isEmpty() ? "unnamed" : plain.substring(0, Math.min(plain.length(), LONGEST_NAME));
    }
}
