package org.interference.yarn.sim.faults;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** New ones in each report. */
    private static final int SPELLINGS = 200;
    /** That a container is named twice in a report. */
    private static final int REPETITIONS = 100;
    /** That a container has lived for long. */
    private static final Duration LONG = Duration.ofMinutes(10);
    /** More than YARN writes in each of three places of an id. */
    private static final int MOST_ZEROS = 40;

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
    /** How many spellings of its containers it has made up. */
    private int spellings;

    /** What it says last of the age of containers that have lived for long. */
    private final Map<String, Duration> crept = new HashMap<>();

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
        if (lie == Lie.FORGED) {
            creep(ended, reports);
            last = forged(numbered, wall, reports, random);
        } else {
            last = encoded(numbered, wall, reports.values());
        }
        return last;
    }

    private byte[] encoded(long numbered, Instant wall, Collection<ContainerReport> reports) {
        return HeartbeatCodec.encode(new NodeReport(incarnation, numbered, wall, List.copyOf(reports)));
    }

    /** Of what has lived for long, each report is a millisecond after the last one, and the last one says what no time is enough for. */
    private void creep(List<Running> ended, Map<String, ContainerReport> reports) {
        running.forEach(task -> creep(task, 0, false, reports));
        ended.forEach(task -> creep(task, 64, true, reports));
    }

    private void creep(Running task, double level, boolean ended, Map<String, ContainerReport> reports) {
        Duration truth = reports.get(task.id()).observed();
        if (task.applicant() != 0 && truth.compareTo(LONG) >= 0) {
            Duration observed = crept.merge(task.id(), truth, (before, same) -> before.plusMillis(1));
            reports.put(task.id(), report(task.id(), observed, level, ended));
        }
    }

    /** Says everything, and some of it once more under other names or again and again. */
    private byte[] forged(long numbered, Instant wall, Map<String, ContainerReport> reports, Random random) {
        int how = random.nextInt(3);
        Optional<ContainerReport> own = running.stream()
                .filter(task -> task.applicant() != 0)
                .findFirst()
                .map(task -> reports.get(task.id()));
        if (how == 0 && own.isPresent()) {
            for (int i = 0; i < SPELLINGS; i++) {
                String spelling = spelling(own.get().container(), ++spellings);
                reports.put(spelling, report(spelling, own.get().observed(), 0.95, false));
            }
        }
        byte[] once = encoded(numbered, wall, reports.values());
        return how == 1 && own.isPresent() ? repeated(once, numbered, wall, own.get()) : once;
    }

    /** Returns {@code id} as YARN reads it too: with zeros in three places, and a plus sign in every other one. */
    private static String spelling(String id, int number) {
        String[] parts = id.split("_");
        int zeros = number;
        for (int part = parts.length - 3; part < parts.length; part++) {
            parts[part] = "0".repeat(zeros % MOST_ZEROS) + parts[part];
            zeros /= MOST_ZEROS;
        }
        parts[parts.length - 1] = (number % 2 == 0 ? "+0" : "0") + parts[parts.length - 1];
        return String.join("_", parts);
    }

    /** Messages one behind the other are one message. Nobody writes a container twice, so that its reports are written one by one. */
    private byte[] repeated(byte[] once, long numbered, Instant wall, ContainerReport own) {
        ContainerReport anew = new ContainerReport(own.container(), Duration.ZERO, false, own.readings());
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(once);
        for (int i = 0; i < REPETITIONS; i++) {
            all.writeBytes(encoded(numbered, wall, List.of(anew)));
            all.writeBytes(encoded(numbered, wall, List.of(own)));
        }
        return all.toByteArray();
    }

    private static ContainerReport truth(Running task, double now, boolean ended) {
        return report(task.id(), Duration.ofMillis(Math.round((now - task.began()) * 1000)), task.level(), ended);
    }

    private ContainerReport lie(Running task, Lie lie, Random random) {
        if (lie == Lie.ABSURD) {
            double[] levels = {1e30, Double.MAX_VALUE, 1e9, 65};
            return report(
                    task.id(),
                    Duration.ofDays(random.nextInt(10_000)),
                    levels[random.nextInt(levels.length)],
                    random.nextBoolean());
        }
        return report(task.id(), Duration.ofMinutes(10 * (sequence + 1)), 0.02, random.nextInt(4) == 0);
    }

    private static ContainerReport report(String container, Duration observed, double level, boolean ended) {
        Reading.Measured reading = new Reading.Measured(level, level, level, false, "injected");
        return new ContainerReport(
                container, observed, ended, Map.of(Signal.CPU, reading, Signal.MBW, reading, Signal.LLOCC, reading));
    }
}
