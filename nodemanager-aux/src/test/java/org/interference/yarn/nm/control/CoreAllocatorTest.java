package org.interference.yarn.nm.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.interference.yarn.signal.WorkClass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CoreAllocatorTest {
    private static final CoreAllocator ALLOCATOR = new CoreAllocator(2, CoreSharing.SAME_CORE);
    private static final NodeCores EIGHT = NodeCores.of(CoreSet.parse("0-7"));

    @Test
    void besideCpuIntensiveOnesEachInputOutputIntensiveOneGetsTheFirstMuCores() {
        Map<String, CoreSet> cores = ALLOCATOR.allocate(
                EIGHT, classes(WorkClass.IO_INTENSIVE, WorkClass.CPU_INTENSIVE, WorkClass.IO_INTENSIVE));

        assertThat(cores).containsOnly(Map.entry("c0", CoreSet.parse("0-1")), Map.entry("c2", CoreSet.parse("0-1")));
    }

    @Test
    void whileCpuIntensiveOnesOutnumberTheCoresNobodyIsConfined() {
        NodeCores two = NodeCores.of(CoreSet.parse("0-1"));
        WorkClass computing = WorkClass.CPU_INTENSIVE;
        Map<String, WorkClass> asMany = classes(computing, computing, WorkClass.IO_INTENSIVE);
        Map<String, WorkClass> more = classes(computing, computing, computing, WorkClass.IO_INTENSIVE);

        assertThat(new CoreAllocator(1, CoreSharing.SAME_CORE).allocate(two, asMany))
                .containsOnlyKeys("c2");
        assertThat(new CoreAllocator(1, CoreSharing.SAME_CORE).allocate(two, more))
                .isEmpty();
    }

    /** Whatever their number: the kernel's scheduler loses no core to nobody, as any split of cores would. */
    @ParameterizedTest
    @EnumSource(WorkClass.class)
    void containersOfOneClassKeepAllCores(WorkClass only) {
        for (int count : List.of(2, 3, 9, 20)) {
            WorkClass[] alike = new WorkClass[count];
            Arrays.fill(alike, only);

            assertThat(ALLOCATOR.allocate(EIGHT, classes(alike))).isEmpty();
        }
    }

    @Test
    void aContainerAloneIsNotConfined() {
        assertThat(ALLOCATOR.allocate(EIGHT, classes(WorkClass.CPU_INTENSIVE, WorkClass.UNCLASSIFIED)))
                .isEmpty();
    }

    @Test
    void oneCoreIsNotShared() {
        assertThat(ALLOCATOR.allocate(
                        NodeCores.of(CoreSet.parse("4")), classes(WorkClass.IO_INTENSIVE, WorkClass.CPU_INTENSIVE)))
                .isEmpty();
    }

    @Test
    void whatIsAllocatedIsAlwaysOfTheNodeAndNeverNothing() {
        for (long seed = 0; seed < 5000; seed++) {
            Random random = new Random(seed);
            CoreSet node = node(random);
            WorkClass[] kinds = new WorkClass[random.nextInt(20)];
            for (int i = 0; i < kinds.length; i++) {
                kinds[i] = List.of(WorkClass.values()).get(random.nextInt(3));
            }
            Map<String, WorkClass> claims = classes(kinds);

            Map<String, CoreSet> cores = new CoreAllocator(1 + random.nextInt(4), CoreSharing.SAME_CORE)
                    .allocate(NodeCores.of(node), claims);

            assertThat(cores.values()).as("seed %d", seed).allSatisfy(set -> {
                assertThat(set.size()).isPositive();
                assertThat(node.cores()).containsAll(set.cores());
            });
            assertThat(cores.keySet())
                    .allSatisfy(id -> assertThat(claims.get(id)).isEqualTo(WorkClass.IO_INTENSIVE));
        }
    }

    private static CoreSet node(Random random) {
        return CoreSet.of(random.ints(1 + random.nextInt(16), 0, 64).boxed().toList());
    }

    private static Map<String, WorkClass> classes(WorkClass... classes) {
        Map<String, WorkClass> byContainer = new LinkedHashMap<>();
        for (int i = 0; i < classes.length; i++) {
            byContainer.put("c" + i, classes[i]);
        }
        return byContainer;
    }
}
