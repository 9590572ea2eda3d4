package org.interference.yarn.sim.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.interference.yarn.sim.workload.trace.KindInference;
import org.interference.yarn.sim.workload.trace.NodeShape;
import org.interference.yarn.sim.workload.trace.Trace;
import org.interference.yarn.sim.workload.trace.TraceException;
import org.interference.yarn.sim.workload.trace.TraceFormat;
import org.interference.yarn.sim.workload.trace.TracePattern;
import org.interference.yarn.sim.workload.trace.TraceScale;
import picocli.CommandLine.Option;

/** The options that bring a workload from a file. */
final class TraceOptions {
    /** Of so many kinds, any two that meet have mostly met before. */
    private static final int FEW_KINDS = 2;

    private static final long MOST_TASKS = 1_000_000;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            required = true,
            description = "Replay this trace instead of a pattern. A name that ends in .gz is unpacked;"
                    + " of a folder, all .jhist files are read, and damaged ones left out.")
    private Path file;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description =
                    "swim (tab-separated), rumen (JSON job trace), sls (SLS's own) or jhist (MapReduce job history);"
                            + " without it, the file's name decides: .tsv, .json, .jhist.")
    private TraceFormat format;

    @Option(
            names = "--scale",
            paramLabel = "F",
            defaultValue = "1",
            description =
                    "Tasks of each job, as a multiple of the trace's: slots here over slots there is a good choice."
                            + " A job keeps at least one task.")
    private double scale;

    @Option(
            names = "--speed",
            paramLabel = "F",
            defaultValue = "1",
            description = "Submit the jobs so many times as fast as in the trace.")
    private double speed;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "60",
            description = "Replay so many consecutive jobs, of a longer trace other ones for each seed"
                    + " (default: ${DEFAULT-VALUE}).")
    private int jobs;

    @Option(
            names = "--cores",
            paramLabel = "N",
            defaultValue = "4",
            description = "Cores of a node of the traced cluster (default: ${DEFAULT-VALUE}).")
    private double cores;

    @Option(
            names = "--disk-mb",
            paramLabel = "MB/S",
            defaultValue = "60",
            description =
                    "What all disks of such a node carry (default: ${DEFAULT-VALUE}, a spinning disk under several"
                            + " streams).")
    private double diskMegabytes;

    @Option(
            names = "--network-mb",
            paramLabel = "MB/S",
            defaultValue = "125",
            description = "What the network of such a node carries (default: ${DEFAULT-VALUE}, 1 Gbit/s).")
    private double networkMegabytes;

    /** A trace as it is replayed, and what is told of it. */
    record Replay(TracePattern pattern, String summary) {}

    /** @param kinds that its tasks are taken for */
    Replay replay(int slots, List<SimTaskKind> kinds) throws BadInputException {
        Trace trace;
        TraceScale scaled;
        try {
            scaled = new TraceScale(scale, speed);
            NodeShape node = new NodeShape(cores, diskMegabytes * 1e6, networkMegabytes * 1e6);
            if (jobs < 1) {
                throw new BadInputException("--jobs is %d but must be at least 1".formatted(jobs));
            }
            trace = format().read(file, new KindInference(kinds, node));
        } catch (TraceException e) {
            throw new BadInputException(e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new BadInputException("The trace cannot be scaled so: " + e.getMessage(), e);
        }
        TracePattern pattern = new TracePattern(String.valueOf(file.getFileName()), trace.jobs(), jobs, scaled);
        if (pattern.mostTasks() > MOST_TASKS) {
            throw new BadInputException(
                    "%s has up to %d tasks at once as scaled, but at most %d can be simulated: choose a"
                                    .formatted(file, pattern.mostTasks(), MOST_TASKS)
                            + " smaller --scale or fewer --jobs");
        }
        return new Replay(pattern, summary(trace, pattern, slots));
    }

    private TraceFormat format() throws BadInputException {
        return Optional.ofNullable(format)
                .or(this::formatByName)
                .orElseThrow(() -> new BadInputException(
                        "%s does not end in .tsv, .json or .jhist, so --format must say what it is: swim, rumen, sls or jhist"
                                .formatted(file)));
    }

    private Optional<TraceFormat> formatByName() {
        String name = file.toString().toLowerCase(Locale.ROOT).replaceFirst("\\.gz$", "");
        if (name.endsWith(".tsv")) {
            return Optional.of(TraceFormat.SWIM);
        }
        if (name.endsWith(".json")) {
            return Optional.of(TraceFormat.RUMEN);
        }
        return name.endsWith(".jhist") || Files.isDirectory(file) ? Optional.of(TraceFormat.JHIST) : Optional.empty();
    }

    private String summary(Trace trace, TracePattern pattern, int slots) {
        List<String> sentences = new ArrayList<>();
        sentences.add("%s: %d jobs with %d tasks%s; as scaled, %s."
                .formatted(
                        file,
                        trace.jobs().size(),
                        trace.tasks(),
                        trace.leftOut() == 0 ? "" : " (%d without a finished task left out)".formatted(trace.leftOut()),
                        loads(pattern, slots)));
        if (!trace.unreadable().isEmpty()) {
            sentences.add("%d files were left out, the first of them because of this: %s."
                    .formatted(trace.unreadable().size(), trace.unreadable().get(0)));
        }
        if (format == TraceFormat.SLS) {
            sentences.add("It has no counters: what tasks press on is drawn for each queue, user and type of task.");
        }
        if (trace.kinds().size() <= FEW_KINDS) {
            sentences.add("Its tasks are all taken for %s: whom they meet makes little difference."
                    .formatted(String.join(" and ", trace.kinds())));
        }
        return String.join(" ", sentences);
    }

    private String loads(TracePattern pattern, int slots) {
        List<Double> loads = pattern.loads(slots);
        int quarter = loads.size() / 4;
        double median = loads.get(loads.size() / 2);
        if (Double.isInfinite(median)) {
            return "all submitted at once";
        }
        return loads.size() == 1
                ? String.format(Locale.ROOT, "a load of %.2f on the %d slots", median, slots)
                : String.format(
                        Locale.ROOT,
                        "a load of %.2f on the %d slots while %d of them are submitted (half the time %.2f to %.2f)",
                        median,
                        slots,
                        jobs,
                        loads.get(quarter),
                        loads.get(loads.size() - 1 - quarter));
    }
}
