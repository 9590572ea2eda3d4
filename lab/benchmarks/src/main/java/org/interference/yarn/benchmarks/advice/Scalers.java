package org.interference.yarn.benchmarks.advice;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.interference.yarn.advice.Amount;
import org.interference.yarn.advice.NodeAdvisor;
import org.interference.yarn.benchmarks.advice.ScaledCluster.Decision;
import org.interference.yarn.benchmarks.advice.ScaledCluster.Known;
import org.interference.yarn.benchmarks.advice.ScaledCluster.Scaler;
import org.interference.yarn.benchmarks.advice.ScaledCluster.View;

/** Who decides how many nodes there are. */
final class Scalers {
    private static final Amount TASK = new Amount(1024, 1);
    private static final Amount NODE = TASK.times(ScaledCluster.PLACES);

    /** Kubernetes' defaults of its HorizontalPodAutoscaler: how often it looks, what it takes for equal, and how long it waits before it shrinks. */
    private static final long LOOKS_EVERY_SECONDS = 15;

    private static final double TOLERANCE = 0.1;
    private static final long SHRINKS_AFTER_SECONDS = 300;

    private Scalers() {}

    /** Who follows the advice. */
    static Scaler advised(long preparationSeconds) {
        return view -> {
            NodeAdvisor.Advice advice = advice(view, preparationSeconds);
            int change = advice.change() > 0 ? Math.max(0, advice.change() - view.coming()) : advice.change();
            return new Decision(change, advice.again().toSeconds());
        };
    }

    /** Algorithm 1 as it is printed: nothing is done while nothing waits, and nodes go only while tasks wait for which what is free does not do. */
    static Scaler asPrinted(long preparationSeconds) {
        return view -> {
            NodeAdvisor.Advice advice = advice(view, preparationSeconds);
            return advice.change() > 0
                    ? new Decision(advice.change(), preparationSeconds)
                    : new Decision(0, advice.again().toSeconds());
        };
    }

    private static NodeAdvisor.Advice advice(View view, long preparationSeconds) {
        return NodeAdvisor.of(new NodeAdvisor.Cluster(
                Math.max(1, view.nodes()),
                NODE,
                TASK.times((double) view.free()),
                tasks(view.running()),
                tasks(view.waiting()),
                Duration.ofSeconds(preparationSeconds)));
    }

    private static List<NodeAdvisor.Tasks> tasks(List<Known> known) {
        return known.stream()
                .map(some -> new NodeAdvisor.Tasks(TASK, some.tasks(), some.seconds()))
                .toList();
    }

    /** A threshold on the use of places, by equation 7.1, which shrinks to the most that was asked for in five minutes. */
    static Scaler threshold(double desiredUse) {
        Deque<long[]> asked = new ArrayDeque<>();
        return view -> {
            double places = (double) view.nodes() * ScaledCluster.PLACES;
            double use = 1 - view.free() / places;
            long wanted = Math.abs(use / desiredUse - 1) <= TOLERANCE
                    ? view.nodes()
                    : Math.max(ScaledCluster.FEWEST_NODES, NodeAdvisor.byUse(view.nodes(), use, desiredUse));
            asked.add(new long[] {view.now(), wanted});
            while (asked.peek()[0] < view.now() - SHRINKS_AFTER_SECONDS) {
                asked.remove();
            }
            long most = asked.stream().mapToLong(one -> one[1]).max().orElse(wanted);
            long all = view.nodes() + (long) view.coming();
            long change = wanted > all ? wanted - all : most < view.nodes() ? most - view.nodes() : 0;
            return new Decision((int) change, LOOKS_EVERY_SECONDS);
        };
    }
}
