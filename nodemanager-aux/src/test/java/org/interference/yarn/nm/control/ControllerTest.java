package org.interference.yarn.nm.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import org.interference.yarn.signal.ControlStatus;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.WorkClass;
import org.junit.jupiter.api.Test;

class ControllerTest {
    private static final double SECONDS = 3;
    private static final double MEBI = 1 << 20;

    private final Node node = new Node();
    private final Controller controller = new Controller(settings(), CoreSet.parse("0-1"));

    @Test
    void nothingIsChangedBeforeAClassIsKnown() {
        node.computing("a").writing("b");

        assertThat(node.tick(controller).changes()).isEmpty();
        assertThat(controller.statuses().get("a").workClass()).isEqualTo(WorkClass.UNCLASSIFIED);
    }

    @Test
    void aWriterBesideAComputationIsConfinedAndSaysWhy() {
        node.computing("a").writing("b");
        node.tick(controller);

        ControlPlan plan = node.tick(controller);

        assertThat(plan.changes()).singleElement().satisfies(change -> {
            assertThat(change).isInstanceOf(Change.Cores.class);
            assertThat(change.container()).isEqualTo("b");
            assertThat(((Change.Cores) change).cores()).contains(CoreSet.parse("0"));
            assertThat(change.reason()).contains("io-intensive", "blocked on I/O 0.9");
        });
        ControlStatus status = plan.statuses().get("b");
        assertThat(status.cores()).isEqualTo("0");
        assertThat(status.since()).isEqualTo(node.now);
    }

    @Test
    void nothingChangesWithoutACause() {
        node.computing("a").writing("b");
        node.tick(controller);
        node.tick(controller);

        for (int i = 0; i < 100; i++) {
            assertThat(node.tick(controller).changes()).isEmpty();
        }
    }

    @Test
    void oneTickOfOtherWorkIsNoOtherClass() {
        node.computing("a").writing("b");
        node.ticks(controller, 18);
        node.computing("b");
        ControlPlan once = node.tick(controller);
        node.writing("b");

        assertThat(once.changes()).isEmpty();
        assertThat(node.ticks(controller, 3)).isEmpty();
    }

    @Test
    void theLastComputationsEndGivesTheWriterItsCoresBack() {
        node.computing("a").writing("b");
        node.ticks(controller, 3);
        node.work.remove("a");

        ControlPlan plan = node.tick(controller);

        assertThat(plan.changes()).singleElement().satisfies(change -> assertThat(((Change.Cores) change).cores())
                .isEmpty());
    }

    /** The kernel may be taken at its word that it waits for the disk; while it computes on a core, one core would hold it back. */
    @Test
    void aWriterThatUsesMuchCpuIsGivenItsCoresBack() {
        node.computing("a").writing("b");
        node.ticks(controller, 3);
        assertThat(controller.statuses().get("b").cores()).isEqualTo("0");
        node.work.put("b", new Work(0.9, 1.5, 0.5 * MEBI, Optional.empty()));
        node.ticks(controller, 20);

        assertThat(controller.statuses().get("b").workClass()).isEqualTo(WorkClass.IO_INTENSIVE);
        assertThat(controller.statuses().get("b").cores()).isEmpty();
    }

    @Test
    void anApplicationMasterIsNeverConfined() {
        node.computing("a").writing("container_1_0001_01_000001");

        assertThat(node.ticks(controller, 20)).isEmpty();
    }

    @Test
    void aContainerThatIsGivenUpIsLeftAlone() {
        node.computing("a").writing("b");
        node.ticks(controller, 2);

        controller.giveUp("b", "Permission denied");

        assertThat(node.ticks(controller, 20)).isEmpty();
        assertThat(controller.statuses().get("b").reason()).isEqualTo("given up: Permission denied");
        assertThat(controller.statuses().get("b").cores()).isEmpty();
    }

    @Test
    void aNodeThatGetsSlowerGetsItsCoresBackAndIsLeftInPeaceTwiceAsLongEachTime() {
        node.computing("a").writing("b");
        node.slowWhenConfined = 0.7;
        List<Instant> stepsBack = new ArrayList<>();
        List<String> remarks = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            ControlPlan plan = node.tick(controller);
            if (!plan.remarks().isEmpty()) {
                stepsBack.add(node.now);
                remarks.addAll(plan.remarks());
                assertThat(plan.statuses().get("b").cores()).isEmpty();
            }
        }

