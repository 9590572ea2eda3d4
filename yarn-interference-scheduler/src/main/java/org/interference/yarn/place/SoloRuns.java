package org.interference.yarn.place;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Nodes that are kept for single runs of kinds of task that were never seen by themselves: how fast such tasks are undisturbed is what slowdowns are
 * counted from, and where a cluster is always full no task is ever undisturbed. A node is let run empty, gets one task of such a kind and nobody
 * else until it ends, then the next kind's, and is as any other again. What that costs is bounded: by a share of the nodes at once, and of the
 * nodes' time, by how long a node is kept in one go, and by one run of a kind in a day. Thread-safe; time is an argument.
 */
final class SoloRuns {
    /** Of fewer nodes each is too much of the cluster. */
    private static final int LEAST_NODES = 5;
    /** Kinds that run longer are not tried: a node would be kept for one task for too long. */
    private static final Duration LONGEST_RUN = Duration.ofMinutes(5);
    /** Who has not asked for so long does not wait any more. */
    private static final Duration WAITS = Duration.ofSeconds(20);
    /** Before so long neither a kind is tried again, nor a node that did not run empty. */
    private static final Duration AGAIN = Duration.ofDays(1);
    /** A run may take so many times as long as it takes on average, */
    private static final int PATIENCE = 3;
    /** and this, to start. */
    private static final Duration START = Duration.ofSeconds(30);

    private static final int MOST_KINDS = 1000;
    /** Of more nodes that a kind was offered, those that it was offered first are forgotten. */
    private static final int MOST_OFFERED = 256;

    /**
     * A node that is kept.
     *
     * @param kind whose run it is kept for
     * @param run the container, or what names it before there is one; empty before the run has begun
     * @param end after which no further run begins
     * @param until when it is given up
     */
    record Kept(String kind, Optional<String> run, Instant since, Instant end, Instant until) {
        private Kept next(String other) {
            return new Kept(other, Optional.empty(), since, end, end);
        }

        private Kept running(String container, Instant longest) {
            return new Kept(kind, Optional.of(container), since, end, longest);
        }

        private boolean runs() {
            return run.isPresent();
        }

        /** Returns whether it has begun as {@code container}, or as what names that. */
        private boolean isRunOf(String container) {
            return run.equals(Optional.of(container));
        }

        /** Returns whether one of {@code other} is to run here once nobody else does. */
        boolean isFor(TaskKind other) {
            return !runs() && kind.equals(other.name());
        }
    }

    /**
     * A kind that waits for its run.
     *
     * @param asked when it last did
     * @param offered nodes that it may have: it has the right size and label for them, and YARN would have given them to it
     */
    private record Waiting(Instant asked, Set<String> offered) {
        Waiting again(String node, Instant now) {
            if (offered.add(node) && offered.size() > MOST_OFFERED) {
                offered.remove(offered.iterator().next());
            }
            return new Waiting(now, offered);
        }
    }

    private final Map<String, Kept> nodes = new HashMap<>();
    /** By kind that was never seen by itself; those that asked longest ago first. */
    private final Map<String, Waiting> waiting = new LinkedHashMap<>();
    /** By kind, and by node: when it may be tried again. */
    private final Map<String, Instant> kindsTried = new HashMap<>();

    private final Map<String, Instant> nodesTried = new HashMap<>();
    /** When the first kind waited; null before. */
    private Instant began;
    /** For how long nodes have been kept that no longer are. */
    private Duration spent = Duration.ZERO;
    /** Whether there is anything to be looked for under the lock. */
    private volatile boolean any;

    /** Notes that one of {@code kind} asks for a container, and is offered {@code node}. */
    void asks(TaskKind kind, String node, Instant now) {
        if (kind.wasAlone() || kind.runSeconds() > LONGEST_RUN.toSeconds()) {
            return;
        }
        synchronized (this) {
            if (began == null) {
                began = now;
            }
            if (isOver(kindsTried, kind.name(), now)) {
                Waiting before = waiting.remove(kind.name());
                if (waiting.size() < MOST_KINDS) {
                    Waiting known = before == null ? new Waiting(now, new LinkedHashSet<>()) : before;
                    waiting.put(kind.name(), known.again(node, now));
                    any = true;
                }
            }
        }
    }

    /**
     * Returns for whom {@code node} is kept, which has room for a container; empty if it is as any other.
     *
     * @param share of the nodes, and of their time, that may be kept
     * @param nodesThere how many nodes the cluster has
     * @param longest for how long a node may be kept before its last run
     */
    Optional<Kept> at(String node, double share, int nodesThere, Duration longest, Instant now) {
        if (!any) {
            return Optional.empty();
        }
        synchronized (this) {
            Kept kept = nodes.get(node);
            if (kept == null) {
                if (mayKeepAnother(node, share, nodesThere, now)) {
                    Instant end = now.plus(longest);
                    next(node, now).ifPresent(kind -> nodes.put(node, new Kept(kind, Optional.empty(), now, end, end)));
                }
            } else if (now.isAfter(kept.until())) {
                expires(node, kept, now, now);
            } else if (!kept.runs() && !waits(kept.kind(), now)) {
                goOn(node, kept, now);
            }
            return Optional.ofNullable(nodes.get(node));
        }
    }

