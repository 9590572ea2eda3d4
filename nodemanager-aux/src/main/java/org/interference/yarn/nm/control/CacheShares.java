package org.interference.yarn.nm.control;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Confines the container that takes most of the memory bandwidth, if it takes much and far more than any other, to a part of the
 * cache and the bandwidth. Pure.
 *
 * @param percent of both that it is left
 */
public record CacheShares(long percent) {
    /** Share of the memory bandwidth from which on a container pollutes. */
    private static final double MUCH = 0.3;

    /** Times the next one's. */
    private static final double FAR_MORE = 2;

    /** Returns who pollutes; empty if nobody does, or there is nobody to suffer. */
    Optional<String> polluter(Map<String, Usage> windows) {
        List<Map.Entry<String, Double>> rates = windows.entrySet().stream()
                .map(entry -> Map.entry(entry.getKey(), entry.getValue().rateOr(Quantity.MEMORY_BANDWIDTH, 0)))
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .toList();
        if (rates.size() < 2) {
            return Optional.empty();
        }
        double first = rates.get(0).getValue();
        return first >= MUCH && first >= FAR_MORE * rates.get(1).getValue()
                ? Optional.of(rates.get(0).getKey())
                : Optional.empty();
    }
}
