package org.interference.yarn.relocate;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.interference.yarn.place.ByQueue;
import org.interference.yarn.place.Offer.Bid;
import org.interference.yarn.relocate.Candidate.Kind;
import org.interference.yarn.relocate.Candidate.Staying;
import org.interference.yarn.relocate.Candidate.Target;

/** Candidates to choose among. */
final class Candidates {
    static final Instant T0 = Instant.parse("2026-03-01T12:00:00Z");
    static final RelocationSettings SETTINGS = new RelocationSettings(RelocationMode.ON, ByQueue.none(), 4);
    static final Kind KIND = new Kind("etl/map", 20, 100, true);
    /** It runs at half its speed and takes as much from others as it gets done. */
    static final Staying SUFFERS = new Staying(bid(0, 0.1), 2, 0.5, 0.1, OptionalDouble.empty());

    static final Target BETTER = new Target("quiet", bid(0.9, 0.1), 0);

    private Candidates() {}

    static Bid bid(double gain, double margin) {
        return new Bid(gain, gain + margin, gain);
    }

    /** One that has run for ten seconds of some hundred, and is to leave for a node that is nobody else's target. */
    static Candidate leaver(String container, String application, String queue) {
        return leaver(container, application, queue, "quiet for " + container);
    }

    static Candidate leaver(String container, String application, String queue, String target) {
        return new Candidate(
                container,
                application,
                Optional.of(queue),
                application + "/map",
                "bad",
                false,
                true,
                Duration.ofSeconds(10),
                Optional.of(KIND),
                Optional.of(SUFFERS),
                Optional.of(new Target(target, BETTER.gain(), BETTER.harm())));
    }

    static Candidate with(
            Candidate of, Duration ran, Optional<Kind> kind, Optional<Staying> staying, Optional<Target> target) {
        return new Candidate(
                of.container(),
                of.application(),
                of.queue(),
                of.stage(),
                of.node(),
                of.master(),
                of.restartable(),
                ran,
                kind,
                staying,
                target);
    }

    static Candidate random(Random random, int number) {
        String application = "a" + random.nextInt(12);
        double gain = random.nextDouble() * 2 - 1;
        double slowdown = 1 + 3 * random.nextDouble();
        return new Candidate(
                "c" + number,
                application,
                random.nextInt(10) == 0 ? Optional.empty() : Optional.of("root.q" + random.nextInt(4)),
                application + "/map",
                "n" + random.nextInt(5),
                random.nextInt(8) == 0,
                random.nextInt(8) != 0,
                Duration.ofSeconds(random.nextInt(200)),
                random.nextInt(8) == 0
                        ? Optional.empty()
                        : Optional.of(new Kind("k", random.nextInt(30), 100, random.nextInt(8) != 0)),
                random.nextInt(8) == 0
                        ? Optional.empty()
                        : Optional.of(new Staying(
                                bid(gain, random.nextDouble()),
                                slowdown,
                                random.nextDouble(),
                                0.2,
                                random.nextInt(4) == 0
                                        ? OptionalDouble.empty()
                                        : OptionalDouble.of(200 * random.nextDouble()))),
                random.nextBoolean()
                        ? Optional.empty()
                        : Optional.of(new Target(
                                "t" + random.nextInt(8), bid(random.nextDouble(), random.nextDouble() / 2), 0.1)));
    }
}
