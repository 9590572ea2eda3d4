package org.interference.yarn.capacity.yarn;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.interference.yarn.capacity.GovernorSettings;
import org.interference.yarn.capacity.Size;

/**
 * What is known of the size of each node, what an earlier ResourceManager kept of it, and what is kept for the next one. Called by one thread at a time, but for {@link
 * #byNode}.
 */
final class KnownSizes {
    /** Nodes that have not come back by then come back as others, if they do. */
    private static final Duration COME_BACK = Duration.ofDays(1);

    private final ConfiguredSizes store;
    private final NodeStates states;
    private final Map<NodeId, KnownSize> sizes = new ConcurrentHashMap<>();
    /** What an earlier ResourceManager kept of nodes that nobody has seen since; empty while it could not be read. */
    private Optional<Map<String, KeptSize>> before = Optional.empty();

    private Instant beforeUntil = Instant.MAX;

    KnownSizes(ConfiguredSizes store, NodeStates states) {
        this.store = store;
        this.states = states;
    }

    /** Returns the sizes themselves: a map that any thread may read and change. */
    Map<NodeId, KnownSize> byNode() {
        return sizes;
    }

    /** Reads what an earlier ResourceManager kept, and returns whether it could: until then nobody knows what nodes are configured with. */
    boolean read(Instant now) {
        if (before.isEmpty()) {
            before = store.before().map(HashMap::new);
            beforeUntil = now.plus(COME_BACK);
        } else if (now.isAfter(beforeUntil)) {
            before.get().clear();
        }
        return before.isPresent();
    }

    /** Returns the nodes that an earlier ResourceManager kept a size of and that have not been seen since. */
    List<String> missing() {
        return before.map(earlier -> List.copyOf(earlier.keySet())).orElse(List.of());
    }

    /** Returns what is known of a node as it is now; empty while nobody can say. */
    Optional<KnownSize> of(RMNode node) {
        return Optional.ofNullable(sizes.compute(
                node.getNodeID(),
                (id, known) -> known == null ? first(id, Sizes.of(node.getTotalCapability())) : seen(known, node)));
    }

    /** Notes that somebody else gives a node {@code size}. */
    void given(NodeId node, Size size) {
        sizes.computeIfPresent(node, (same, known) -> known.given(size));
    }

    /** Notes that we ask for {@code size}. What somebody else has given the node meanwhile stays noted. */
    void asks(RMNode node, Size size, Instant at) {
        sizes.computeIfPresent(
                node.getNodeID(), (same, known) -> seen(known, node).asks(size, at));
    }

    /** Returns null while nobody can say. */
    private KnownSize first(NodeId id, Size usable) {
        Optional<KeptSize> kept = before.map(earlier -> earlier.get(id.toString()));
        Optional<KnownSize> first = KnownSize.of(usable, kept, states.nodeSince(id), GovernorSettings.HIGHEST_FACTOR);
        first.ifPresent(known -> before.ifPresent(earlier -> earlier.remove(id.toString())));
        return first.orElse(null);
    }

    /**
     * Returns what is known of a node as it is now. Once it is back at what is configured nothing of ours is left only when its NodeManager has been told: one that is lost
     * before registers with what it was told last.
     */
    static KnownSize seen(KnownSize known, RMNode node) {
        Size now = Sizes.of(node.getTotalCapability());
        return now.equals(known.configured()) && node.isUpdatedCapability() ? known : known.seen(now);
    }

    /** Has the configured sizes of all nodes kept that have, or are to get, another one, and of those that are not here yet. */
    void keep(Set<NodeId> wantsToGrow) {
        if (before.isEmpty()) {
            return;
        }
        Map<String, KeptSize> wanted = new HashMap<>(before.get());
        sizes.forEach((id, known) -> {
            if (!known.asked().isEmpty() || wantsToGrow.contains(id)) {
                wanted.put(id.toString(), toKeep(id, known));
            }
        });
        if (!wanted.equals(store.kept())) {
            store.keep(wanted);
        }
    }

    boolean isKept(NodeId id, KnownSize size) {
        return toKeep(id, size).equals(store.kept().get(id.toString()));
    }

    private KeptSize toKeep(NodeId id, KnownSize size) {
        OptionalLong since = states.nodeSince(id);
        KeptSize kept = store.kept().get(id.toString());
        // What does not report has not grown since.
        return new KeptSize(size.configured(), since.isEmpty() && kept != null ? kept.nodeSince() : since);
    }
}
