package org.interference.yarn.nm.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.interference.yarn.signal.WorkClass;
import org.junit.jupiter.api.Test;

class CoreAllocatorTest {
    private static final CoreAllocator ALLOCATOR = new CoreAllocator(2);
    private static final CoreSet EIGHT = CoreSet.parse("0-7");

    @Test
    void besideCpuIntensiveOnesEachInputOutputIntensiveOneGetsTheFirstMuCores() {
        Map<String, CoreSet> cores = ALLOCATOR.allocate(
                EIGHT, classes(WorkClass.IO_INTENSIVE, WorkClass.CPU_INTENSIVE, WorkClass.IO_INTENSIVE));

        assertThat(cores).containsOnly(Map.entry("c0", CoreSet.parse("0-1")), Map.entry("c2", CoreSet.parse("0-1")));
    }

    @Test
    void whileCpuIntensiveOnesOutnumberTheCoresNobodyIsConfined() {
        CoreSet two = CoreSet.parse("0-1");
        WorkClass computing = WorkClass.CPU_INTENSIVE;
        Map<String, WorkClass> asMany = classes(computing, computing, WorkClass.IO_INTENSIVE);
        Map<String, WorkClass> more = classes(computing, computing, computing, WorkClass.IO_INTENSIVE);

        assertThat(new CoreAllocator(1).allocate(two, asMany)).containsOnlyKeys("c2");
        assertThat(new CoreAllocator(1).allocate(two, more)).isEmpty();
        assertThat(new CoreAllocator(1, true).allocate(two, more)).containsOnlyKeys("c3");
    }

    @Test
    void containersOfOneClassGetEqualPartsInTheirOrder() {
        Map<String, CoreSet> cores = ALLOCATOR.allocate(
                EIGHT, classes(WorkClass.IO_INTENSIVE, WorkClass.IO_INTENSIVE, WorkClass.IO_INTENSIVE));

        assertThat(cores)
                .containsExactly(
                        Map.entry("c0", CoreSet.parse("0-1")),
                        Map.entry("c1", CoreSet.parse("2-3")),
                        Map.entry("c2", CoreSet.parse("4-5")));
    }

    @Test
    void moreContainersThanCoresGetOneCoreEachInTurn() {
        WorkClass computing = WorkClass.CPU_INTENSIVE;

        Map<String, CoreSet> cores = ALLOCATOR.allocate(CoreSet.parse("3,5"), classes(computing, computing, computing));

        assertThat(cores)
                .containsExactly(
                        Map.entry("c0", CoreSet.parse("3")),
                        Map.entry("c1", CoreSet.parse("5")),
                        Map.entry("c2", CoreSet.parse("3")));
    }

    @Test
    void aContainerAloneIsNotConfined() {
        assertThat(ALLOCATOR.allocate(EIGHT, classes(WorkClass.CPU_INTENSIVE, WorkClass.UNCLASSIFIED)))
                .isEmpty();
    }

    @Test
    void oneCoreIsNotShared() {
        assertThat(ALLOCATOR.allocate(CoreSet.parse("4"), classes(WorkClass.IO_INTENSIVE, WorkClass.CPU_INTENSIVE)))
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
            Map<String, WorkClass> classes = classes(kinds);

            Map<String, CoreSet> cores = new CoreAllocator(1 + random.nextInt(4)).allocate(node, classes);

            assertThat(cores.values()).as("seed %d", seed).allSatisfy(set -> {
                assertThat(set.size()).isPositive();
                assertThat(node.cores()).containsAll(set.cores());
            });
            assertThat(cores.keySet())
                    .allSatisfy(id -> assertThat(classes.get(id)).isNotEqualTo(WorkClass.UNCLASSIFIED));
            assertThatASplitIsEqualAndDisjoint(node, classes, cores);
        }
    }

    private static void assertThatASplitIsEqualAndDisjoint(
            CoreSet node, Map<String, WorkClass> classes, Map<String, CoreSet> cores) {
        boolean mixed = classes.containsValue(WorkClass.CPU_INTENSIVE) && classes.containsValue(WorkClass.IO_INTENSIVE);
        if (mixed || cores.isEmpty()) {
            return;
        }
        int each = Math.max(1, node.size() / cores.size());
        assertThat(cores.values()).allSatisfy(set -> assertThat(set.size()).isEqualTo(each));
        if (cores.size() <= node.size()) {
            assertThat(cores.values().stream().flatMap(set -> set.cores().stream()))
                    .doesNotHaveDuplicates();
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
