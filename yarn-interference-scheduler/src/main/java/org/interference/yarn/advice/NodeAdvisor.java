package org.interference.yarn.advice;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.PriorityQueue;

/**
 * How many nodes are needed when those that are asked for now can be ready, in what Zheng calls a resource preparing cycle ("The challenges of scaling up
 * high-throughput workflow with container technology", Notre Dame 2019, 7.4). Pure.
 *
 * <p>After his algorithm 1: what runs and waits is lived through for one cycle on the nodes that there are. Of tasks that finish what they had is
 * free again, and waiting ones get it, in their order; one that does not fit is passed over. What is still waiting then is the shortage of his
 * equation 7.2, {@code RSH(t_rr) = RSH(t_nr) + sum(dRSH(t) - dRIU(t))}, without tasks to come, of which nobody knows. Free memory of several nodes
 * counts as one, there as here.
 *
 * <p>Two lines of the algorithm are not taken as printed. It passes over a task that takes exactly what is free, so that the last place is never used; and it
 * lets idle nodes go only while tasks wait, and none when nothing does, so that a cluster that has grown stays so. The text (7.4.2) has nodes go when
 * there is waste and come when there is shortage, and so has this.
 */
public final class NodeAdvisor {
    /** When to look again unless nodes are on their way. */
    private static final Duration DEFAULT_CYCLE = Duration.ofSeconds(30);

    /** Sums of fractions may miss a whole number by so much. */
    private static final double ROUNDING = 1e-9;

    private NodeAdvisor() {}

    /**
     * Tasks that are alike.
     *
     * @param each what one is given
     * @param seconds how long each will take, or takes from now on if it runs; empty if that is not known: it is taken to be longer than the cycle
     */
    public record Tasks(Amount each, long count, OptionalDouble seconds) {
        public Tasks {
            if (count < 0) {
                throw new IllegalArgumentException("there cannot be %d tasks".formatted(count));
            }
        }
    }

    /**
     * The cluster at one moment.
     *
     * @param nodes how many run
     * @param node what one of them has, in the mean; more than nothing
     * @param free of all of them
     * @param waiting in the order in which they will be served
     * @param preparation how long it takes from asking for a node until it runs
     */
    public record Cluster(
            int nodes, Amount node, Amount free, List<Tasks> running, List<Tasks> waiting, Duration preparation) {
        public Cluster {
            running = List.copyOf(running);
            waiting = List.copyOf(waiting);
            if (nodes < 1 || !(node.memoryMb() > 0)) {
                throw new IllegalArgumentException(
                        "a cluster has a node with memory, got %d of %s".formatted(nodes, node));
            }
        }
    }

    /** What to do. */
    public enum Action {
        /** Ask for nodes: tasks will still wait. */
        GROW,
        /** Let nodes go: they will be idle. */
        SHRINK,
        /** Neither. */
        KEEP
    }

    /**
     * The advice. Immutable.
     *
     * @param change how many nodes more, or fewer if below 0
     * @param again when to ask again: not before nodes that are asked for now can be ready
     * @param shortageNow what waits
     * @param shortageThen what will still wait, without what no node is large enough for
     * @param idleThen what will be free
     * @param tooLarge waiting tasks that no node is large enough for
     */
    public record Advice(
            Action action,
            int change,
            Duration again,
            Amount shortageNow,
            Amount shortageThen,
            Amount idleThen,
            long tooLarge) {}

    /** Tasks that will finish together. */
    private record End(double second, Amount all) {}

    public static Advice of(Cluster cluster) {
        double cycle = cluster.preparation().toMillis() / 1000.0;
        PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparingDouble(End::second));
        cluster.running().forEach(tasks -> ending(tasks, tasks.count(), 0, ends));
        long[] left = cluster.waiting().stream().mapToLong(Tasks::count).toArray();
        Amount free = dispatched(cluster.waiting(), left, cluster.free(), 0, ends);
        while (!ends.isEmpty() && ends.peek().second() < cycle) {
            End end = ends.remove();
            free = dispatched(cluster.waiting(), left, free.plus(end.all()), end.second(), ends);
        }
        return decided(cluster, left, free);
    }

    private static void ending(Tasks tasks, long count, double now, PriorityQueue<End> ends) {
        if (tasks.seconds().isPresent() && count > 0) {
            // Whatever is overdue ends at any moment.
            double end = now + Math.max(1, tasks.seconds().getAsDouble());
            ends.add(new End(end, tasks.each().times((double) count)));
        }
    }

    /** Gives what is free to those who wait, and returns what is left of it. */
    private static Amount dispatched(
            List<Tasks> waiting, long[] left, Amount free, double now, PriorityQueue<End> ends) {
        Amount remaining = free;
        for (int i = 0; i < left.length && remaining.memoryMb() > 0; i++) {
            Tasks tasks = waiting.get(i);
            long fitting =
                    (long) Math.min((double) left[i], Math.max(0, Math.floor(remaining.over(tasks.each()) + ROUNDING)));
            left[i] -= fitting;
            remaining = remaining.plus(tasks.each().times((double) -fitting));
            ending(tasks, fitting, now, ends);
        }
        return remaining;
    }

    private static Advice decided(Cluster cluster, long[] left, Amount free) {
        Amount before = Amount.NONE;
        Amount after = Amount.NONE;
        long tooLarge = 0;
        for (int i = 0; i < left.length; i++) {
            Tasks tasks = cluster.waiting().get(i);
            before = before.plus(tasks.each().times((double) tasks.count()));
            if (cluster.node().over(tasks.each()) + ROUNDING >= 1) {
                after = after.plus(tasks.each().times((double) left[i]));
            } else {
                tooLarge += left[i];
            }
        }
        int more = whole(Math.ceil(after.in(cluster.node()) - ROUNDING));
        int idle = more > 0 ? 0 : whole(Math.floor(free.over(cluster.node()) + ROUNDING));
        Action action = more > 0 ? Action.GROW : idle > 0 ? Action.SHRINK : Action.KEEP;
        return new Advice(
                action,
                more > 0 ? more : -Math.min(idle, cluster.nodes()),
                more > 0 ? cluster.preparation() : DEFAULT_CYCLE,
                before,
                after,
                free,
                tooLarge);
    }

    private static int whole(double number) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, number));
    }

    /**
     * Returns how many nodes a threshold on their use asks for: Zheng's equation 7.1, {@code DesiredCPU = CurrentCPU CurrentCPUUse / DesiredCPUUse}, which is
     * Kubernetes' HorizontalPodAutoscaler.
     *
     * @param use what share of the nodes is in use
     * @param desiredUse what share is to be, above 0
     */
    public static int byUse(int nodes, double use, double desiredUse) {
        if (!(desiredUse > 0)) {
            throw new IllegalArgumentException("the desired use must be above 0, got " + desiredUse);
        }
        return whole(Math.ceil(nodes * use / desiredUse - ROUNDING));
    }
}
