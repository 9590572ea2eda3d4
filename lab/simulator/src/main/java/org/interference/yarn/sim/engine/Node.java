package org.interference.yarn.sim.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.sim.workload.SharedResource;
import org.interference.yarn.sim.world.GroundTruth;
import org.interference.yarn.sim.world.Load;
import org.interference.yarn.sim.world.RequestRatios;

/** One node: its tasks run at the rates that the truth gives them, recomputed whenever one begins, ends or changes phase. */
final class Node {
    private static final Set<SharedResource> PROCESSORS = Set.of(SharedResource.CPU);
    private static final Set<SharedResource> DISK = Set.of(SharedResource.DISK);
    private static final Set<SharedResource> OFF_PROCESSOR =
            Set.of(SharedResource.CPU, SharedResource.DISK, SharedResource.NETWORK);
    /** A second, of all processors of a node undisturbed. */
    private static final double INSTRUCTIONS = 4e10;

    private final int index;
    private final NodeId id;
    private final GroundTruth truth;
    private final List<Load> daemons;
    private final double size;
    private final double memoryMb;
    private final List<Double> boundaries;
    private final List<RunningTask> running = new ArrayList<>();
    private final List<RunningTask> finished = new ArrayList<>();
    private final List<Map<Signal, Double>> levels = new ArrayList<>();
    private double now;
    private double busySeconds;
    /** What everything on the node presses on its CPUs and on its disk together. */
    private double cpu;

    private double disk;
    private double bytes;
    /** The same times seconds. */
    private double cpuSeconds;

    private double diskSeconds;
    private double bytesRead;

    /**
     * @param daemons that run on it for good
     * @param size as a multiple of the node whose shares demands are in
     * @param memoryMb that there is for tasks, MiB; infinite where nobody counts it
     */
    Node(int index, NodeId id, GroundTruth truth, List<Load> daemons, double size, double memoryMb) {
        this.memoryMb = memoryMb;
        this.size = size;
        this.index = index;
        this.id = id;
        this.truth = truth;
        this.daemons = List.copyOf(daemons);
        this.boundaries = new ArrayList<>(truth.phaseEnds());
        boundaries.add(1.0);
        if (memoryMb < Double.POSITIVE_INFINITY) {
            Arrays.stream(RequestRatios.steps()).forEach(boundaries::add);
        }
        recompute();
    }

    int index() {
        return index;
    }

    NodeId id() {
        return id;
    }

    double size() {
        return size;
    }

    List<RunningTask> running() {
        return Collections.unmodifiableList(running);
    }

    List<Load> daemons() {
        return daemons;
    }

    /** CPU seconds that all on the node has used so far, as a share of its CPUs. */
    double cpuSeconds() {
        return cpuSeconds;
    }

    /** Requests in flight so far, times seconds. */
    double diskSeconds() {
        return diskSeconds;
    }

    double bytesRead() {
        return bytesRead;
    }

    /** Slot seconds in use so far. */
    double busySeconds() {
        return busySeconds;
    }

    /** Returns the tasks that finished since the last time. */
    List<RunningTask> takeFinished() {
        List<RunningTask> taken = List.copyOf(finished);
        finished.clear();
        return taken;
    }

    boolean hasFinished() {
        return !finished.isEmpty();
    }

    void start(RunningTask task) {
        running.add(task);
        recompute();
    }

    /** Ends a task that runs here before its work is done, if it still does. */
    void kill(ContainerId container, RunningTask.Killed why) {
        running.stream()
                .filter(task -> task.container().getId().equals(container))
                .findFirst()
                .ifPresent(task -> kill(task, why));
    }

    private void kill(RunningTask task, RunningTask.Killed why) {
        task.kill(why, now);
        running.remove(task);
        finished.add(task);
        recompute();
    }

    /** Returns the memory that there is for tasks, MiB; infinite where nobody counts it. */
    double memoryMb() {
        return memoryMb;
    }

    /** Returns the memory that tasks use now, MiB. */
    double usedMemoryMb() {
        return running.stream().mapToDouble(RunningTask::memoryMb).sum();
    }

    /** Returns the share of the CPUs that is used now. */
    double cpu() {
        return cpu;
    }

    /** Lets the tasks run until {@code to}. */
    void advance(double to) {
        while (now < to && !running.isEmpty()) {
            double step = Math.min(to - now, secondsToNextBoundary());
            for (int i = 0; i < running.size(); i++) {
                running.get(i).run(step, levels.get(i));
            }
            busySeconds += step * running.size();
            pass(step);
            if (crossBoundaries()) {
                recompute();
            }
        }
        pass(Math.max(0, to - now));
    }

