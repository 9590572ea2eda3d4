package org.interference.yarn.learn;

import java.util.LinkedHashMap;
import java.util.Map;

/** What is known by name, bounded: of too many, what was used longest ago goes. Not thread-safe. */
final class RecentlyUsed<V> extends LinkedHashMap<String, V> {
    private static final long serialVersionUID = 1;

    private final int most;

    RecentlyUsed(int most) {
        super(16, 0.75f, true);
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > most;
    }
}
