package org.interference.yarn.capacity.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.interference.yarn.capacity.Size;
import org.junit.jupiter.api.Test;

class KnownSizeTest {
    private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
    private static final Size CONFIGURED = new Size(8192, 8);
    private static final Size GROWN = new Size(9216, 9);
    private static final Size LARGER = new Size(10240, 10);

    @Test
    void sizeThatWeAskedForIsOurs() {
        KnownSize known = KnownSize.of(CONFIGURED).asks(GROWN, T0).seen(GROWN);

        assertThat(known.configured()).isEqualTo(CONFIGURED);
        assertThat(known.asked()).containsExactly(GROWN);
        assertThat(known.isLate(GROWN)).isFalse();
        assertThat(known.grownSince()).contains(T0);
    }

    @Test
    void sizeBeforeTheNewestIsOursWhileThatIsOnItsWay() {
        KnownSize known = KnownSize.of(CONFIGURED).asks(GROWN, T0).seen(GROWN).asks(LARGER, T0.plusSeconds(5));

        assertThat(known.seen(GROWN)).isEqualTo(known);
        assertThat(known.isLate(GROWN)).isTrue();
        assertThat(known.seen(LARGER).isLate(LARGER)).isFalse();
        assertThat(known.seen(LARGER).asked()).containsExactly(LARGER);
        assertThat(known.grownSince()).contains(T0);
    }

    @Test
    void sizeOfSomebodyElseIsTheConfiguredOne() {
        Size administrators = new Size(4096, 4);

        KnownSize known = KnownSize.of(CONFIGURED).asks(GROWN, T0).seen(administrators);

        assertThat(known).isEqualTo(KnownSize.of(administrators));
    }

    @Test
    void sizeOfSomebodyElseIsTheConfiguredOneThoughOursComesAfterIt() {
        Size administrators = new Size(4096, 4);

        KnownSize known = KnownSize.of(CONFIGURED).asks(GROWN, T0).given(administrators);

        assertThat(known.seen(GROWN).configured()).isEqualTo(administrators);
        assertThat(known.seen(GROWN)
                        .asks(administrators, T0)
                        .seen(administrators)
                        .asked())
                .isEmpty();
        assertThat(KnownSize.of(CONFIGURED)
                        .asks(GROWN, T0)
                        .seen(GROWN)
                        .given(GROWN)
                        .seen(GROWN))
                .isEqualTo(KnownSize.of(GROWN));
    }

    @Test
    void nothingOfOursIsLeftOnceItIsBack() {
        KnownSize known = KnownSize.of(CONFIGURED).asks(GROWN, T0).seen(GROWN).asks(CONFIGURED, T0);

        assertThat(known.seen(GROWN)).isEqualTo(known);
        assertThat(known.seen(CONFIGURED).asked()).isEmpty();
        assertThat(known.seen(CONFIGURED).grownSince()).contains(T0);
    }

    /** A node registers with the size that it was given last until its NodeManager begins anew, with what it is configured for by then. */
    @Test
    void whatIsAboveTheKeptSizeIsOursUnlessTheNodeManagerHasBegunAnew() {
        Optional<KeptSize> kept = Optional.of(new KeptSize(CONFIGURED, OptionalLong.of(7)));

        assertThat(KnownSize.of(GROWN, kept, OptionalLong.of(7), 4))
                .contains(new KnownSize(CONFIGURED, List.of(GROWN), Optional.of(Instant.EPOCH)));
        assertThat(KnownSize.of(GROWN, kept, OptionalLong.of(8), 4)).contains(KnownSize.of(GROWN));
        assertThat(KnownSize.of(GROWN, kept, OptionalLong.empty(), 4))
                .as("it has not reported yet")
                .isEmpty();
    }

    @Test
    void whatWasNeverGivenIsConfigured() {
        Optional<KeptSize> kept = Optional.of(new KeptSize(CONFIGURED, OptionalLong.of(7)));

        for (Size now : List.of(CONFIGURED, new Size(4 * 8192 + 1, 8))) {
            assertThat(KnownSize.of(now, kept, OptionalLong.empty(), 4)).contains(KnownSize.of(now));
        }
        assertThat(KnownSize.of(GROWN, Optional.empty(), OptionalLong.of(7), 4)).contains(KnownSize.of(GROWN));
    }

    @Test
    void sizeThatWasAskedForTwiceIsOursWhicheverOfBothItIs() {
        KnownSize known =
                KnownSize.of(CONFIGURED).asks(GROWN, T0).asks(LARGER, T0).asks(GROWN, T0);

        assertThat(known.seen(GROWN).seen(LARGER).seen(GROWN).configured()).isEqualTo(CONFIGURED);
        assertThat(known.seen(GROWN).seen(GROWN).asked()).containsExactly(GROWN);
    }

    /** As one that ran short of memory. */
    @Test
    void whatIsBelowTheKeptSizeIsOursToo() {
        Optional<KeptSize> kept = Optional.of(new KeptSize(CONFIGURED, OptionalLong.of(7)));
        Size shrunk = new Size(4096, 4);

        assertThat(KnownSize.of(shrunk, kept, OptionalLong.of(7), 4))
                .contains(new KnownSize(CONFIGURED, List.of(shrunk), Optional.of(Instant.EPOCH)));
        assertThat(KnownSize.of(shrunk, kept, OptionalLong.of(8), 4)).contains(KnownSize.of(shrunk));
    }

    /** Files of earlier versions do not say when nodes began. */
    @Test
    void whereNobodyKnowsWhenTheNodeManagerBeganItIsOurs() {
        assertThat(KnownSize.of(
                        GROWN, Optional.of(new KeptSize(CONFIGURED, OptionalLong.empty())), OptionalLong.of(8), 4))
                .contains(new KnownSize(CONFIGURED, List.of(GROWN), Optional.of(Instant.EPOCH)));
    }

    /** Whatever we ask for, and however late YARN does it, in its order: what is configured is never mistaken. */
    @Test
    void whatIsConfiguredIsNotLostWhileYarnIsLate() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Deque<Size> onTheirWay = new ArrayDeque<>();
            Size now = CONFIGURED;
            KnownSize known = KnownSize.of(now);
            for (int step = 0; step < 100; step++) {
                if (onTheirWay.size() < 7 && random.nextInt(3) == 0) {
                    Size next = new Size(8192 + 1024L * random.nextInt(12), 8);
                    if (!next.equals(now) && !onTheirWay.contains(next)) {
                        onTheirWay.add(next);
                        known = known.asks(next, T0);
                    }
                } else if (!onTheirWay.isEmpty() && random.nextBoolean()) {
                    now = onTheirWay.remove();
                }
                known = known.seen(now);
                assertThat(known.configured()).as("seed %d", seed).isEqualTo(CONFIGURED);
            }
        }
    }
}
