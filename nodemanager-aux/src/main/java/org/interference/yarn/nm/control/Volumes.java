package org.interference.yarn.nm.control;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.signal.LaunchSignature;

/** How many bytes programs read and wrote in all until they ended, learnt on this node since its start. Not thread-safe. */
final class Volumes {
    private static final int MOST_PROGRAMS = 1000;

    /** What the newest run counts against those before it. */
    private static final double NEWEST = 0.3;

    private final Map<LaunchSignature, Double> bytes = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<LaunchSignature, Double> eldest) {
            return size() > MOST_PROGRAMS;
        }
    };

    void ended(Optional<LaunchSignature> program, double total) {
        program.ifPresent(known -> bytes.merge(known, total, (before, now) -> before + NEWEST * (now - before)));
    }

    /**
     * Returns what a run that has done {@code done} bytes will probably still do. Of one about which nothing is known, and of one that
     * exceeds what is known, that is as much again: of tasks whose sizes differ by orders of magnitude, the older is the longer.
     */
    double left(Optional<LaunchSignature> program, double done) {
        double expected = program.map(bytes::get).orElse(0.0);
        return expected > done ? expected - done : done;
    }
}
