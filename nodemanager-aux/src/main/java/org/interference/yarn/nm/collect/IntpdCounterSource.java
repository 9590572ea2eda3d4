package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.intpd.IntpdAbility;
import org.interference.yarn.wire.intpd.IntpdAnswer;
import org.interference.yarn.wire.intpd.IntpdCount;
import org.interference.yarn.wire.intpd.IntpdRequest;

/**
 * Counts from intpd, the node's collector, over its Unix socket.
 *
 * <p>The daemon has a second for each answer; a snapshot that fails ends the connection, and the next one
 * connects again. Every watch that the daemon accepts on a connection begins another epoch, because the daemon may
 * have been restarted in between and then counts from zero.
 *
 * <p>A daemon that sees none of the processes that this user sees, as where {@code /proc} is mounted with {@code hidepid}, fails.
 */
public final class IntpdCounterSource implements CounterSource {
    static final String NAME = "intpd";

    /**
     * So many the daemon enters in one of its turns (ADR-0031), for which it lists {@code /proc} once: on a node of many processes that takes a part
     * of the second that each line has. It reads lines of at most 64 KiB; a container takes less than 200 bytes of one.
     */
    private static final int CONTAINERS_PER_LINE = 32;

    private static final String NO_PROCESS = "no_process";

    /** Sources that count without the daemon, too. */
    private static final Set<String> STAND_INS = Set.of(ControlGroupCounterSource.NAME, ControlGroupCounterSource.PROC);

    private final Path socket;
    private final LongSupplier nanoTime;
    private final LongFunction<OptionalLong> startTicks;
    /** Containers that a daemon may still watch for us, on whatever connection it was asked to. */
    private final Set<String> asked = new HashSet<>();
    /** What the daemon has accepted on this connection. */
    private final Map<String, Watch> watches = new HashMap<>();
    /** The root process of each container, as it was when the container was first listed with its pid. */
    private final Map<String, IntpdRequest.Root> roots = new HashMap<>();

    private Optional<IntpdSession> session = Optional.empty();
    private long daemonStart;
    private Map<Signal, IntpdAbility> abilities = Map.of();
    private Map<String, Map<String, Double>> preemptors = Map.of();
    private Map<String, List<Flow>> flows = Map.of();
    private long epoch;
    /** Whether the daemon saw no process where we see one, and none since. */
    private boolean blind;

