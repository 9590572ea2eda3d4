package org.interference.yarn.nm.attribute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProcessTableTest {
    private static final ProcessEntry INIT = new ProcessEntry(1, 0, 1, 0, 0, 0, 0);
    private static final ProcessEntry NODE_MANAGER = new ProcessEntry(50, 1, 50, 10, 0, 0, 0);

    @Test
    void childrenAndGrandchildrenBelongToTheRoot() {
        ProcessTable table = table(child(100, 50, 100), child(101, 100, 100), child(102, 101, 100));

        assertThat(table.membersOf(List.of(100L))).isEqualTo(Map.of(100L, Set.of(100L, 101L, 102L)));
    }

    @Test
    void orphanOfTheSessionStaysWithTheRoot() {
        ProcessTable table = table(child(100, 50, 100), child(103, 1, 100));

        assertThat(table.membersOf(List.of(100L)).get(100L)).containsExactlyInAnyOrder(100L, 103L);
    }

    @Test
    void sessionOutlivesTheRootProcess() {
        ProcessTable table = table(child(103, 1, 100), child(104, 103, 104));

        assertThat(table.membersOf(List.of(100L)).get(100L)).containsExactlyInAnyOrder(103L, 104L);
    }

    @Test
    void descendantInItsOwnSessionStaysWithTheRoot() {
        ProcessTable table = table(child(100, 50, 100), child(104, 100, 104), child(105, 104, 104));

        assertThat(table.membersOf(List.of(100L)).get(100L)).containsExactlyInAnyOrder(100L, 104L, 105L);
    }

    @Test
    void neighboursAndTheNodeManagerAreNotMembers() {
        ProcessTable table = table(child(100, 50, 100), child(200, 50, 200), child(201, 200, 200));

        assertThat(table.membersOf(List.of(100L, 200L)))
                .isEqualTo(Map.of(100L, Set.of(100L), 200L, Set.of(200L, 201L)));
    }

    @Test
    void rootThatIsGoneHasNoMembers() {
        assertThat(table().membersOf(List.of(100L))).isEqualTo(Map.of(100L, Set.of()));
    }

    @Test
    void parentsInALoopBelongToNobody() {
        ProcessTable table = table(child(300, 301, 9), child(301, 300, 9));

        assertThat(table.membersOf(List.of(100L)).get(100L)).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyDescendantBelongsToExactlyOneRoot(long seed) {
        Random random = new Random(seed);
        List<ProcessEntry> tree = new ArrayList<>(List.of(INIT, NODE_MANAGER));
        Set<Long> roots = new HashSet<>();
        Set<Long> inside = new HashSet<>();
        for (long pid = 100; pid < 300; pid++) {
            long parent = tree.get(random.nextInt(tree.size())).pid();
            boolean root = parent == NODE_MANAGER.pid() && random.nextBoolean();
            if (root) {
                roots.add(pid);
            }
            if (root || inside.contains(parent)) {
                inside.add(pid);
            }
            tree.add(child(pid, parent, root ? pid : 50));
        }

        Collection<Set<Long>> members = ProcessTable.of(tree).membersOf(roots).values();

        assertThat(members.stream().mapToInt(Set::size).sum()).isEqualTo(inside.size());
        assertThat(members.stream().flatMap(Set::stream)).containsExactlyInAnyOrderElementsOf(inside);
    }

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    private static ProcessEntry child(long pid, long parent, long session) {
        return new ProcessEntry(pid, parent, session, pid, 0, 0, 0);
    }

    private static ProcessTable table(ProcessEntry... processes) {
        List<ProcessEntry> all = new ArrayList<>(List.of(INIT, NODE_MANAGER));
        all.addAll(List.of(processes));
        return ProcessTable.of(all);
    }
}
