package org.interference.yarn.it;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.interference.yarn.nm.app.InterferenceNodeAgent;
import org.interference.yarn.nm.app.NodeSettings;
import org.interference.yarn.nm.collect.Count;
import org.interference.yarn.nm.collect.CounterSource;
import org.interference.yarn.nm.collect.WatchedContainer;
import org.interference.yarn.signal.Signal;

/** The NodeManager plugin with its real sources, which a test can break and mend on single nodes. */
public final class FailingOnDemandAgent extends InterferenceNodeAgent {
    /** Static because YARN makes the agents by reflection. */
    private static final Set<String> BROKEN = ConcurrentHashMap.newKeySet();

    static void breakOn(String node) {
        BROKEN.add(node);
    }

    static void mend() {
        BROKEN.clear();
    }

    @Override
    protected CounterSource counterSource(Context context, NodeSettings settings) {
        return new FailingOnDemand(context, super.counterSource(context, settings));
    }

    private record FailingOnDemand(Context context, CounterSource real) implements CounterSource {
        @Override
        public String name() {
            return real.name();
        }

        @Override
        public Map<String, Map<Signal, Count>> snapshot(Collection<WatchedContainer> containers) throws IOException {
            if (BROKEN.contains(String.valueOf(context.getNodeId()))) {
                throw new LinkageError("the plugin is broken on purpose");
            }
            return real.snapshot(containers);
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
