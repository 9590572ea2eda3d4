package org.interference.yarn.benchmarks.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.interference.yarn.benchmarks.prediction.CorunTable;
import org.interference.yarn.nm.control.LearnedClassifier;
import org.junit.jupiter.api.Test;

class FitControlClassifierTest {
    @Test
    void theCommittedWeightsAreThoseOfTheCommittedData() throws IOException {
        List<Double> derived = FitControlClassifier.weights(examples());

        for (int i = 0; i < derived.size(); i++) {
            assertThat(LearnedClassifier.weights().get(i)).isCloseTo(derived.get(i), Offset.offset(0.002));
        }
    }

    /** The default must be the one that measures best, also about kinds of tasks that it was not fitted to. */
    @Test
    void theLearnedClassifierIsRightMoreOftenThanTheOneByBlockedTime() throws IOException {
        Map<String, Double> accuracies = FitControlClassifier.accuracies(examples());

        assertThat(accuracies.get("learned")).isGreaterThan(0.95);
        assertThat(accuracies.get("learned")).isGreaterThan(accuracies.get("blocked_io"));
    }

    private static List<FitControlClassifier.Example> examples() throws IOException {
        return FitControlClassifier.examples(CorunTable.read(Path.of("corun/data/corun.csv")));
    }
}
