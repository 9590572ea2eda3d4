package org.interference.yarn.learn;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Endpoint;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.signal.NodeReport;

/**
 * Who talks to whom, from what nodes tell of their containers' connections (ADR-0042).
 *
 * <p>A connection is told of by both ends: what has a local end {@code a} and a remote one {@code b} meets what has them the other way round. Ends meet
 * on one node, or on two of which each is known by the address that the other names. Of what the two say the smaller counts, so that no node can claim
 * more than the other one admits. An address is that of the first node that names it as its own, for as long as that goes on. Thread-safe and bounded; who reads waits for
 * nobody but to copy the kinds.
 */
public final class Traffic {
    private static final int MOST_FLOWS = 200_000;
    private static final int MOST_ADDRESSES = 64;
    private static final int MOST_KINDS = 10_000;
    /** No machine moves more: such a rate is none. */
    private static final double MOST_BYTES_PER_SECOND = 1e12;

    private static final Duration LONGEST_WINDOW = Duration.ofMinutes(3);
    private static final Duration HALF_LIFE = Duration.ofDays(1);

    private final Function<String, Optional<String>> kinds;
    private final Map<String, Told> told = new ConcurrentHashMap<>();
    /** By address, whose it is. */
    private final Map<Endpoint, String> nodes = new ConcurrentHashMap<>();

    private final RecentlyUsed<Kinds> exchanged = new RecentlyUsed<>(MOST_KINDS);
    private int flows;

    /** @param kinds of what kind the task in a container is, by container id; empty if nobody knows */
    public Traffic(Function<String, Optional<String>> kinds) {
        this.kinds = kinds;
    }

    /** Where the other end of a connection is. */
    public enum Peer {
        CONTAINER,
        /** On a node that is known by this address, in no connection that a container there tells of: a daemon, or one of its smaller connections. */
        NODE,
        OUTSIDE
    }

    /**
     * What one container exchanges with another, or with what is none.
     *
     * @param other the other container; empty unless {@code peer} is one
     * @param otherNode where that is; empty if it is outside
     * @param sent bytes of payload a second from {@code container} to the other
     * @param received the same the other way
     */
    public record Talk(
            String container,
            String node,
            Peer peer,
            Optional<String> other,
            Optional<String> otherNode,
            double sent,
            double received) {
        private Talk plus(Talk more) {
            return new Talk(container, node, peer, other, otherNode, sent + more.sent(), received + more.received());
        }
    }

    /**
     * What tasks of two kinds have exchanged, or those of one kind among each other.
     *
     * @param kind not after {@code other} in the order of texts
     * @param bytes of which each day halves what was before; as of {@code at}
     */
    public record Kinds(String kind, String other, double bytes, Instant at) {
        private Kinds at(Instant now) {
            double halves = Math.max(0, Duration.between(at, now).toMillis() / (double) HALF_LIFE.toMillis());
            return new Kinds(kind, other, bytes * Math.pow(2, -halves), now);
        }
    }

    private record Ends(Endpoint local, Endpoint remote) {
        static Ends of(Flow flow) {
            return new Ends(flow.local(), flow.remote());
        }

        /** As the other end tells it. */
        Ends mirrored() {
            return new Ends(/* local= */ remote, /* remote= */ local);
        }
    }

    private record Claim(String container, Flow flow) {}

    /** What a node's newest report tells. */
    private record Told(Instant at, Map<Ends, Claim> claims, Set<Endpoint> addresses) {}

    /**
     * Takes what a node tells.
     *
     * @param report what {@code sample} was made of
     */
    public synchronized void take(NodeSample sample, NodeReport report) {
        Optional<Told> before = Optional.ofNullable(told.get(sample.node()));
        if (before.isEmpty()
                && report.containers().stream()
                        .allMatch(container -> container.flows().isEmpty())) {
            return;
        }
        forget(sample.node());
        Map<Ends, Claim> claims = claims(sample, report);
        Set<Endpoint> addresses = new HashSet<>();
        for (Ends ends : claims.keySet()) {
            Endpoint host = ends.local().host();
            if (!host.isLoopback()
                    && addresses.size() < MOST_ADDRESSES
                    && sample.node().equals(nodes.computeIfAbsent(host, any -> sample.node()))) {
                addresses.add(host);
            }
        }
        Told now = new Told(sample.receivedAt(), claims, addresses);
        told.put(sample.node(), now);
        flows += claims.size();
        before.ifPresent(last -> remember(sample.node(), now, Duration.between(last.at(), now.at())));
    }

    private Map<Ends, Claim> claims(NodeSample sample, NodeReport report) {
        Set<String> own = new HashSet<>();
        sample.own().forEach(container -> own.add(container.container()));
        Map<Ends, Claim> claims = new HashMap<>();
        for (ContainerReport container : report.containers()) {
            if (container.ended() || !own.contains(container.container())) {
                continue;
            }
            for (Flow flow : container.flows()) {
                boolean plausible = Math.max(flow.sent(), flow.received()) <= MOST_BYTES_PER_SECOND;
                if (plausible && flows + claims.size() < MOST_FLOWS) {
                    claims.putIfAbsent(Ends.of(flow), new Claim(container.container(), flow));
                }
            }
        }
        return claims;
    }

