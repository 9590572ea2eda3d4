package org.interference.yarn.sim.herd;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.interference.yarn.relocate.CpuGreedyPolicy;
import org.interference.yarn.relocate.HerdChoice;
import org.interference.yarn.relocate.HerdView;

/**
 * A staircase scenario as it is lived through, five seconds at a time, while a policy moves containers. A host's cores are divided evenly among its containers whatever their
 * threads, and what one cannot use goes to the others, as is published of CFS. A move costs nothing. Not thread-safe.
 */
final class StaircaseRun {
    /** So often one container may be moved: not published of this experiment (of the OLTP policy's, 150 s). */
    private static final int EVALUATION_SECONDS = 30;

    /** "Herd Monitor Sampling Rate". */
    private static final int STEP_SECONDS = 5;

    private final Staircase scenario;
    private final Policy policy;
    private final int[] host;
    private final double[] rate;
    private int moves;

    /** Who moves containers. */
    enum Policy {
        /** Nobody: the published control experiment. */
        CONTROL,
        /** The published policy's first form, with a baseline of 1 for the number of processes. */
        GREEDY,
        /** Its form for multi-thread containers. */
        GREEDY_FOR_THREADS,
        /** The published "cheating" policy, which knows every container's threads: all are placed anew, the largest first, where least is asked for. */
        IDEAL
    }

    /**
     * What came of it, in the terms of the published tables.
     *
     * @param hostCpu mean share of the hosts' cores that were used
     * @param containerCpu mean cores that a running container used, which is what it gets done
     */
    record Outcome(double hostCpu, double containerCpu, int moves) {}

    private StaircaseRun(Staircase scenario, Policy policy) {
        this.scenario = scenario;
        this.policy = policy;
        this.host = scenario.containers().stream()
                .mapToInt(Staircase.Container::host)
                .toArray();
        this.rate = new double[host.length];
    }

    static Outcome of(Staircase scenario, Policy policy) {
        return new StaircaseRun(scenario, policy).live();
    }

    private Outcome live() {
        double used = 0;
        long running = 0;
        int steps = 0;
        for (int now = 0; now < scenario.seconds(); now += STEP_SECONDS) {
            share(now);
            if (now > 0 && now % EVALUATION_SECONDS == 0) {
                move(now);
                share(now);
            }
            used += Arrays.stream(rate).sum();
            running += running(now).count();
            steps++;
        }
        return new Outcome(used / steps / scenario.hosts() / scenario.cores(), used / running, moves);
    }

    private IntStream running(int now) {
        return IntStream.range(0, host.length)
                .filter(i -> scenario.containers().get(i).begins() <= now
                        && now < scenario.containers().get(i).ends());
    }

    private int threads(int container) {
        return scenario.containers().get(container).threads();
    }

    /** Divides each host's cores: those of few threads first, so that what they leave is the others'. */
    private void share(int now) {
        Arrays.fill(rate, 0);
        for (int each = 0; each < scenario.hosts(); each++) {
            int here = each;
            List<Integer> there = running(now)
                    .filter(i -> host[i] == here)
                    .boxed()
                    .sorted(Comparator.comparingInt(this::threads))
                    .toList();
            double left = scenario.cores();
            for (int i = 0; i < there.size(); i++) {
                rate[there.get(i)] = Math.min(threads(there.get(i)), left / (there.size() - i));
                left -= rate[there.get(i)];
            }
        }
    }

    private void move(int now) {
        switch (policy) {
            case CONTROL -> {}
            case GREEDY, GREEDY_FOR_THREADS ->
                CpuGreedyPolicy.choose(view(now)).move().ifPresent(this::move);
            case IDEAL -> placeAll(now);
        }
    }

    private void move(HerdChoice.Move choice) {
        host[Integer.parseInt(choice.container())] = Integer.parseInt(choice.to());
        moves++;
    }

    private HerdView view(int now) {
        double[] used = new double[scenario.hosts()];
        running(now).forEach(i -> used[host[i]] += rate[i]);
        return new HerdView(
                IntStream.range(0, used.length)
                        .mapToObj(i -> new HerdView.Host(
                                Integer.toString(i),
                                OptionalDouble.empty(),
                                OptionalDouble.empty(),
                                OptionalDouble.of(used[i] / scenario.cores()),
                                OptionalDouble.of(scenario.cores())))
                        .toList(),
                running(now)
                        .mapToObj(i -> new HerdView.Container(
                                Integer.toString(i),
                                Integer.toString(host[i]),
                                0,
                                OptionalDouble.empty(),
                                OptionalDouble.of(rate[i] / scenario.cores()),
                                policy == Policy.GREEDY ? OptionalDouble.empty() : OptionalDouble.of(threads(i))))
                        .toList());
    }

    private void placeAll(int now) {
        int[] asked = new int[scenario.hosts()];
        running(now)
                .boxed()
                .sorted(Comparator.comparingInt(this::threads).reversed())
                .forEach(i -> {
                    int least = IntStream.range(0, asked.length)
                            .boxed()
                            .min(Comparator.comparingInt(each -> asked[each]))
                            .orElseThrow();
                    asked[least] += threads(i);
                    moves += least == host[i] ? 0 : 1;
                    host[i] = least;
                });
    }
}
