package org.interference.yarn.dispatch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options that say what is submitted when. */
final class SubmissionPlan {
    private static final int MOST = 100_000;
    private static final int LARGEST_BATCH = 10_000;
    private static final int LONGEST_RAMP = 1000;
    private static final double LARGEST_FACTOR = 1000;
    private static final double HIGHEST_PERCENT = 100_000;

    /** What replays of SWIM read. */
    private static final String SWIM_DATA = "text";

    @ArgGroup(heading = "What is submitted, one of:%n")
    private Source source;

    /** One of them is given. */
    static final class Source {
        @Option(
                names = "--jobs",
                paramLabel = "FILE",
                description = "A list of jobs; hibench-configs/README.md says how it looks.")
        private Optional<Path> jobs = Optional.empty();

        @Option(
                names = "--stand-ins",
                description = "What stands in for HiBench where it is not, as hibench-configs/workloads.tsv says.")
        @SuppressWarnings("UnusedVariable") // What is given if none of the others is.
        private boolean standIns;

        @Option(
                names = "--hibench",
                paramLabel = "HOME",
                description = "Workloads of HiBench, installed and configured there.")
        private Optional<Path> hibench = Optional.empty();

        @Option(names = "--swim", paramLabel = "FILE", description = "A workload of SWIM, at its own times.")
        private Optional<Path> swim = Optional.empty();

        @Option(
                names = "--dag",
                paramLabel = "FILE",
                description =
                        "A Makeflow file: each rule is a container, started when its sources are made; of the options below"
                                + " --dag-files, --queue, --tag, --run-dir, --rm and --dry-run hold for it.")
        private Optional<Path> workflow = Optional.empty();
    }

    @Option(
            names = "--dag-files",
            paramLabel = "PATH",
            description =
                    "Of --dag: the folder that has the workflow's files, on a file system that every node sees (default: the"
                            + " Makeflow file's own).")
    private Optional<String> workflowFiles = Optional.empty();

    @Option(
            names = "--workloads",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Of --stand-ins and --hibench, those with such a name, as in workloads.tsv: family/workload/framework,"
                            + " or workload-framework; * stands for anything (default: all).")
    private List<String> workloads = List.of();

    @Option(
            names = "--count",
            paramLabel = "JOBS",
            description =
                    "Of --stand-ins and --hibench so many jobs, workloads taking turns (default: one of each); of --swim"
                            + " the first so many.")
    private Optional<Integer> count = Optional.empty();

    @Option(
            names = "--scale",
            defaultValue = "tiny",
            paramLabel = "SCALE",
            description = "HiBench's scale profile: tiny, small or large (default: ${DEFAULT-VALUE}).")
    private ScaleProfile scale;

    @Option(
            names = "--scale-time",
            defaultValue = "1",
            paramLabel = "FACTOR",
            description = "Of --swim: 0.1 is ten times as fast (default: ${DEFAULT-VALUE}).")
    private double scaleTime;

    @Option(
            names = "--scale-bytes",
            defaultValue = "1",
            paramLabel = "FACTOR",
            description = "Of --swim: 0.001 is a thousandth of the data (default: ${DEFAULT-VALUE}).")
    private double scaleBytes;

    @Option(names = "--batch", defaultValue = "10", description = "Jobs submitted at once (default: ${DEFAULT-VALUE}).")
    private int batch;

    @Option(
            names = "--interval",
            defaultValue = "5s",
            converter = Seconds.class,
            description = "Time between batches (default: ${DEFAULT-VALUE}).")
    private Duration interval;

    @Option(
            names = "--ramp",
            defaultValue = "0",
            paramLabel = "BATCHES",
            description = "So many batches at the beginning are smaller, each larger than the one before.")
    private int ramp;

    @Option(
            names = "--until-slowdown",
            paramLabel = "PERCENT",
            description =
                    "A load test: the first job of each kind runs alone, then a batch comes when the one before is over, larger by"
                            + " --ramp, until its jobs take so many per cent longer than alone, in the mean.")
    private Optional<Double> untilSlowdown = Optional.empty();

