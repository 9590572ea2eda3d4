package org.interference.yarn.sim.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.interference.yarn.sim.faults.FaultPlan.Ask;
import org.interference.yarn.sim.faults.FaultPlan.Event;
import org.interference.yarn.sim.faults.FaultPlan.Kind;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
    private static final List<FaultPlan> PLANS = LongStream.range(0, 500)
            .mapToObj(seed -> FaultPlan.of(seed, Kind.FAIR))
            .toList();

    @Test
    void aSeedIsAPlan() {
        assertThat(FaultPlan.of(7, Kind.FAIR)).isEqualTo(FaultPlan.of(7, Kind.FAIR));
        assertThat(new HashSet<>(PLANS)).hasSameSizeAs(PLANS);
    }

    @Test
    void everyKindOfFaultHappens() {
        Set<Class<?>> kinds = new HashSet<>();
        Set<Object> lies = new HashSet<>();
        Set<Object> disks = new HashSet<>();
        for (FaultPlan plan : PLANS) {
            for (Fault fault : plan.faults()) {
                kinds.add(fault.getClass());
                if (fault instanceof Fault.Lies told) {
                    lies.add(told.lie());
                }
                if (fault instanceof Fault.StoreTurns turns) {
                    disks.add(turns.to());
                }
            }
        }

        assertThat(kinds).containsExactlyInAnyOrder(Fault.class.getPermittedSubclasses());
        assertThat(lies).containsExactlyInAnyOrder((Object[]) Fault.Lie.values());
        assertThat(disks).containsExactlyInAnyOrder((Object[]) Fault.Disk.values());
    }

    @Test
    void eventsAreInOrderAndWithinTheirActs() {
        assertThat(PLANS).allSatisfy(plan -> assertThat(plan.acts()).allSatisfy(act -> {
            assertThat(act.events()).isSortedAccordingTo((one, other) -> Integer.compare(one.second(), other.second()));
            assertThat(act.events()).allMatch(event -> event.second() < act.seconds());
        }));
    }

    @Test
    void someContainersLiveLong() {
        assertThat(PLANS)
                .filteredOn(plan -> plan.acts().stream().anyMatch(act -> act.holds() && act.seconds() > 650))
                .hasSizeBetween(10, 40);
    }

    @Test
    void thereIsRoomForAllThatStays() {
        assertThat(PLANS).allSatisfy(plan -> assertThat(plan.acts())
                .filteredOn(FaultPlan.Act::holds)
                .allSatisfy(act -> assertThat(act.events().stream()
                                .filter(Ask.class::isInstance)
                                .mapToInt(event -> ((Ask) event).containers())
                                .sum())
                        .isLessThanOrEqualTo(plan.slots().stream()
                                        .mapToInt(Integer::intValue)
                                        .sum()
                                / 2)));
    }

    @Test
    void anEventLessIsTheSamePlanOtherwise() {
        FaultPlan plan = PLANS.stream()
                .filter(one -> one.acts().get(1).events().size() > 2)
                .findFirst()
                .orElseThrow();
        Event gone = plan.acts().get(1).events().get(1);

        FaultPlan shrunk = plan.without(1, 1);

        assertThat(shrunk.acts().get(0)).isEqualTo(plan.acts().get(0));
        assertThat(shrunk.acts().get(1).events())
                .hasSize(plan.acts().get(1).events().size() - 1)
                .satisfies(events -> assertThat(events.get(0))
                        .isSameAs(plan.acts().get(1).events().get(0)));
        assertThat(gone).isNotNull();
    }
}
