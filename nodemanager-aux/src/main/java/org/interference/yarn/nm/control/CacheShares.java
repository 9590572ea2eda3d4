package org.interference.yarn.nm.control;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Confines the container that takes most of the memory bandwidth, if it takes much and far more than any other, to a part of the
 * cache and the bandwidth. Pure.
 *
 * <p>The bandwidth of who is confined may be counted no more: its threads are then in another group of resctrl than the collector's. What
 * is not counted is not nothing, and a container that is freed for it is counted and confined again, for ever. So it stays confined for
 * {@link #LONGEST_UNCOUNTED}, and is freed then to be counted.
 *
 * @param percent of both that it is left
 */
public record CacheShares(long percent) {
    /** Share of the memory bandwidth from which on a container pollutes. */
    private static final double MUCH = 0.3;

    /** Times the next one's. */
    private static final double FAR_MORE = 2;

    /** After so long without a count a container may have changed its ways; to be free for two ticks of so many costs the others little. */
    static final Duration LONGEST_UNCOUNTED = Duration.ofMinutes(10);

    /**
     * Returns who pollutes; empty if nobody does, or there is nobody to suffer.
     *
     * @param confined who is taken for a polluter as long as its bandwidth is not counted
     */
    Optional<String> polluter(Map<String, Usage> windows, Optional<String> confined) {
        List<Map.Entry<String, Double>> rates = windows.entrySet().stream()
                .map(entry -> Map.entry(entry.getKey(), entry.getValue().rateOr(Quantity.MEMORY_BANDWIDTH, 0)))
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .toList();
        if (rates.size() < 2) {
            return Optional.empty();
        }
        if (confined.filter(id -> windows.containsKey(id) && !isCounted(windows.get(id)))
                .isPresent()) {
            return confined;
        }
        double first = rates.get(0).getValue();
        return first >= MUCH && first >= FAR_MORE * rates.get(1).getValue()
                ? Optional.of(rates.get(0).getKey())
                : Optional.empty();
    }

    static boolean isCounted(Usage window) {
        return window.amount(Quantity.MEMORY_BANDWIDTH).isPresent();
    }
}