    @Option(
            names = "--abort-at",
            paramLabel = "PERCENT",
            description = "Of --until-slowdown: kill what runs as soon as a batch must take so many per cent longer.")
    private Optional<Double> abortAt = Optional.empty();

    @Option(names = "--seed", defaultValue = "1", description = "Decides the jobs' order (default: ${DEFAULT-VALUE}).")
    private long seed;

    ScaleProfile scale() {
        return scale;
    }

    /** Returns where HiBench is, if its workloads are submitted. */
    Optional<Path> hibench() {
        return source == null ? Optional.empty() : source.hibench;
    }

    /** Returns the workflow that is run instead of a timetable, if one is asked for. */
    Optional<Path> workflow() {
        return source == null ? Optional.empty() : source.workflow;
    }

    Optional<String> workflowFiles() {
        return workflowFiles;
    }

    List<Submission> timetable(WorkloadTable table) throws InputException {
        check();
        if (source.swim.isPresent()) {
            Path file = source.swim.get();
            return SwimTrace.replay(
                    WorkloadTable.lines(file), file.toString(), scaleTime, scaleBytes, count, SWIM_DATA);
        }
        return untilSlowdown.isPresent()
                ? Timetable.steps(jobs(table), seed, batch, interval, ramp)
                : Timetable.batches(jobs(table), seed, batch, interval, ramp);
    }

    /** Returns the load test of a timetable that {@link #timetable} has returned, if one is asked for. */
    Optional<LoadTest> loadTest(List<Submission> timetable) throws InputException {
        if (untilSlowdown.isEmpty()) {
            return Optional.empty();
        }
        OptionalDouble abort =
                abortAt.map(percent -> OptionalDouble.of(1 + percent / 100)).orElse(OptionalDouble.empty());
        return Optional.of(LoadTest.of(timetable, new LoadTest.Limits(1 + untilSlowdown.get() / 100, abort)));
    }

    private List<Job> jobs(WorkloadTable table) throws InputException {
        if (source.jobs.isPresent()) {
            Path file = source.jobs.get();
            return JobList.of(WorkloadTable.lines(file), file.toString(), table, scale);
        }
        Selection selection = new Selection(table, workloads, count);
        if (source.hibench.isPresent()) {
            HiBench.check(source.hibench.get());
            return selection.hibench();
        }
        return selection.standIns(scale);
    }

    private void check() throws InputException {
        if (source == null) {
            throw new InputException("What is submitted is missing: --jobs, --stand-ins, --hibench, --swim or --dag");
        }
        checkRange("--batch", batch, 1, LARGEST_BATCH);
        checkRange("--ramp", ramp, 0, LONGEST_RAMP);
        if (count.isPresent()) {
            checkRange("--count", count.get(), 1, MOST);
        }
        checkLoadTest();
        checkFactor("--scale-time", scaleTime);
        checkFactor("--scale-bytes", scaleBytes);
    }

    private void checkLoadTest() throws InputException {
        double stop = untilSlowdown.orElse(0.0);
        if (untilSlowdown.isPresent() && !(stop > 0 && stop <= HIGHEST_PERCENT)) {
            throw new InputException("--until-slowdown is %s but must be more than 0 and at most %.0f per cent"
                    .formatted(stop, HIGHEST_PERCENT));
        }
        if (untilSlowdown.isPresent() && (source.swim.isPresent() || ramp == 0 || interval.isZero())) {
            throw new InputException(
                    "--until-slowdown wants a --ramp and an --interval of at least 1, and has times of its own: not --swim's");
        }
        if (abortAt.isPresent() && !(untilSlowdown.isPresent() && abortAt.get() > stop)) {
            throw new InputException(
                    "--abort-at is %s but must be more than --until-slowdown".formatted(abortAt.get()));
        }
    }

    private static void checkRange(String option, int value, int least, int most) throws InputException {
        if (value < least || value > most) {
            throw new InputException("%s is %d but must be from %d to %d".formatted(option, value, least, most));
        }
    }

    private static void checkFactor(String option, double factor) throws InputException {
        if (!(factor > 0 && factor <= LARGEST_FACTOR)) {
            throw new InputException(
                    "%s is %s but must be more than 0 and at most %.0f".formatted(option, factor, LARGEST_FACTOR));
        }
    }
}
