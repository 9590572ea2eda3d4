package org.interference.yarn.sim.workload.trace;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** The formats that can be read; a name that ends in .gz is unpacked on the way. */
public enum TraceFormat {
    /** Tab-separated lines of SWIM: job, submission and gap in s, and bytes of map input, shuffle and reduce output. */
    SWIM,
    /** The JSON job trace that Hadoop's Rumen builds of job histories. */
    RUMEN,
    /** The JSON jobs of Hadoop's Scheduler Load Simulator, in its own format. */
    SLS,
    /** A MapReduce job history, one job a file; or a folder, whose .jhist files are read at any depth. */
    JHIST;

    /**
     * Reads a whole trace. Of a folder, files that are damaged are left out and told of, as there are always some that a job history
     * server has not finished.
     *
     * @throws TraceException if it cannot be read, is damaged, or holds nothing that can be simulated; of a folder, if no file can be used
     */
    public Trace read(Path path, KindInference inference) throws TraceException {
        List<TracedJob> jobs = new ArrayList<>();
        List<TraceException> refused = new ArrayList<>();
        for (Path file : files(path)) {
            try {
                jobs.addAll(jobs(file));
            } catch (TraceException e) {
                refused.add(e);
            }
        }
        if (jobs.isEmpty() && !refused.isEmpty()) {
            throw refused.get(0);
        }
        List<String> unreadable =
                refused.stream().map(TraceException::getMessage).toList();
        return new TracedJobs(jobs).toTrace(path.toString(), inference, unreadable);
    }

    private List<TracedJob> jobs(Path file) throws TraceException {
        try (InputStream in = open(file)) {
            return jobs(in, file.toString());
        } catch (IOException e) {
            throw new TraceException(file.toString(), "cannot be read (%s)".formatted(reason(e)), e);
        }
    }

    /** Reads a whole trace from memory or a resource, which messages call {@code name}. */
    public Trace read(InputStream in, String name, KindInference inference) throws IOException, TraceException {
        return new TracedJobs(jobs(in, name)).toTrace(name, inference, List.of());
    }

    private List<TracedJob> jobs(InputStream in, String file) throws IOException, TraceException {
        return switch (this) {
            case SWIM -> SwimReader.read(in, file);
            case RUMEN -> RumenReader.read(in, file);
            case SLS -> SlsReader.read(in, file);
            case JHIST -> JhistReader.read(in, file);
        };
    }

    private List<Path> files(Path path) throws TraceException {
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        if (this != JHIST) {
            throw new TraceException(path.toString(), "is a folder, not a trace");
        }
        try (Stream<Path> below = Files.walk(path)) {
            List<Path> histories = below.filter(file -> file.toString().matches(".*\\.jhist(\\.gz)?"))
                    .sorted(Comparator.comparing(Path::toString))
                    .toList();
            if (histories.isEmpty()) {
                throw new TraceException(path.toString(), "has no .jhist file in it");
            }
            return histories;
        } catch (IOException e) {
            throw new TraceException(path.toString(), "cannot be listed (%s)".formatted(reason(e)), e);
        }
    }

    private static InputStream open(Path file) throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file));
        if (!file.toString().toLowerCase(Locale.ROOT).endsWith(".gz")) {
            return in;
        }
        try {
            return new GZIPInputStream(in);
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