    /** Each end counts half of what both say, when its node tells of it. */
    private void remember(String node, Told now, Duration window) {
        if (window.compareTo(LONGEST_WINDOW) > 0) {
            return;
        }
        double seconds = Math.max(0, window.toMillis() / 1e3);
        for (Claim claim : now.claims().values()) {
            Talk talk = talk(node, claim);
            Optional<String> kind = kinds.apply(talk.container());
            Optional<String> other = talk.other().flatMap(kinds);
            if (kind.isPresent() && other.isPresent()) {
                add(kind.get(), other.get(), (talk.sent() + talk.received()) * seconds / 2, now.at());
            }
        }
    }

    private void add(String kind, String other, double bytes, Instant now) {
        boolean inOrder = kind.compareTo(other) <= 0;
        String first = inOrder ? kind : other;
        String second = inOrder ? other : kind;
        Kinds known = exchanged
                .getOrDefault(first + "\n" + second, new Kinds(first, second, 0, now))
                .at(now);
        exchanged.put(first + "\n" + second, new Kinds(first, second, known.bytes() + bytes, now));
    }

    private Talk talk(String node, Claim claim) {
        Flow flow = claim.flow();
        Optional<String> at = Optional.ofNullable(
                flow.remote().isLoopback() ? node : nodes.get(flow.remote().host()));
        Optional<String> met = Optional.of(node).filter(same -> mirrored(same, flow) != null);
        if (met.isEmpty() && node.equals(nodes.get(flow.local().host()))) {
            met = at.filter(other -> mirrored(other, flow) != null);
        }
        if (met.isEmpty()) {
            return new Talk(
                    claim.container(),
                    node,
                    at.isPresent() ? Peer.NODE : Peer.OUTSIDE,
                    Optional.empty(),
                    at,
                    flow.sent(),
                    flow.received());
        }
        Claim other = mirrored(met.get(), flow);
        return new Talk(
                claim.container(),
                node,
                Peer.CONTAINER,
                Optional.of(other.container()),
                met,
                Math.min(flow.sent(), other.flow().received()),
                Math.min(flow.received(), other.flow().sent()));
    }

    /** Returns what a node tells of the other end; null if it does not. */
    private Claim mirrored(String node, Flow flow) {
        Told its = told.get(node);
        return its == null ? null : its.claims().get(Ends.of(flow).mirrored());
    }

    /**
     * Returns what each container exchanges with each other one, which is there once, and with what is none, those with the most bytes first; without
     * nodes that have told nothing for {@code now} less three minutes.
     */
    public List<Talk> talks(Instant now) {
        Map<List<String>, Talk> sums = new HashMap<>();
        told.forEach((node, its) -> {
            if (isRecent(its, now)) {
                its.claims().values().forEach(claim -> sum(talk(node, claim), sums));
            }
        });
        List<Talk> talks = new ArrayList<>(sums.values());
        talks.sort(Comparator.comparingDouble((Talk talk) -> talk.sent() + talk.received())
                .reversed()
                .thenComparing(Talk::container)
                .thenComparing(talk -> talk.other().orElse("")));
        return talks;
    }

    /** Of two containers the one whose id is the first speaks for both. */
    private static void sum(Talk talk, Map<List<String>, Talk> sums) {
        boolean first = talk.other().isEmpty()
                || talk.container().compareTo(talk.other().get()) < 0;
        if (first) {
            sums.merge(
                    List.of(
                            talk.container(),
                            talk.peer().name(),
                            talk.other().or(talk::otherNode).orElse("")),
                    talk,
                    Talk::plus);
        }
    }

    private static boolean isRecent(Told its, Instant now) {
        return Duration.between(its.at(), now).compareTo(LONGEST_WINDOW) <= 0;
    }

    /** Returns what kinds of task have exchanged, those with the most bytes first. */
    public List<Kinds> kinds(Instant now) {
        List<Kinds> known;
        synchronized (this) {
            known = List.copyOf(exchanged.values());
        }
        return known.stream()
                .map(pair -> pair.at(now))
                .sorted(Comparator.comparingDouble(Kinds::bytes)
                        .reversed()
                        .thenComparing(Kinds::kind)
                        .thenComparing(Kinds::other))
                .toList();
    }

    /** Returns how many nodes tell of their containers' connections. */
    public int nodes(Instant now) {
        return (int) told.values().stream().filter(its -> isRecent(its, now)).count();
    }

    /** Forgets what nodes have told that are not of the cluster any more, or have been silent for long. */
    public synchronized void sweep(Set<String> cluster, Instant now) {
        for (String node : List.copyOf(told.keySet())) {
            if (!cluster.contains(node) || !isRecent(told.get(node), now)) {
                forget(node);
            }
        }
    }

    private void forget(String node) {
        Told its = told.remove(node);
        if (its != null) {
            flows -= its.claims().size();
            its.addresses().forEach(address -> nodes.remove(address, node));
        }
    }
}