    /** Keeps a node for the next kind, if one waits and there is time for it. */
    private void goOn(String node, Kept kept, Instant now) {
        Optional<String> next = now.isBefore(kept.end()) ? next(node, now) : Optional.empty();
        if (next.isPresent()) {
            nodes.put(node, kept.next(next.get()));
        } else {
            giveUp(node, now);
        }
    }

    private boolean mayKeepAnother(String node, double share, int nodesThere, Instant now) {
        int most = Math.max(1, (int) (share * nodesThere));
        if (nodesThere < LEAST_NODES || nodes.size() >= most || !isOver(nodesTried, node, now)) {
            return false;
        }
        Duration kept = spent;
        for (Kept one : nodes.values()) {
            kept = kept.plus(Duration.between(one.since(), now));
        }
        return kept.toMillis()
                <= share * nodesThere * Duration.between(began, now).toMillis();
    }

    /** Returns a kind that waits, may have {@code node}, and has no node kept for it. */
    private Optional<String> next(String node, Instant now) {
        Iterator<Map.Entry<String, Waiting>> longestAgo = waiting.entrySet().iterator();
        while (longestAgo.hasNext()) {
            Map.Entry<String, Waiting> entry = longestAgo.next();
            if (!waits(entry.getKey(), now)) {
                longestAgo.remove();
            } else if (entry.getValue().offered().contains(node)
                    && nodes.values().stream().noneMatch(kept -> kept.kind().equals(entry.getKey()))) {
                return Optional.of(entry.getKey());
            }
        }
        any = !waiting.isEmpty() || !nodes.isEmpty();
        return Optional.empty();
    }

    private boolean waits(String kind, Instant now) {
        Waiting known = waiting.get(kind);
        return known != null && !known.asked().plus(WAITS).isBefore(now);
    }

    private static boolean isOver(Map<String, Instant> tried, String name, Instant now) {
        Instant again = tried.get(name);
        return again == null || !now.isBefore(again);
    }

    /**
     * Notes that one of {@code kind} gets a container on {@code node}.
     *
     * @param container what names it
     */
    void placed(TaskKind kind, String container, String node, Instant now) {
        if (!any) {
            return;
        }
        synchronized (this) {
            Kept kept = nodes.get(node);
            if (kept != null && kept.isFor(kind)) {
                Duration longest = START.plusMillis((long) (1000 * PATIENCE * kind.runSeconds()));
                nodes.put(node, kept.running(container, now.plus(longest)));
                kindsTried.put(kept.kind(), now.plus(AGAIN));
                waiting.remove(kept.kind());
            }
        }
    }

    /** Takes back what was noted of {@code container}, which the node does not get: it waits on for its run. */
    void dropped(String container, String node) {
        if (!any) {
            return;
        }
        synchronized (this) {
            Kept kept = nodes.get(node);
            if (kept != null && kept.isRunOf(container)) {
                nodes.put(node, kept.next(kept.kind()));
                kindsTried.remove(kept.kind());
            }
        }
    }

    /** Notes that what was noted as {@code proposal} is {@code container}. */
    void named(String proposal, String container, String node) {
        if (!any) {
            return;
        }
        synchronized (this) {
            Kept kept = nodes.get(node);
            if (kept != null && kept.isRunOf(proposal)) {
                nodes.put(node, kept.running(container, kept.until()));
            }
        }
    }

    /** Notes that {@code container} on {@code node} has ended, which need not be the run. */
    void completed(String container, String node, Instant now) {
        if (!any) {
            return;
        }
        synchronized (this) {
            Kept kept = nodes.get(node);
            if (kept != null && kept.isRunOf(container)) {
                goOn(node, kept, now);
            }
        }
    }

    /** Gives up a node whose time is over: one that did not run empty is not tried again soon. */
    private void expires(String node, Kept kept, Instant keptUntil, Instant now) {
        if (!kept.runs()) {
            nodesTried.put(node, now.plus(AGAIN));
        }
        giveUp(node, keptUntil);
    }

    private void giveUp(String node, Instant now) {
        spent = spent.plus(Duration.between(nodes.remove(node).since(), now));
    }

    /** Forgets a node, as if it had been kept for as long as it might. */
    synchronized void forget(String node) {
        Kept kept = nodes.get(node);
        if (kept != null) {
            giveUp(node, kept.until());
        }
    }

    /** Forgets what no longer matters. */
    synchronized void sweep(Instant now) {
        kindsTried.values().removeIf(again -> again.isBefore(now));
        nodesTried.values().removeIf(again -> again.isBefore(now));
        waiting.keySet().removeIf(kind -> !waits(kind, now));
        // Of a node that nobody is offered nothing is heard.
        List<String> over = nodes.entrySet().stream()
                .filter(kept -> kept.getValue().until().isBefore(now))
                .map(Map.Entry::getKey)
                .toList();
        over.forEach(node -> expires(node, nodes.get(node), nodes.get(node).until(), now));
    }
}
