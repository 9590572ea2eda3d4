package org.interference.yarn.sim.faults;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerResponse;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.sim.faults.Fault.Lie;
import org.interference.yarn.wire.HeartbeatCodec;

/** A node: its containers, and what its plugin reports of them. Not thread-safe. */
final class Worker {
    /** As YARN and the node see each other. */
    enum State {
        UP,
        /** Its heartbeats do not come; YARN waits. */
        SILENT,
        /** YARN has given it up, or it has been told to go. */
        GONE
    }

    /**
     * What runs.
     *
     * @param ends in seconds of the steady clock
     */
    record Running(Container container, int applicant, double level, double began, double ends) {
        String id() {
            return container.getId().toString();
        }
    }

    private final int index;
    private final NodeId id;
    private final List<Running> running = new ArrayList<>();
    private final List<Lie> lies = new ArrayList<>();
    private State state = State.UP;
    private boolean decommissioning;
    private int slots;
    private int responseId;
    private RegisterNodeManagerResponse registration;
    private long incarnation = 1;
    private long sequence;
    private byte[] last = new byte[0];

    Worker(int index, NodeId id, int slots) {
        this.index = index;
        this.id = id;
        this.slots = slots;
    }

    int index() {
        return index;
    }

    NodeId id() {
        return id;
    }

    List<Running> running() {
        return running;
    }

    State state() {
        return state;
    }

    void become(State next) {
        state = next;
    }

    boolean isDecommissioning() {
        return decommissioning;
    }

    void decommissioning(boolean now) {
        decommissioning = now;
    }

    int slots() {
        return slots;
    }

    void resize(int now) {
        slots = now;
    }

    void registered(RegisterNodeManagerResponse response) {
        registration = response;
        responseId = 0;
        state = State.UP;
        decommissioning = false;
    }

    RegisterNodeManagerResponse registration() {
        return registration;
    }

    int responseId() {
        return responseId;
    }

    void answered(int id) {
        responseId = id;
    }

    /** Its NodeManager starts anew. */
    void restarted() {
        running.clear();
        incarnation++;
        sequence = 0;
    }

    void lies(Lie lie) {
        lies.add(lie);
    }

    void honest() {
        lies.clear();
    }

    /**
     * Returns what the heartbeat of this second carries.
     *
     * @param ended those of its containers that ended since the last one
     * @param others what runs on other nodes
     */
    byte[] report(double now, Instant wall, List<Running> ended, List<Running> others, Random random) {
        Lie lie = lies.isEmpty() ? null : lies.get(random.nextInt(lies.size()));
        if (lie == Lie.REPEATED && last.length > 0) {
            return last;
        }
        if (lie == Lie.NOISE) {
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            return noise;
        }
        // By the id: what is said of a container twice is not said twice.
        Map<String, ContainerReport> reports = new HashMap<>();
        running.forEach(task -> reports.put(task.id(), truth(task, now, false)));
        ended.forEach(task -> reports.put(task.id(), truth(task, now, true)));
        if (lie == Lie.FORGED || lie == Lie.ABSURD) {
            others.forEach(task -> reports.putIfAbsent(task.id(), lie(task, lie, random)));
        }
        if (lie == Lie.ABSURD) {
            running.stream()
                    .filter(task -> task.applicant() != 0)
                    .forEach(task -> reports.put(task.id(), lie(task, lie, random)));
        }
        sequence++;
        long numbered = lie == Lie.OLD ? Math.max(1, sequence - 5 - random.nextInt(20)) : sequence;
        last = HeartbeatCodec.encode(new NodeReport(incarnation, numbered, wall, List.copyOf(reports.values())));
        return last;
    }

    private static ContainerReport truth(Running task, double now, boolean ended) {
        return report(task, Duration.ofMillis(Math.round((now - task.began()) * 1000)), task.level(), ended);
    }

    private ContainerReport lie(Running task, Lie lie, Random random) {
        if (lie == Lie.ABSURD) {
            double[] levels = {1e30, Double.MAX_VALUE, 1e9, 65};
            return report(
                    task,
                    Duration.ofDays(random.nextInt(10_000)),
                    levels[random.nextInt(levels.length)],
                    random.nextBoolean());
        }
        return report(task, Duration.ofMinutes(10 * (sequence + 1)), 0.02, random.nextInt(4) == 0);
    }

    private static ContainerReport report(Running task, Duration observed, double level, boolean ended) {
        Reading.Measured reading = new Reading.Measured(level, level, level, false, "injected");
        return new ContainerReport(
                task.id(), observed, ended, Map.of(Signal.CPU, reading, Signal.MBW, reading, Signal.LLOCC, reading));
    }
}
