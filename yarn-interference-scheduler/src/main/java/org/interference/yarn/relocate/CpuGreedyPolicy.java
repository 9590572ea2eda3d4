package org.interference.yarn.relocate;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.relocate.HerdView.Container;
import org.interference.yarn.relocate.HerdView.Host;

/**
 * The "CPU Greedy Policy" of the same source as {@link OltpPolicy}, section 5.3.2, and its form "for Multi-thread Containers": from the host with the highest CPU
 * utilization, the container with the lowest CPU usage, normalised by the host's cores, goes to the host with the most CPU available. A function of the view alone. It
 * is told, and moves nothing here.
 *
 * <p>The first form "has a baseline of 1 for the number of processes"; the second knows that number. What it does with it is not published: here a container's usage
 * is that of each of its processes, which is the first form where each has one, as it is where nobody counts them.
 */
public final class CpuGreedyPolicy {
    private static final String NAME = "CPU Greedy Policy";
    /** Of the second form, which knows how many processes there are. */
    private static final String NAME_WITH_PROCESSES = "CPU Greedy Policy for Multi-thread Containers";

    private CpuGreedyPolicy() {}

    /** Returns whom it would move; nobody where the busiest host has the most CPU available, too. */
    public static HerdChoice choose(HerdView view) {
        Optional<Host> busiest = view.most(Host::cpu);
        Optional<Host> freest = view.most(Host::freeCores);
        Optional<HerdChoice.Move> move = busiest.isEmpty() || freest.isEmpty() || busiest.equals(freest)
                ? Optional.empty()
                : view.containers().stream()
                        .filter(container ->
                                container.host().equals(busiest.get().name()))
                        .filter(container -> container.cpu().isPresent())
                        .min(Comparator.comparingDouble(CpuGreedyPolicy::usage).thenComparing(Container::name))
                        .map(container -> new HerdChoice.Move(
                                container.name(), container.host(), freest.get().name()));
        boolean counted = view.containers().stream()
                .anyMatch(container -> container.processes().isPresent());
        return new HerdChoice(counted ? NAME_WITH_PROCESSES : NAME, move, List.of());
    }

    private static double usage(Container container) {
        return container.cpu().getAsDouble() / Math.max(1, container.processes().orElse(1));
    }
}
