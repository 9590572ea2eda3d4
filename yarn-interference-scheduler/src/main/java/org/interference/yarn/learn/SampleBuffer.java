package org.interference.yarn.learn;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.interference.yarn.learn.Experience.Kept;
import org.interference.yarn.predict.Example;

/**
 * The observations that models are trained on and compared by, bounded. Not thread-safe.
 *
 * <p>One in {@value #HELD_OUT} is held out: no model is ever trained on it, and the newest of these compare them. Of the others
 * the newest are all kept, and of older ones a uniform sample (reservoir, algorithm R: Vitter, ACM TOMS 1985). After a drift
 * what was seen before counts a tenth, and is compared by only as long as there is too little else.
 */
final class SampleBuffer {
    private static final int HELD_OUT = 5;
    private static final double SHARE_AFTER_DRIFT = 0.1;
    /** After hundreds of drifts nothing would be left of it, and no example has a weight of 0. */
    private static final double LEAST_SHARE = 1e-9;

    private final int recentSize;
    private final int reservoirSize;
    private final int heldOutSize;
    private final Random random;
    private final Deque<Kept> recent = new ArrayDeque<>();
    private final List<Kept> reservoir = new ArrayList<>();
    private final Deque<Kept> heldOut = new ArrayDeque<>();
    private long total;
    private long left;
    private int drifts;
    private long totalAtDrift;

    /** @param size observations kept for training: half of them the newest; an eighth as many more are held out */
    SampleBuffer(int size, Random random) {
        this.recentSize = Math.max(1, size / 2);
        this.reservoirSize = Math.max(1, size - recentSize);
        this.heldOutSize = Math.max(1, size / 8);
        this.random = random;
    }

    void add(Observation observation) {
        Kept kept = new Kept(observation, drifts);
        total++;
        if (random.nextInt(HELD_OUT) == 0) {
            heldOut.addLast(kept);
            if (heldOut.size() > heldOutSize) {
                heldOut.removeFirst();
            }
            return;
        }
        recent.addLast(kept);
        if (recent.size() > recentSize) {
            leave(recent.removeFirst());
        }
    }

    private void leave(Kept kept) {
        left++;
        if (reservoir.size() < reservoirSize) {
            reservoir.add(kept);
            return;
        }
        long place = random.nextLong(left);
        if (place < reservoirSize) {
            reservoir.set((int) place, kept);
        }
    }

    /** What comes from now on is of another world than what came before. */
    void drifted() {
        drifts++;
        totalAtDrift = total;
    }

    /** Returns what to train on. */
    List<Example> training() {
        List<Example> examples = new ArrayList<>(reservoir.size() + recent.size());
        for (Iterable<Kept> part : List.of(reservoir, recent)) {
            for (Kept kept : part) {
                double share = Math.max(LEAST_SHARE, Math.pow(SHARE_AFTER_DRIFT, drifts - kept.drifts()));
                examples.add(kept.observation().example(share));
            }
        }
        return examples;
    }

    /** Returns what to compare by, oldest first; if possible at least {@code least}, and nothing of before the last drift. */
    List<Observation> heldOut(int least) {
        List<Observation> since = heldOut.stream()
                .filter(kept -> kept.drifts() == drifts)
                .map(Kept::observation)
                .toList();
        return since.size() >= least
                ? since
                : heldOut.stream().map(Kept::observation).toList();
    }

    /** Returns how many observations are kept to train on. */
    int size() {
        return reservoir.size() + recent.size();
    }

    /** Returns how many observations there ever were. */
    long total() {
        return total;
    }

    /** Returns how many observations there were at the last drift. */
    long totalAtDrift() {
        return totalAtDrift;
    }

    /** Returns all that is kept. */
    Experience.Samples samples() {
        return new Experience.Samples(
                List.copyOf(recent), reservoir, List.copyOf(heldOut), total, left, drifts, totalAtDrift);
    }

    /** Goes on from what an earlier life has kept, in place of what is kept now; of more than there is room for, the newest. */
    void restore(Experience.Samples samples) {
        replace(recent, samples.recent(), recentSize);
        replace(reservoir, samples.reservoir(), reservoirSize);
        replace(heldOut, samples.heldOut(), heldOutSize);
        total = samples.total();
        left = samples.left();
        drifts = samples.drifts();
        totalAtDrift = samples.totalAtDrift();
    }

    private static void replace(Collection<Kept> kept, List<Kept> by, int most) {
        kept.clear();
        kept.addAll(by.subList(Math.max(0, by.size() - most), by.size()));
    }

    /** Returns the newest since the last drift, also those that are held out, oldest first. */
    List<Observation> newest() {
        return Stream.concat(recent.stream(), heldOut.stream())
                .filter(kept -> kept.drifts() == drifts)
                .map(Kept::observation)
                .sorted(Comparator.comparing(Observation::at))
                .toList();
    }
}
