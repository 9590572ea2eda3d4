package org.interference.yarn.nm.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.interference.yarn.signal.WorkClass;
import org.junit.jupiter.api.Test;

class ClassifierTest {
    private static final Classifier FUTEX = new FutexClassifier(300, Duration.ofSeconds(3));
    private static final Classifier BLOCKED = new BlockedClassifier(0.5);

    @Test
    void lambdaFutexCallsInAnIntervalMakeItInputOutputIntensive() {
        assertThat(FUTEX.classify(window(6, Map.of(Quantity.FUTEX_CALLS, 600.0))))
                .isEqualTo(new Classified(WorkClass.IO_INTENSIVE, "300 futex calls in 3.0 s, at least 300"));
        assertThat(FUTEX.classify(window(6, Map.of(Quantity.FUTEX_CALLS, 598.0)))
                        .workClass())
                .isEqualTo(WorkClass.CPU_INTENSIVE);
    }

    @Test
    void withoutACountNobodyIsClassified() {
        Usage blind = window(3, Map.of(Quantity.NETWORK, 1.0));

        assertThat(FUTEX.classify(blind).workClass()).isEqualTo(WorkClass.UNCLASSIFIED);
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