    private void pass(double seconds) {
        cpuSeconds += cpu * seconds;
        diskSeconds += disk * seconds;
        bytesRead += bytes * seconds;
        now += seconds;
    }

    private double secondsToNextBoundary() {
        double next = Double.POSITIVE_INFINITY;
        for (RunningTask task : running) {
            for (double boundary : boundaries) {
                next = Math.min(next, task.secondsUntil(boundary));
            }
        }
        return next;
    }

    private boolean crossBoundaries() {
        boolean crossed = false;
        for (RunningTask task : List.copyOf(running)) {
            for (double boundary : boundaries) {
                if (task.isAt(boundary)) {
                    task.reach(boundary);
                    crossed = true;
                }
            }
            if (task.load().progress() >= 1) {
                task.finish(now);
                running.remove(task);
                finished.add(task);
                crossed = true;
            }
        }
        return crossed;
    }

    private void recompute() {
        List<Load> loads = Stream.concat(running.stream().map(RunningTask::load), daemons.stream())
                .toList();
        double[] slowdowns = truth.slowdowns(loads);
        double[] offProcessor = truth.slowdowns(loads, OFF_PROCESSOR);
        double[] byProcessors = truth.slowdowns(loads, PROCESSORS);
        double[] byDisk = truth.slowdowns(loads, DISK);
        levels.clear();
        cpu = 0;
        disk = 0;
        bytes = 0;
        for (int i = 0; i < slowdowns.length; i++) {
            Map<Signal, Double> shown = levels(loads.get(i), slowdowns[i], offProcessor[i], byProcessors[i], byDisk[i]);
            if (i < running.size() && memoryMb < Double.POSITIVE_INFINITY) {
                shown.put(Signal.MEM, running.get(i).memoryMb() / memoryMb);
            }
            cpu += shown.get(Signal.CPU);
            disk += shown.get(Signal.BLK);
            bytes += shown.get(Signal.READB);
            if (i < running.size()) {
                running.get(i).slow(slowdowns[i]);
                levels.add(shown);
            }
        }
        cpu = Math.min(1, cpu);
        killWhatDoesNotFit();
    }

    /** As Linux does: the largest user goes. */
    private void killWhatDoesNotFit() {
        if (usedMemoryMb() > memoryMb) {
            kill(
                    running.stream()
                            .max(Comparator.comparingDouble(RunningTask::memoryMb))
                            .orElseThrow(),
                    RunningTask.Killed.BY_KERNEL);
        }
    }

    /**
     * Returns what perfect counters show of a task: rates fall as the task slows, times and occupancies stay. Who waits for memory or a cache is on a
     * processor meanwhile, so that its use of the processors does not fall by that; its instructions do.
     *
     * @param offProcessor its slowdown by what it does not wait for on a processor
     * @param byProcessors its slowdown by others on the processors
     * @param byDisk its slowdown by others on the disk
     */
    private Map<Signal, Double> levels(
            Load load, double slowdown, double offProcessor, double byProcessors, double byDisk) {
        Map<Signal, Double> shown = new EnumMap<>(Signal.class);
        double network = truth.demand(load, SharedResource.NETWORK) / slowdown;
        double disk = truth.demand(load, SharedResource.DISK);
        double cache = truth.demand(load, SharedResource.CACHE);
        shown.put(Signal.NETP, network);
        shown.put(Signal.NETS, network / 2);
        shown.put(Signal.BLK, disk);
        shown.put(Signal.READB, Counters.BYTES_PER_SECOND * size * disk / slowdown);
        shown.put(Signal.MBW, truth.demand(load, SharedResource.MEMORY_BANDWIDTH) / slowdown);
        shown.put(Signal.LLCMR, Math.min(1, 0.1 + cache / 2));
        shown.put(Signal.LLOCC, cache);
        shown.put(Signal.CPU, truth.demand(load, SharedResource.CPU) / Math.min(slowdown, offProcessor));
        shown.put(Signal.CPUWAIT, waited(byProcessors, slowdown));
        shown.put(Signal.BLKWAIT, disk * waited(byDisk, slowdown));
        shown.put(Signal.INSTR, INSTRUCTIONS * load.kind().demand(SharedResource.CPU) / slowdown);
        return shown;
    }

    /** Returns the share of its time that a task waits for what slows it down by {@code part} of its slowdown. */
    private static double waited(double part, double slowdown) {
        return (Math.min(slowdown, part) - 1) / slowdown;
    }
}
