package org.interference.yarn.sim.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.interference.yarn.sim.faults.Invariants.Story;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every invariant holds of a good history, and fails of a bad one: one that cannot fail finds nothing. */
class InvariantsTest {
    /** What makes each fail, and no other. */
    private static final Map<Invariants, Consumer<Story>> BAD = new EnumMap<>(Map.ofEntries(
            Map.entry(Invariants.USABLE_NODES, story -> allocate(story.ours(), 2, false, "")),
            Map.entry(
                    Invariants.EVERYBODY_SERVED,
                    story -> story.ours().drained().add(new LifeHistory.Drained(0, 100, 100, Set.of("1/0")))),
            Map.entry(Invariants.SERVED_SOON, story -> story.ours()
                    .asked()
                    .add(new LifeHistory.Asked(0, true, Invariants.mostSeconds(2) + 1, false))),
            Map.entry(Invariants.FAIR, story -> story.ours().unfair().add("passed over")),
            Map.entry(Invariants.PROFILES_UNTOUCHED, story -> story.ours()
                    .profiles()
                    .add(new LifeHistory.Profile(1, "key", Enemies.VICTIMS_LEVEL - 0.02))),
            Map.entry(Invariants.OFF_IS_STOCK, story -> allocate(story.off().orElseThrow(), 2, true, "")),
            Map.entry(Invariants.BOUNDED, story -> story.ours().size(new LifeHistory.Size(1, "queue", 11, 10))),
            Map.entry(Invariants.NOTHING_THROWN, story -> story.ours().thrown().add("an exception")),
            Map.entry(Invariants.ACTIVE, story -> story.ours().standby().add("a wrong setting")),
            Map.entry(
                    Invariants.NEVER_WAITS_FOR_STORE,
                    story -> story.ours().waitedForStore().add("second 1")),
            Map.entry(Invariants.RECOVERS, story -> story.ours().end(end("SHADOW", List.of()))),
            Map.entry(Invariants.NO_ERRORS, story -> story.ours().end(end("ON", List.of("an error")))),
            Map.entry(Invariants.STORED, story -> story.ours()
                    .end(new LifeHistory.End("ON", "ON", "", List.of(), Set.of("a profile"))))));

    @ParameterizedTest
    @EnumSource
    void holdsOfAGoodHistoryAndFailsOfABadOne(Invariants invariant) {
        Story story = good();
        assertThat(invariant.broken(story)).isEmpty();

        assertThat(BAD).containsKey(invariant);
        BAD.get(invariant).accept(story);

        assertThat(invariant.broken(story)).hasSize(1);
        for (Invariants other : Invariants.values()) {
            // A container too many is where the parent would not put it, too.
            if (other != invariant && invariant != Invariants.USABLE_NODES) {
                assertThat(other.broken(story)).as("%s", other).isEmpty();
            }
        }
    }

    @Test
    void whoReservedANodeMayHaveIt() {
        Story story = good();
        allocate(story.ours(), 2, true, "someone");
        assertThat(Invariants.USABLE_NODES.broken(story)).isEmpty();

        allocate(story.ours(), 3, true, "another one");
        assertThat(Invariants.USABLE_NODES.broken(story)).hasSize(1);
    }

    @Test
    void aNodeThatLeavesIsGivenNothingButAtItsOwnHeartbeat() {
        Story story = good();
        story.ours().allocated().add(leaving(true));
        assertThat(Invariants.USABLE_NODES.broken(story)).isEmpty();

        story.ours().allocated().add(leaving(false));
        assertThat(Invariants.USABLE_NODES.broken(story)).hasSize(1);
    }

    private static LifeHistory.Allocated leaving(boolean beats) {
        return new LifeHistory.Allocated(1, "someone", 2, "a node", true, false, beats, true, "");
    }

    @Test
    void whoTheStockSchedulerLeavesWaitingMayWait() {
        Story story = good();
        story.stock().drained().set(0, new LifeHistory.Drained(0, 5, 5, Set.of("1/0")));
        story.ours().drained().add(new LifeHistory.Drained(0, 100, 100, Set.of("1/0")));

        assertThat(Invariants.EVERYBODY_SERVED.broken(story)).isEmpty();
    }

    /** Seed 8422 by passes: a parent's reservation of its own, on a node that fell silent a second later. */
    @Test
    void whatASilentNodeHasReservedMayKeepOthersWaiting() {
        Story story = good();
        story.ours().drained().add(new LifeHistory.Drained(0, 100, 100, Set.of("1/0"), true));

        assertThat(Invariants.EVERYBODY_SERVED.broken(story)).isEmpty();
    }

    @Test
    void whereThereIsNotRoomForAllNobodyKnowsWhoComesFirst() {
        Story story = good();
        story.ours().asked().add(new LifeHistory.Asked(0, false, 1000, false));

        assertThat(Invariants.SERVED_SOON.broken(story)).isEmpty();
    }

    @Test
    void whatIsOffMayNotEndEarlierEither() {
        Story story = good();
        allocate(story.stock(), 2, true, "");

        assertThat(Invariants.OFF_IS_STOCK.broken(story)).hasSize(1);
    }

    private static Story good() {
        Story story = new Story(new LifeHistory(), new LifeHistory(), Optional.of(new LifeHistory()));
        story.all().forEach(history -> allocate(history, 1, true, ""));
        story.stock().asked().add(new LifeHistory.Asked(0, true, 2, true));
        story.ours().asked().add(new LifeHistory.Asked(0, true, 2, true));
        story.stock().drained().add(new LifeHistory.Drained(0, 5, 5, Set.of()));
        story.ours().profiles().add(new LifeHistory.Profile(1, "key", Enemies.VICTIMS_LEVEL));
        story.ours().size(new LifeHistory.Size(1, "queue", 10, 10));
        story.ours().end(end("ON", List.of()));
        return story;
    }

    private static LifeHistory.End end(String inForce, List<String> errors) {
        return new LifeHistory.End("ON", inForce, "", errors, Set.of());
    }

    private static void allocate(LifeHistory history, long container, boolean heard, String reservedFor) {
        history.allocated()
                .add(new LifeHistory.Allocated(
                        1, "someone", container, "a node", true, true, false, heard, reservedFor));
    }
}
