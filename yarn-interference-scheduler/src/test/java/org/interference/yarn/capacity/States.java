package org.interference.yarn.capacity;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.interference.yarn.place.ByQueue;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.Offer.Bid;

/** Nodes for tests: by hand, and drawn from seeds. */
final class States {
    static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
    static final Size CONTAINER = new Size(1024, 1);
    static final Size NODE = new Size(8 * 1024, 8);
    static final String ID = "node:1";
    static final KindMemory HALF = new KindMemory(500, 20, 512, 100);
    static final Bid GAIN = new Bid(0.6, 0.7, 0);
    static final Bid HARM = new Bid(-0.4, -0.2, 0);

    static final GovernorSettings SETTINGS = settings(2, 0.1, 0.01);

    private States() {}

    /** Settings under which all labels and queues are alike. */
    static GovernorSettings settings(double maxFactor, double reserve, double mostLost) {
        return new GovernorSettings(
                Mode.ON, Map.of(), ByQueue.none(), maxFactor, reserve, 0, Duration.ofSeconds(5), mostLost);
    }

    static RunningContainer running(int number, double usedMb, boolean byGrowth) {
        return new RunningContainer(
                "container_%02d".formatted(number),
                CONTAINER,
                OptionalDouble.of(usedMb),
                Optional.of(HALF),
                byGrowth,
                false,
                1,
                T0.minusSeconds(100 - number));
    }

    /** As many containers of 500 MiB, those beyond the configured size by growth. */
    static List<RunningContainer> running(int count) {
        List<RunningContainer> running = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            running.add(running(i, 500, i >= NODE.vcores()));
        }
        return running;
    }

    static WaitingKind waiting(Bid gain) {
        return new WaitingKind("kind", CONTAINER, gain, Optional.of(HALF));
    }

    static NodeState state(Size now, List<RunningContainer> running, WaitingKind... waiting) {
        return new NodeState(
                ID,
                NODE,
                now,
                running,
                List.of(waiting),
                NodePressure.UNTOLD,
                Optional.of(Duration.ofSeconds(1)),
                false);
    }

    static NodeState with(NodeState state, NodePressure pressure) {
        return with(state, state.now(), pressure, state.reportAge(), state.owes());
    }

    static NodeState with(NodeState state, Size now) {
        return with(state, now, state.pressure(), state.reportAge(), state.owes());
    }

    static NodeState owing(NodeState state) {
        return with(state, state.now(), state.pressure(), state.reportAge(), true);
    }

    static NodeState withAge(NodeState state, Optional<Duration> age) {
        return with(state, state.now(), state.pressure(), age, state.owes());
    }

    private static NodeState with(
            NodeState state, Size now, NodePressure pressure, Optional<Duration> age, boolean owes) {
        return new NodeState(
                state.node(), state.configured(), now, state.running(), state.waiting(), pressure, age, owes);
    }

    /** Returns anything that may come, sizes of nothing and figures that are none among it. */
    static NodeState random(Random random) {
        Size configured = new Size(
                random.nextInt(10) == 0 ? 0 : 1024L * (1 + random.nextInt(64)),
                random.nextInt(10) == 0 ? 0 : 1 + random.nextInt(64));
        Size now = random.nextBoolean() ? configured : new Size(random.nextInt(100_000), random.nextInt(100));
        List<RunningContainer> running = new ArrayList<>();
        int containers = random.nextInt(20);
        for (int i = 0; i < containers; i++) {
            running.add(new RunningContainer(
                    "container_" + i,
                    size(random),
                    random.nextInt(4) == 0 ? OptionalDouble.empty() : OptionalDouble.of(random.nextInt(8192)),
                    memory(random),
                    random.nextBoolean(),
                    random.nextInt(8) == 0,
                    0.5 + random.nextInt(4),
                    T0.minusSeconds(random.nextInt(1000))));
        }
        List<WaitingKind> waiting = new ArrayList<>();
        int kinds = random.nextInt(5);
        for (int i = 0; i < kinds; i++) {
            waiting.add(new WaitingKind("kind" + i, size(random), bid(random), memory(random)));
        }
        return new NodeState(
                ID,
                configured,
                now,
                running,
                waiting,
                new NodePressure(share(random), share(random), share(random), share(random), memoryLeft(random)),
                random.nextInt(8) == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(random.nextInt(20))),
                random.nextInt(8) == 0);
    }

    private static Size size(Random random) {
        return new Size(random.nextInt(8192), random.nextInt(5));
    }

    private static Optional<KindMemory> memory(Random random) {
        return random.nextInt(4) == 0
                ? Optional.empty()
                : Optional.of(new KindMemory(
                        random.nextInt(4096), random.nextInt(512), random.nextInt(8192), random.nextInt(200)));
    }

    private static Bid bid(Random random) {
        double gain = 2 * random.nextDouble() - 1;
        return switch (random.nextInt(6)) {
            case 0 -> Bid.UNKNOWN;
            case 1 -> new Bid(gain, Double.POSITIVE_INFINITY, 0);
            default -> new Bid(gain, gain + random.nextDouble(), 0);
        };
    }

    private static OptionalDouble share(Random random) {
        return switch (random.nextInt(8)) {
            case 0, 1 -> OptionalDouble.empty();
            case 2 -> OptionalDouble.of(Double.NaN);
            case 3 -> OptionalDouble.of(random.nextDouble());
            default -> OptionalDouble.of(random.nextDouble() / 20);
        };
    }

    private static OptionalDouble memoryLeft(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> OptionalDouble.of(Double.POSITIVE_INFINITY);
            case 1 -> OptionalDouble.of(-random.nextInt(100));
            case 2, 3 -> OptionalDouble.of(random.nextInt(65_536));
            default -> OptionalDouble.empty();
        };
    }
}
