package org.interference.yarn.place.yarn;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.NodeId;

/** Host and port of nodes, as YARN writes them; it writes them anew each time. Thread-safe. */
final class NodeNames {
    private final Map<NodeId, String> names = new ConcurrentHashMap<>();

    String of(NodeId node) {
        return names.computeIfAbsent(node, NodeId::toString);
    }

    void retain(Set<NodeId> known) {
        names.keySet().retainAll(known);
    }
}
