package org.interference.yarn.nm.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
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
        Map<String, CoreSet> cores =
                allocate(ALLOCATOR, EIGHT, WorkClass.IO_INTENSIVE, WorkClass.CPU_INTENSIVE, WorkClass.IO_INTENSIVE);

        assertThat(cores).containsOnly(Map.entry("c0", CoreSet.parse("0-1")), Map.entry("c2", CoreSet.parse("0-1")));
    }

    @Test
    void whileCpuIntensiveOnesOutnumberTheCoresNobodyIsConfined() {
        NodeCores two = NodeCores.of(CoreSet.parse("0-1"));
        WorkClass computing = WorkClass.CPU_INTENSIVE;
        CoreAllocator one = new CoreAllocator(1, CoreSharing.SAME_CORE);

        assertThat(allocate(one, two, computing, computing, WorkClass.IO_INTENSIVE))
                .containsOnlyKeys("c2");
        assertThat(allocate(one, two, computing, computing, computing, WorkClass.IO_INTENSIVE))
                .isEmpty();
    }

    /** Whatever their number: the kernel's scheduler loses no core to nobody, as any split of cores would. */
    @ParameterizedTest
    @EnumSource(WorkClass.class)
    void containersOfOneClassKeepAllCores(WorkClass only) {
        for (int count : List.of(2, 3, 9, 20)) {
            WorkClass[] alike = new WorkClass[count];
            Arrays.fill(alike, only);

            assertThat(allocate(ALLOCATOR, EIGHT, alike)).isEmpty();
        }
    }

    @Test
    void aContainerAloneIsNotConfined() {
        assertThat(allocate(ALLOCATOR, EIGHT, WorkClass.CPU_INTENSIVE, WorkClass.UNCLASSIFIED))
                .isEmpty();
    }

    /** Two that wait for a disk now and then and compute 1.6 CPUs' worth would have 2 cores between them; of 1.2 they lose nothing. */
    @Test
    void whoUsesNearlyAllThatFewCoresHaveIsNotConfined() {
        Map<String, WorkClass> classes =
                classes(WorkClass.IO_INTENSIVE, WorkClass.CPU_INTENSIVE, WorkClass.IO_INTENSIVE);

        assertThat(ALLOCATOR.allocate(EIGHT, classes, Map.of("c0", cpus(0.6), "c1", cpus(8), "c2", cpus(0.6))))
                .containsOnlyKeys("c0", "c2");
        assertThat(ALLOCATOR.allocate(EIGHT, classes, Map.of("c0", cpus(0.8), "c1", cpus(8), "c2", cpus(0.8))))
                .isEmpty();
    }

    @Test
    void whileThereAreIdleCoresForAllWhoComputeNobodyIsConfined() {
        Map<String, WorkClass> classes = classes(WorkClass.IO_INTENSIVE, WorkClass.CPU_INTENSIVE);
        Usage waiting = new Usage(10, Map.of(Quantity.ON_CPU, 40.0, Quantity.RUN_QUEUE_WAIT, 50.0));
        Usage idle = cpus(0.1);

        assertThat(ALLOCATOR.allocate(EIGHT, classes, Map.of("c0", idle, "c1", cpus(6.8))))
                .isEmpty();
        assertThat(ALLOCATOR.allocate(EIGHT, classes, Map.of("c0", idle, "c1", cpus(7.2))))
                .containsOnlyKeys("c0");
        assertThat(ALLOCATOR.allocate(EIGHT, classes, Map.of("c0", idle, "c1", waiting)))
                .as("four cores are idle, and it waits for five")
                .containsOnlyKeys("c0");
        assertThat(ALLOCATOR.allocate(EIGHT, classes, Map.of("c0", idle, "c1", cpus(4), "master", cpus(3.5))))
                .as("others use what it leaves")
                .containsOnlyKeys("c0");
    }

    @Test
    void oneCoreIsNotShared() {
        assertThat(allocate(
                        ALLOCATOR, NodeCores.of(CoreSet.parse("4")), WorkClass.IO_INTENSIVE, WorkClass.CPU_INTENSIVE))
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
                    .allocate(NodeCores.of(node), claims, use(8 * random.nextDouble(), claims));

            assertThat(cores.values()).as("seed %d", seed).allSatisfy(set -> {
                assertThat(set.size()).isPositive();
                assertThat(node.cores()).containsAll(set.cores());
            });
            assertThat(cores.keySet())
                    .allSatisfy(id -> assertThat(claims.get(id)).isEqualTo(WorkClass.IO_INTENSIVE));
        }
    }

    /** On a node that somebody else keeps busy. */
    private static Map<String, CoreSet> allocate(CoreAllocator allocator, NodeCores node, WorkClass... classes) {
        return allocator.allocate(node, classes(classes), Map.of("master", cpus(node.size())));
    }

    private static Map<String, Usage> use(double cpus, Map<String, WorkClass> classes) {
        Map<String, Usage> use = new HashMap<>();
        classes.forEach((id, is) -> use.put(id, cpus(is == WorkClass.CPU_INTENSIVE ? cpus : 0)));
        return use;
    }

    private static Usage cpus(double used) {
        return new Usage(10, Map.of(Quantity.ON_CPU, 10 * used));
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
