package org.interference.yarn.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.capacity.States.SETTINGS;
import static org.interference.yarn.capacity.States.T0;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.interference.yarn.capacity.SizeDecision.Action;
import org.interference.yarn.place.Offer.Bid;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of every size, whatever nodes say. */
class GovernorPropertiesTest {
    private static final int STATES = 200;

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void sizesKeepTheirBounds(long seed) {
        Random random = new Random(seed);
        Governor governor = new Governor(SETTINGS);
        for (int i = 0; i < STATES; i++) {
            NodeState state = States.random(random);

            SizeDecision decision = governor.decide(state, T0.plusSeconds(7L * i));

            Size size = decision.size();
            Size used = state.used();
            assertThat(size.fitsIn(state.configured().times(SETTINGS.maxFactor())))
                    .as("%s", decision)
                    .isTrue();
            switch (decision.action()) {
                case KEEP -> assertThat(size).isEqualTo(state.now());
                case BACK -> assertThat(size).isEqualTo(state.configured());
                case GROW -> {
                    assertThat(state.now().fitsIn(size)).as("%s", decision).isTrue();
                    assertThat(size).isNotEqualTo(state.now());
                }
                case SHRINK -> {
                    Size most = state.configured().times(SETTINGS.maxFactor());
                    assertThat(used.and(state.now()).and(most).fitsIn(size))
                            .as("%s of %s", decision, state)
                            .isTrue();
                    assertThat(size.fitsIn(state.now())).as("%s", decision).isTrue();
                }
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatIsSetIsNotSetAgain(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < STATES; i++) {
            Governor governor = new Governor(SETTINGS);
            NodeState state = States.random(random);
            Size size = governor.decide(state, T0).size();

            SizeDecision again = governor.decide(States.with(state, size), T0);

            assertThat(again.action()).as("%s of %s", again, state).isEqualTo(Action.KEEP);
            assertThat(again.size()).isEqualTo(size);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nodeWithoutAReportIsAsConfigured(long seed) {
        Random random = new Random(seed);
        Governor governor = new Governor(SETTINGS);
        for (int i = 0; i < STATES; i++) {
            NodeState state = States.withAge(States.random(random), Optional.empty());

            SizeDecision decision = governor.decide(state, T0.plusSeconds(i));

            assertThat(decision.size()).isEqualTo(state.configured());
            assertThat(decision.evictions()).isEmpty();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void onlyWhoWasAdmittedByGrowthGoes(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < STATES; i++) {
            NodeState state = States.random(random);
            Set<String> mayGo = state.running().stream()
                    .filter(container -> container.admittedByGrowth() && !container.master())
                    .map(RunningContainer::container)
                    .collect(Collectors.toSet());

            assertThat(new Governor(SETTINGS).decide(state, T0).evictions()).allSatisfy(eviction -> {
                assertThat(mayGo).contains(eviction.container());
                assertThat(eviction.lost()).isGreaterThanOrEqualTo(Duration.ZERO);
            });
        }
    }

    /** All ask for the same here: by how much a step is depends on who gains most surely. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void moreGainNeverMakesANodeSmaller(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < STATES; i++) {
            NodeState any = States.random(random);
            NodeState state = alike(any, 0, 1);
            NodeState better = alike(any, 0.3, 1);

            Size size = new Governor(SETTINGS).decide(state, T0).size();
            Size larger = new Governor(SETTINGS).decide(better, T0).size();

            assertThat(size.fitsIn(larger))
                    .as("%s and %s of %s", size, larger, state)
                    .isTrue();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void moreMemoryPerTaskNeverMakesANodeLarger(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < STATES; i++) {
            NodeState any = States.random(random);
            NodeState state = alike(any, 0, 1);
            NodeState hungrier = alike(any, 0, 1.5);

            Size size = new Governor(SETTINGS).decide(state, T0).size();
            Size smaller = new Governor(SETTINGS).decide(hungrier, T0).size();

            assertThat(smaller.fitsIn(size))
                    .as("%s and %s of %s", smaller, size, state)
                    .isTrue();
        }
    }

    /** With time between steps and a bound on each step there is a bound on how fast a node grows. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void forwardIsSlowAndBackIsQuick(long seed) {
        Random random = new Random(seed);
        Governor governor = new Governor(States.settings(4, 0, 1));
        Size size = States.NODE;
        int steps = 0;
        Instant now = T0;
        for (int i = 0; i < STATES; i++) {
            now = now.plusSeconds(1);
            int fits = size.vcores();
            NodeState state = States.state(size, States.running(fits), States.waiting(States.GAIN));
            if (random.nextInt(50) == 0) {
                state = States.withAge(state, Optional.empty());
                size = governor.decide(state, now).size();
                assertThat(size).isEqualTo(States.NODE);
                continue;
            }
            Size next = governor.decide(state, now).size();
            assertThat(next.memoryMb() - size.memoryMb()).isLessThanOrEqualTo(1024);
            steps += next.equals(size) ? 0 : 1;
            size = next;
        }
        assertThat(steps).isBetween(1, STATES / 5 + 1);
    }

    /** A node of half, once or one and a half times what is configured: not more of one resource and less of another. */
    private static NodeState alike(NodeState state, double more, double hunger) {
        List<WaitingKind> waiting = new ArrayList<>();
        for (WaitingKind kind : state.waiting()) {
            Bid bid = kind.gain();
            waiting.add(new WaitingKind(
                    kind.kind(),
                    States.CONTAINER,
                    new Bid(bid.gain() + more, bid.atMost() + more, 0),
                    hungry(kind.memory(), hunger)));
        }
        return new NodeState(
                state.node(),
                state.configured(),
                state.configured()
                        .times((1 + state.reportAge().map(Duration::toSeconds).orElse(0L) % 3) / 2.0),
                state.running().stream()
                        .map(container -> new RunningContainer(
                                container.container(),
                                container.requested(),
                                container.usedMb(),
                                hungry(container.memory(), hunger),
                                container.admittedByGrowth(),
                                container.master(),
                                container.sensitivity(),
                                container.started()))
                        .toList(),
                waiting,
                state.pressure(),
                state.reportAge(),
                state.owes());
    }

    private static Optional<KindMemory> hungry(Optional<KindMemory> memory, double hunger) {
        return memory.map(known -> new KindMemory(
                known.meanMb() * hunger, known.deviationMb() * hunger, known.highMb() * hunger, known.tasks()));
    }
}