        assertThat(remarks.get(0))
                .startsWith("allocating cores made the node's work")
                .contains("stepped back for 60 s");
        assertThat(stepsBack).hasSizeGreaterThanOrEqualTo(3);
        Duration first = Duration.between(stepsBack.get(0), stepsBack.get(1));
        Duration second = Duration.between(stepsBack.get(1), stepsBack.get(2));
        assertThat(first).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(80));
        assertThat(second).isBetween(Duration.ofSeconds(120), Duration.ofSeconds(140));
        assertThat(controller.stepsBack()).isEqualTo(stepsBack.size());
    }

    /** As where a node samples less often than its controller looks. */
    @Test
    void aTrialIsOfSamplesAndNotOfLooks() {
        node.computing("a").writing("b");
        node.slowWhenConfined = 0.7;
        node.ticks(controller, 2);
        assertThat(controller.statuses().get("b").cores()).isEqualTo("0");
        assertThat(controller.isTrying()).isTrue();
        for (int look = 0; look < 2 * StepBack.WINDOW; look++) {
            node.again(controller);
        }

        node.ticks(controller, StepBack.WINDOW);

        assertThat(controller.stepsBack()).isEqualTo(1);
        assertThat(controller.isTrying()).isFalse();
    }

    @Test
    void noiseIsNoLoss() {
        node.computing("a").writing("b");
        Random random = new Random(19701);
        for (int i = 0; i < 60; i++) {
            node.speed = 1 + 0.2 * random.nextGaussian();
            node.tick(controller);
        }
        node.computing("c");
        for (int i = 0; i < 20; i++) {
            node.speed = 1 + 0.01 * random.nextGaussian();
            node.tick(controller);
        }

        assertThat(controller.statuses().get("b").cores()).isEqualTo("0");
    }

    @Test
    void theDiskIsLeftToWhoseProgramIsKnownToBeShort() {
        node.writing("shortBefore", 7, 30).writing("longBefore", 8, 30);
        node.ticks(controller, 5);
        node.work.remove("shortBefore");
        node.ticks(controller, 20);
        node.work.remove("longBefore");
        node.tick(controller);

        node.writing("short", 7, 30).writing("long", 8, 30);
        node.ticks(controller, 3);

        assertThat(controller.statuses().get("short").diskBytesPerSecond()).isEmpty();
        assertThat(controller.statuses().get("long").diskBytesPerSecond()).isPresent();
    }

    /** Of whom reads alone are counted nobody knows what he writes. */
    @Test
    void whoseWritesAreNotCountedIsNotLimitedAndTeachesNothing() {
        node.writing("old", 1, 60);
        node.ticks(controller, 20);
        node.uncounted.add("old");
        node.writing("new", 2, 60);

        assertThat(node.ticks(controller, 10)).isEmpty();

        node.work.remove("old");
        node.work.remove("new");
        node.tick(controller);
        node.uncounted.clear();
        node.writing("older", 3, 60);
        node.ticks(controller, 20);
        node.writing("known", 1, 60);
        node.ticks(controller, 4);

        assertThat(controller.statuses().get("older").diskBytesPerSecond())
                .as("as of a program that was never seen, the older is the longer")
                .isPresent();
    }

    /** They do all that is asked of them, which is as much as was ever seen. */
    @Test
    void disksThatAreNotBusyAreNotShared() {
        node.busy = 0.8;
        node.writing("old", 1, 50);
        node.ticks(controller, 20);
        node.writing("new", 2, 50);

        assertThat(node.ticks(controller, 20)).isEmpty();

        node.busy = 0.95;
        node.tick(controller);
        assertThat(controller.statuses().get("old").diskBytesPerSecond()).isPresent();
    }

    /** Limits keep a disk from being as busy as without. */
    @Test
    void whoIsHeldBackByHisLimitStaysLimited() {
        node.busy = 0.8;
        node.writing("old", 1, 50);
        node.ticks(controller, 20);
        node.writing("new", 2, 30);
        node.ticks(controller, 5);
        node.busy = 0.95;
        node.tick(controller);
        double limit = controller.statuses().get("old").diskBytesPerSecond().orElseThrow() / MEBI;
        node.busy = 0.6;
        node.writing("old", 1, limit).writing("new", 2, 80 - limit);
        node.ticks(controller, 2);

        assertThat(controller.statuses().get("old").diskBytesPerSecond()).isPresent();
    }

    @Test
    void disksOfWhichItIsNotKnownWhetherTheyCouldDoMoreAreNotSaturated() {
        DiskUse unknown = new DiskUse(1e9, Map.of());

        assertThat(new DiskUse(2e9, Map.of()).isSaturatedSince(unknown, 3)).isFalse();
        assertThat(new DiskUse(2e9, Map.of("8:0", 3.0)).isSaturatedSince(unknown, 3))
                .isFalse();
    }

    @Test
    void theEndOfTheShorterFreesTheLongerAtOnce() {
        node.writing("old", 1, 50);
        node.ticks(controller, 20);
        node.writing("new", 2, 30);
        node.writing("old", 1, 30);
        node.ticks(controller, 2);
        assertThat(controller.statuses().get("old").diskBytesPerSecond()).isPresent();
        node.work.remove("new");

        ControlPlan plan = node.tick(controller);

        assertThat(plan.statuses().get("old").diskBytesPerSecond()).isEmpty();
    }

    /** Random nodes: whatever comes and goes, each change has a reason, and nobody is confined to nothing. */
    @Test
    void everyChangeIsOfARunningContainerAndHasAReason() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Node any = new Node();
            Controller all = new Controller(settings(), CoreSet.parse("0-" + random.nextInt(8)));
            for (int tick = 0; tick < 60; tick++) {
                String id = "c" + random.nextInt(6);
                switch (random.nextInt(6)) {
                    case 0 -> any.computing(id);
                    case 1 -> any.writing(id, 1 + random.nextInt(3), 60 * random.nextDouble());
                    case 2 -> any.work.remove(id);
                    default -> {}
                }
                ControlPlan plan = any.tick(all);

                assertThat(plan.statuses().keySet()).as("seed %d", seed).isEqualTo(any.work.keySet());
                assertThat(plan.changes()).as("seed %d", seed).allSatisfy(change -> {
                    assertThat(change.reason()).isNotBlank();
                    assertThat(any.work).containsKey(change.container());
                });
            }
        }
    }

    private static ControlSettings settings() {
        return new ControlSettings(
                Duration.ofSeconds(3),
                Duration.ofSeconds(30),
                new BlockedClassifier(0.5),
                Optional.of(new CoreAllocator(1, CoreSharing.SAME_CORE)),
                Optional.of(new DiskShares(0.1)),
                OptionalDouble.empty(),
                Duration.ofSeconds(60),
                Duration.ofHours(1));
    }

    private record Work(double onCpu, double blocked, double bytes, Optional<LaunchSignature> program) {}

    /** Containers that go on with what they do, and a clock. */
    private static final class Node {
        private final Map<String, Work> work = new LinkedHashMap<>();
        private final Map<String, Usage> totals = new LinkedHashMap<>();
        private Instant now = Instant.EPOCH;
        /** Whose writes are not counted. */
        private final Set<String> uncounted = new HashSet<>();

        private double slowWhenConfined = 1;
        private double speed = 1;
        private double diskBytes;
        /** For which share of the time the disk has something to do. */
        private double busy = 1;

        private double busySeconds;
        private List<ContainerObservation> newest = List.of();

        Node computing(String id) {
            work.put(id, new Work(2, 0, 0, Optional.empty()));
            return this;
        }

        Node writing(String id) {
            work.put(id, new Work(0.05, 0.95, 0.5 * MEBI, Optional.empty()));
            return this;
        }

        Node writing(String id, long program, double mebiPerSecond) {
            work.put(id, new Work(0.05, 0.95, mebiPerSecond * MEBI, Optional.of(new LaunchSignature(program))));
            return this;
        }

        List<Change> ticks(Controller controller, int count) {
            List<Change> changes = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                changes.addAll(tick(controller).changes());
            }
            return changes;
        }

        ControlPlan tick(Controller controller) {
            now = now.plusMillis(Math.round(1000 * SECONDS));
            boolean confined = controller.statuses().values().stream()
                    .anyMatch(status -> !status.cores().isEmpty());
            totals.keySet().retainAll(work.keySet());
            List<ContainerObservation> observations = new ArrayList<>();
            work.forEach((id, does) -> {
                Usage before = totals.getOrDefault(id, new Usage(0, Map.of()));
                // A new one is first seen a second after its launch.
                double seconds = totals.containsKey(id) ? SECONDS : 1;
                double rate = seconds * speed * (confined ? slowWhenConfined : 1);
                Map<Quantity, Double> amounts = new EnumMap<>(Quantity.class);
                amounts.put(Quantity.ON_CPU, before.amountOrNone(Quantity.ON_CPU) + rate * does.onCpu());
                amounts.put(Quantity.BLOCKED, before.amountOrNone(Quantity.BLOCKED) + rate * does.blocked());
                amounts.put(Quantity.READ_BYTES, before.amountOrNone(Quantity.READ_BYTES) + rate * does.bytes() / 2);
                amounts.put(
                        Quantity.WRITTEN_BYTES, before.amountOrNone(Quantity.WRITTEN_BYTES) + rate * does.bytes() / 2);
                totals.put(id, new Usage(before.seconds() + seconds, amounts));
                if (uncounted.contains(id)) {
                    amounts.remove(Quantity.WRITTEN_BYTES);
                }
                Usage total = new Usage(before.seconds() + seconds, amounts);
                diskBytes += rate * does.bytes();
                observations.add(new ContainerObservation(id, id.endsWith("_000001"), does.program(), total));
            });
            newest = observations;
            return controller.tick(now, observations, disks());
        }

        /** The controller looks once more at the newest sample. */
        ControlPlan again(Controller controller) {
            now = now.plusMillis(Math.round(1000 * SECONDS));
            return controller.tick(now, newest, disks());
        }

        private Optional<DiskUse> disks() {
            busySeconds += busy * SECONDS;
            return Optional.of(new DiskUse(diskBytes, Map.of("8:0", busySeconds)));
        }
    }
}
