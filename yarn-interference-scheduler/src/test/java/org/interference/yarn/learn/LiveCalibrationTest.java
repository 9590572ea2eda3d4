package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.predict.Domain;
import org.interference.yarn.predict.Example;
import org.interference.yarn.predict.LearnedPredictor;
import org.interference.yarn.predict.Model;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

class LiveCalibrationTest {
    private static final InterferenceVector TASK = Vectors.cpu(0.5);
    private static final Situation COMPUTING = Situation.of(TASK, Neighbours.of(List.of(Vectors.cpu(0.9))));
    private static final Situation READING =
            Situation.of(TASK, Neighbours.of(List.of(Vectors.of(Signal.BLK, 0.9), Vectors.cpu(0.01))));

    private final LiveCalibration calibration = new LiveCalibration(PriorPredictor.PUBLISHED, 10);

    /** Five times beside whoever reads, as only other kinds were slowed down. */
    private record Cliff(boolean carries) implements Model {
        @Override
        public double logSlowdown(Situation situation) {
            return Math.log(situation.beside(Signal.BLK) > 0.5 ? 5 : 2);
        }

        @Override
        public double logSlowdownBeyond(Situation situation) {
            return Math.log(1.1);
        }
    }

    private void observe(Cliff cliff, Situation situation, double slowdown) {
        List<Example> examples = List.of(
                new Example("falls", READING, 5, 1),
                new Example("falls", COMPUTING, 2, 1),
                new Example("sort", COMPUTING, 2, 1));
        LearnedPredictor champion = new LearnedPredictor("cliff", cliff, Domain.of(examples));
        calibration.observe(
                Optional.of(champion),
                new Observation(Instant.EPOCH, "sort", situation, new Label(slowdown, Label.Source.WORK_RATE, 1)));
    }

    @Test
    void modelIsCorrectedInNoCompanyThatItIsNotAskedAbout() {
        for (int i = 0; i < 40; i++) {
            observe(new Cliff(false), READING, 1.05);
        }

        assertThat(calibration.current("sort").learned()).isEqualTo(1);
        assertThat(calibration.current("grep").learned()).isEqualTo(1);
        assertThat(calibration.current("sort").usesLearned()).isTrue();
    }

    /** By processor time nobody sees what memory costs: that all of it was foretold for nothing says nothing of processors and disks. */
    @Test
    void priorIsNotCorrectedByLabelsThatDoNotSeeWhatItSaysOfMemory() {
        InterferenceVector task = new InterferenceVector(Map.of(Signal.CPU, 0.5, Signal.MBW, 0.5, Signal.LLOCC, 0.5));
        Situation beside = Situation.of(
                task, Neighbours.of(List.of(new InterferenceVector(Map.of(Signal.MBW, 0.9, Signal.LLOCC, 0.9)))));
        for (int i = 0; i < 40; i++) {
            calibration.observe(
                    Optional.empty(),
                    new Observation(Instant.EPOCH, "sort", beside, new Label(1, Label.Source.CPU_TIME, 1)));
        }

        assertThat(calibration.current("sort").prior()).isEqualTo(1);
    }

    @Test
    void modelIsCorrectedWhereItIsAsked() {
        for (int i = 0; i < 40; i++) {
            observe(new Cliff(false), COMPUTING, 1.3);
        }
        double exponent = calibration.current("sort").learned();
        for (int i = 0; i < 40; i++) {
            observe(new Cliff(true), READING, 1.05);
        }

        assertThat(exponent).isLessThan(0.6);
        assertThat(calibration.current("sort").learned())
                .as("one that carries over is asked everywhere")
                .isLessThan(exponent);
    }
}
