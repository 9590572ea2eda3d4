package org.interference.yarn.nm.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.interference.yarn.signal.WorkClass;
import org.junit.jupiter.api.Test;

class ClassifierTest {
    private static final Classifier SBCC = new Sbcc(30);
    private static final Classifier BLOCKED = new BlockedClassifier(0.5);

    /** Algorithm 1, line 5: sum >= lambda; how long it took to get there does not matter. */
    @Test
    void lambdaFutexCallsSinceTheLastCleaningMakeItInputOutputIntensive() {
        assertThat(SBCC.classify(window(25, Map.of(Quantity.FUTEX_CALLS, 30.0))))
                .isEqualTo(
                        new Classified(WorkClass.IO_INTENSIVE, "30 futex calls since the last cleaning, at least 30"));
        assertThat(SBCC.classify(window(5, Map.of(Quantity.FUTEX_CALLS, 29.0))))
                .isEqualTo(new Classified(
                        WorkClass.CPU_INTENSIVE, "29 futex calls since the last cleaning, less than 30"));
        assertThat(SBCC.classify(window(0, Map.of(Quantity.FUTEX_CALLS, 0.0))).workClass())
                .isEqualTo(WorkClass.CPU_INTENSIVE);
    }

    @Test
    void withoutACountNobodyIsClassified() {
        Usage blind = window(3, Map.of(Quantity.NETWORK, 1.0));

        assertThat(SBCC.classify(blind).workClass()).isEqualTo(WorkClass.UNCLASSIFIED);
        assertThat(BLOCKED.classify(blind).workClass()).isEqualTo(WorkClass.UNCLASSIFIED);
        assertThat(LearnedClassifier.INSTANCE.classify(blind).workClass()).isEqualTo(WorkClass.UNCLASSIFIED);
    }

    @Test
    void whoWaitsForTheDiskLongerThanItComputesIsInputOutputIntensive() {
        Usage writer = window(3, Map.of(Quantity.ON_CPU, 0.2, Quantity.BLOCKED, 2.5, Quantity.RUN_QUEUE_WAIT, 0.1));
        Usage starved = window(3, Map.of(Quantity.ON_CPU, 0.2, Quantity.BLOCKED, 0.1, Quantity.RUN_QUEUE_WAIT, 2.5));

        assertThat(BLOCKED.classify(writer))
                .isEqualTo(new Classified(WorkClass.IO_INTENSIVE, "blocked on I/O 0.89 of its time, at least 0.50"));
        assertThat(BLOCKED.classify(starved).workClass()).isEqualTo(WorkClass.CPU_INTENSIVE);
    }

    @Test
    void anIdleContainerIsNotClassified() {
        assertThat(BLOCKED.classify(window(3, Map.of(Quantity.ON_CPU, 0.0001, Quantity.BLOCKED, 0.0)))
                        .workClass())
                .isEqualTo(WorkClass.UNCLASSIFIED);
    }

    @Test
    void theLearnedOneKnowsASenderFromASort() {
        Usage sender = window(
                3,
                Map.of(
                        Quantity.ON_CPU,
                        0.05,
                        Quantity.RUN_QUEUE_WAIT,
                        0.02,
                        Quantity.BLOCKED,
                        0.0,
                        Quantity.NETWORK,
                        2.8));
        Usage sort = window(
                3,
                Map.of(
                        Quantity.ON_CPU,
                        2.9,
                        Quantity.RUN_QUEUE_WAIT,
                        0.1,
                        Quantity.BLOCKED,
                        0.0,
                        Quantity.NETWORK,
                        0.0));

        assertThat(LearnedClassifier.INSTANCE.classify(sender).workClass()).isEqualTo(WorkClass.IO_INTENSIVE);
        assertThat(LearnedClassifier.INSTANCE.classify(sort).workClass()).isEqualTo(WorkClass.CPU_INTENSIVE);
    }

    private static Usage window(double seconds, Map<Quantity, Double> amounts) {
        return new Usage(seconds, amounts);
    }
}
