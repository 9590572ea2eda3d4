package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;

import java.util.Random;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.Situation;
import org.junit.jupiter.api.Test;

class SampleBufferTest {
    private final SampleBuffer buffer = new SampleBuffer(100, new Random(1));

    @Test
    void whatWasSeenBeforeADriftCountsATenth() {
        fill();
        buffer.drifted();

        assertThat(buffer.training()).isNotEmpty().allMatch(example -> example.weight() == 0.1);
    }

    @Test
    void whatWasSeenAThousandDriftsAgoCanStillBeTrainedOn() {
        fill();
        for (int i = 0; i < 1000; i++) {
            buffer.drifted();
        }

        assertThat(buffer.training()).isNotEmpty().allMatch(example -> example.weight() > 0 && example.weight() < 1e-6);
    }

    private void fill() {
        for (int i = 0; i < 50; i++) {
            buffer.add(new Observation(
                    T0,
                    "kind",
                    Situation.of(Vectors.cpu(0.5), Neighbours.NONE),
                    new Label(1.5, Label.Source.RUN_TIME, 1)));
        }
    }
}
