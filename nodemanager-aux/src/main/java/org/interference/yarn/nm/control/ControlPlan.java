package org.interference.yarn.nm.control;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.interference.yarn.signal.ControlStatus;

/**
 * What one tick decided.
 *
 * @param statuses of every container, as they will be once the changes are made
 * @param remarks what an operator should read, as that the controller stepped back
 */
public record ControlPlan(List<Change> changes, Map<String, ControlStatus> statuses, List<String> remarks) {
    public ControlPlan {
        changes = List.copyOf(changes);
        statuses = Collections.unmodifiableMap(new LinkedHashMap<>(statuses));
        remarks = List.copyOf(remarks);
    }
}
