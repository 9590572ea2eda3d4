package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import javax.ws.rs.core.Response;
import org.interference.yarn.learn.CompletedContainer;
import org.interference.yarn.learn.ContainerUse;
import org.interference.yarn.learn.FinishedTask;
import org.interference.yarn.learn.UseSeries;
import org.interference.yarn.signal.Capacities;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Signal;

/** What containers that have ended used, in all and step by step, as a resource monitor's summary and series. */
final class UseAnswers {
    private static final double BYTES_OF_A_MB = 1 << 20;
    private static final double MILLIS = 1000.0;

    private final Sources sources;
    private final Viewer viewer;

    UseAnswers(Sources sources, Viewer viewer) {
        this.sources = sources;
        this.viewer = viewer;
    }

    /**
     * What a container used.
     *
     * @throws RequestException if it is not one of the newest that have ended, its node never reported it, or the viewer may not know it
     */
    ObjectNode history(String container) {
        if (!viewer.mayView(ContainerAnswers.applicationOf(container))) {
            throw new RequestException(
                    Response.Status.FORBIDDEN, "%s is not of an application that you may view".formatted(container));
        }
        FinishedTask task = sources.learnt()
                .finished()
                .of(container)
                .filter(finished -> finished.report().isPresent())
                .orElseThrow(() -> RequestException.notFound(
                        "'%s' is not among the newest containers that have ended and that their nodes reported"
                                .formatted(container)));
        CompletedContainer completed = task.completed();
        ObjectNode answer = Json.object()
                .put("container", container)
                .put("application", completed.application())
                .put("task", completed.task().text())
                .put("node", completed.node())
                .put("ending", completed.ending().name())
                .put("endedAt", task.finishedAt().toString());
        summary(answer.putObject("summary"), task, task.report().orElseThrow());
        ArrayNode steps = answer.putArray("steps");
        Capacities node = task.node();
        task.usage()
                .map(usage -> usage.series().steps())
                .orElse(List.of())
                .forEach(step -> step(steps.addObject(), step, node));
        return answer;
    }

    private static void summary(ObjectNode json, FinishedTask task, ContainerReport last) {
        double seconds = last.observed().toMillis() / MILLIS;
        Capacities node = task.node();
        json.put("wallSeconds", seconds);
        task.completed().given().ifPresent(given -> json.put("givenMemoryMb", mb(given.memoryBytes()))
                .put("givenVcores", given.vcores()));
        put(json, "cpuSeconds", mean(last, Signal.CPU, node.cpus() * seconds));
        put(json, "cores", mean(last, Signal.CPU, node.cpus()));
        put(json, "memoryMb", mean(last, Signal.MEM, node.memoryBytes() / BYTES_OF_A_MB));
        Optional<OptionalDouble> peak = task.usage().map(ContainerUse::memoryPeak);
        put(json, "memoryPeakMb", times(peak.orElse(OptionalDouble.empty()), node.memoryBytes() / BYTES_OF_A_MB));
        put(json, "bytesRead", mean(last, Signal.READB, seconds));
        put(json, "bytesWritten", mean(last, Signal.WRITEB, seconds));
        put(json, "networkBytes", mean(last, Signal.NETP, node.networkBitsPerSecond() / Byte.SIZE * seconds));
        put(json, "diskShare", mean(last, Signal.DISK, 1));
    }

    private static void step(ObjectNode json, UseSeries.Step step, Capacities node) {
        json.put("endSeconds", step.end().toMillis() / MILLIS);
        put(json, "cores", level(step, Signal.CPU, node.cpus()));
        put(json, "memoryMb", level(step, Signal.MEM, node.memoryBytes() / BYTES_OF_A_MB));
        put(json, "readBytesPerSecond", level(step, Signal.READB, 1));
        put(json, "writeBytesPerSecond", level(step, Signal.WRITEB, 1));
        put(json, "networkBytesPerSecond", level(step, Signal.NETP, node.networkBitsPerSecond() / Byte.SIZE));
    }

    private static OptionalDouble mean(ContainerReport last, Signal signal, double unit) {
        return times(last.mean().level(signal), unit);
    }

    private static OptionalDouble level(UseSeries.Step step, Signal signal, double unit) {
        Double level = step.levels().get(signal);
        return times(level == null ? OptionalDouble.empty() : OptionalDouble.of(level), unit);
    }

    /** What the node does not tell is not a number, and then nothing is known. */
    private static OptionalDouble times(OptionalDouble level, double unit) {
        return level.isEmpty() || Double.isNaN(unit)
                ? OptionalDouble.empty()
                : OptionalDouble.of(level.getAsDouble() * unit);
    }

    private static void put(ObjectNode json, String name, OptionalDouble value) {
        value.ifPresent(known -> json.put(name, Json.rounded(known)));
    }

    private static double mb(double bytes) {
        return Json.rounded(bytes / BYTES_OF_A_MB);
    }
}