    /**
     * @param socket where the daemon listens
     * @param nanoTime a monotonic clock, as {@link System#nanoTime}
     * @param startTicks when the process with a pid started, in clock ticks since boot; empty if there is none
     */
    public IntpdCounterSource(Path socket, LongSupplier nanoTime, LongFunction<OptionalLong> startTicks) {
        this.socket = socket;
        this.nanoTime = nanoTime;
        this.startTicks = startTicks;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Map<String, Map<Signal, Count>> snapshot(Collection<WatchedContainer> containers) throws IOException {
        Map<String, Long> pids = new LinkedHashMap<>();
        containers.forEach(container -> pids.put(container.id(), container.rootPid()));
        roots.keySet().retainAll(pids.keySet());
        pids.forEach((id, pid) -> roots.compute(
                id,
                (same, known) -> known != null && known.pid() == pid
                        ? known
                        : new IntpdRequest.Root(pid, startTicks.apply(pid))));
        boolean complete = false;
        try {
            Map<String, Map<Signal, Count>> counts = snapshot(pids);
            complete = true;
            return counts;
        } catch (IOException e) {
            throw new IOException("intpd at %s: %s".formatted(socket, e.getMessage()), e);
        } finally {
            if (!complete) {
                close();
            }
        }
    }

    private Map<String, Map<Signal, Count>> snapshot(Map<String, Long> pids) throws IOException {
        IntpdSession daemon = connected();
        unwatchOthers(daemon, pids.keySet());
        Map<String, String> refusals = watchMissing(daemon, pids);
        requireSight(refusals);
        IntpdAnswer.Snapshot snapshot = daemon.ask(new IntpdRequest.Snapshot(abilities), IntpdAnswer.Snapshot.class);
        if (snapshot.startNanos() != daemonStart) {
            throw new IOException("another daemon answers on the same connection");
        }
        // What the daemon no longer knows it is asked to watch again.
        watches.keySet().retainAll(snapshot.containers().keySet());
        preemptors = preemptors(snapshot);
        flows = IntpdFlows.of(snapshot);
        Map<String, Map<Signal, Count>> counts = new HashMap<>();
        for (String id : pids.keySet()) {
            Watch watch = watches.get(id);
            if (watch != null) {
                counts.put(id, counts(snapshot.containers().get(id), watch.epoch()));
            } else if (refusals.containsKey(id) && !refusals.get(id).equals(NO_PROCESS)) {
                counts.put(id, refused(refusals.get(id)));
            }
        }
        return counts;
    }

    @Override
    public Map<String, Map<String, Double>> preemptors() {
        return preemptors;
    }

    private static Map<String, Map<String, Double>> preemptors(IntpdAnswer.Snapshot snapshot) {
        Map<String, Map<String, Double>> preemptors = new HashMap<>();
        snapshot.takers().forEach((victim, known) -> {
            Map<String, Double> times = new LinkedHashMap<>();
            known.forEach(taker -> times.put(taker.container().orElse(""), taker.times()));
            preemptors.put(victim, times);
        });
        return preemptors;
    }

    @Override
    public Map<String, List<Flow>> flows() {
        return flows;
    }

    private IntpdSession connected() throws IOException {
        if (session.isEmpty()) {
            IntpdSession opened = IntpdSession.open(socket, nanoTime);
            session = Optional.of(opened);
            IntpdAnswer.Hello hello = opened.ask(new IntpdRequest.Hello(), IntpdAnswer.Hello.class);
            daemonStart = hello.startNanos();
            abilities = hello.signals();
        }
        return session.get();
    }

    private void unwatchOthers(IntpdSession daemon, Set<String> wanted) throws IOException {
        List<String> gone = asked.stream().filter(id -> !wanted.contains(id)).toList();
        for (List<String> batch : batches(gone)) {
            daemon.ask(new IntpdRequest.Unwatch(batch), IntpdAnswer.Unwatched.class);
            batch.forEach(asked::remove);
            batch.forEach(watches::remove);
        }
    }

    /** Returns, by container, the codes of those that the daemon refuses to watch. */
    private Map<String, String> watchMissing(IntpdSession daemon, Map<String, Long> pids) throws IOException {
        watches.entrySet().removeIf(watch -> watch.getValue().pid() != pids.get(watch.getKey()));
        List<String> missing =
                pids.keySet().stream().filter(id -> !watches.containsKey(id)).toList();
        Map<String, String> refusals = new HashMap<>();
        for (List<String> batch : batches(missing)) {
            Map<String, IntpdRequest.Root> request = new LinkedHashMap<>();
            batch.forEach(id -> request.put(id, roots.get(id)));
            asked.addAll(batch);
            IntpdAnswer.Watched answer = daemon.ask(new IntpdRequest.Watch(request), IntpdAnswer.Watched.class);
            epoch++;
            answer.watched().stream()
                    .filter(request::containsKey)
                    .forEach(id -> watches.put(id, new Watch(request.get(id).pid(), epoch)));
            answer.refused().forEach((id, refused) -> refusals.put(id, refused.code()));
        }
        return refusals;
    }

    /**
     * A daemon that sees no process of another user answers as if all containers had ended, and then nothing would be measured. What
     * it has not seen since it was found out proves nothing, or an idle node's source would change with each job.
     */
    private void requireSight(Map<String, String> refusals) throws IOException {
        boolean sees = !watches.isEmpty() || refusals.values().stream().anyMatch(code -> !code.equals(NO_PROCESS));
        blind = !sees && (blind || refusals.keySet().stream().anyMatch(this::isRunning));
        if (blind) {
            throw new IOException(
                    "it sees none of the containers' processes, which this user sees; is /proc mounted with hidepid?");
        }
    }

    /** Whether the container's process was there before the daemon was asked, and still is. */
    private boolean isRunning(String container) {
        IntpdRequest.Root root = roots.get(container);
        return root != null
                && root.startTicks().isPresent()
                && root.startTicks().equals(startTicks.apply(root.pid()));
    }

    private static List<List<String>> batches(List<String> ids) {
        List<List<String>> batches = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += CONTAINERS_PER_LINE) {
            batches.add(ids.subList(from, Math.min(ids.size(), from + CONTAINERS_PER_LINE)));
        }
        return batches;
    }

    private static Map<Signal, Count> counts(Map<Signal, IntpdCount> counted, long epoch) {
        Map<Signal, Count> counts = new EnumMap<>(Signal.class);
        for (Signal signal : Signal.values()) {
            IntpdCount count = counted.get(signal);
            counts.put(signal, count == null ? unmentioned() : count(count, epoch));
        }
        return counts;
    }

    private static Count count(IntpdCount count, long epoch) {
        // What the daemon reads and what stands in for it reads count from different moments and must not look like one
        // source.
        String source = STAND_INS.contains(count.source()) ? NAME + "/" + count.source() : count.source();
        if (count instanceof IntpdCount.Counted counted) {
            return new Count.Counted(counted.used(), counted.capacity(), counted.apportioned(), source, epoch);
        }
        return new Count.NotCounted(((IntpdCount.Unavailable) count).reason(), source);
    }

    private static Count unmentioned() {
        return new Count.NotCounted("intpd does not report it", NAME);
    }

    /** The daemon's message may name the container or its process, so the reason is its code. */
    private static Map<Signal, Count> refused(String code) {
        Map<Signal, Count> counts = new EnumMap<>(Signal.class);
        for (Signal signal : Signal.values()) {
            counts.put(signal, new Count.NotCounted("intpd refuses to watch the container: " + code, NAME));
        }
        return counts;
    }

    /** Ends the connection; the daemon keeps its watches, and a later snapshot finds them. */
    @Override
    public void close() {
        Optional<IntpdSession> ended = session;
        session = Optional.empty();
        watches.clear();
        preemptors = Map.of();
        flows = Map.of();
        ended.ifPresent(IntpdCounterSource::closeQuietly);
    }

    private static void closeQuietly(IntpdSession session) {
        try {
            session.close();
        } catch (IOException e) {
            // Nothing is lost with a connection that is given up.
        }
    }

    private record Watch(long pid, long epoch) {}
}
