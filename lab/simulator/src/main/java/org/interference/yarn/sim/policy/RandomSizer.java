package org.interference.yarn.sim.policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.interference.yarn.capacity.Size;

/** A placebo: as much more or less as another run had at that moment, on nodes drawn at random. */
final class RandomSizer implements Sizer {
    private final SizeHistory other;
    private final double factor;
    private final Size step;
    private final SplittableRandom random;
    private final Map<String, Size> sizes = new HashMap<>();
    private Instant drawn = Instant.MIN;

    RandomSizer(SizeHistory other, double factor, Size step, long seed) {
        this.other = other;
        this.factor = factor;
        this.step = step;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public Answer answer(Seen node, Instant now) {
        sizes.putIfAbsent(node.name(), node.configured());
        if (now.isAfter(drawn)) {
            draw(node.configured(), now);
            drawn = now;
        }
        return Answer.of(sizes.get(node.name()));
    }

    /** Nodes are alike here. */
    private void draw(Size configured, Instant now) {
        Size most = configured.times(factor);
        double missing = other.at(now)
                - sizes.values().stream().mapToDouble(Size::memoryMb).sum();
        List<String> names = new ArrayList<>(new java.util.TreeSet<>(sizes.keySet()));
        int tries = 4 * names.size();
        while (Math.abs(missing) >= step.memoryMb() && tries-- > 0) {
            String name = names.get(random.nextInt(names.size()));
            Size before = sizes.get(name);
            Size after = missing > 0
                    ? before.plus(step).and(most)
                    : before.minus(step).or(step);
            sizes.put(name, after);
            missing -= after.memoryMb() - before.memoryMb();
        }
    }
}
