package org.interference.yarn.learn;

import java.time.Instant;
import java.util.Optional;

/** When it is time to train. Not thread-safe. */
final class TrainingSchedule {
    /** The next round comes when so much more was observed since the last drift, or as much as the buffer holds. */
    private static final double GROWTH = 1.2;

    private final SampleBuffer buffer;
    private final int bufferSize;
    private final int leastExamples;
    private Optional<Instant> lastRound = Optional.empty();
    private long observedAtLastRound;
    private boolean drifted;
    private boolean asked;

    /** @param leastExamples before there are as many, nothing is trained */
    TrainingSchedule(SampleBuffer buffer, int bufferSize, int leastExamples) {
        this.buffer = buffer;
        this.bufferSize = bufferSize;
        this.leastExamples = leastExamples;
    }

    /** Returns why it is time, if it is. */
    Optional<TrainingRound.Trigger> due(Instant now) {
        if (asked) {
            return Optional.of(TrainingRound.Trigger.ASKED);
        }
        // A clock that was set back must not hold training up for as long.
        boolean tooSoon = lastRound
                .filter(last -> !last.isAfter(now)
                        && last.plus(TrainingRound.LEAST_INTERVAL).isAfter(now))
                .isPresent();
        if (tooSoon || buffer.size() < leastExamples) {
            return Optional.empty();
        }
        long news = buffer.total() - observedAtLastRound;
        if (drifted && news >= OnlineAdaptiveModule.LEAST_HELD_OUT) {
            return Optional.of(TrainingRound.Trigger.DRIFT);
        }
        if (lastRound.isEmpty()) {
            return Optional.of(TrainingRound.Trigger.FIRST);
        }
        double enough = Math.min(bufferSize, (GROWTH - 1) * (observedAtLastRound - buffer.totalAtDrift()));
        return news >= Math.max(OnlineAdaptiveModule.LEAST_HELD_OUT, enough)
                ? Optional.of(TrainingRound.Trigger.MORE_OBSERVATIONS)
                : Optional.empty();
    }

    /** Takes note that a round begins, which answers whoever asked for one. */
    void begins(Instant now) {
        observedAtLastRound = buffer.total();
        lastRound = Optional.of(now);
        drifted = false;
        asked = false;
    }

    void drifted() {
        drifted = true;
    }

    /** Makes it time, unless there is too little to train on: then it returns false. */
    boolean ask() {
        asked = buffer.size() >= leastExamples;
        return asked;
    }
}
