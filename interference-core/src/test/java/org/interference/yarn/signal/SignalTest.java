package org.interference.yarn.signal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignalTest {
    /** Peers and stored profiles of every version rely on these; a line may be added, never changed. */
    @ParameterizedTest
    @CsvSource({
        "1, netp, NETP",
        "2, nets, NETS",
        "3, blk, BLK",
        "4, mbw, MBW",
        "5, llcmr, LLCMR",
        "6, llocc, LLOCC",
        "7, cpu, CPU",
        "8, cpuwait, CPUWAIT",
        "9, blkwait, BLKWAIT",
        "10, futex, FUTEX",
        "11, mem, MEM",
        "12, blkr, BLKR",
        "13, blkw, BLKW",
        "14, readb, READB",
        "15, writeb, WRITEB",
        "16, switches, SWITCHES",
        "17, preempted, PREEMPTED",
        "18, csw, CSW",
        "19, psicpu, PSICPU",
        "20, psiio, PSIIO",
        "21, psimem, PSIMEM",
        "22, psicpuf, PSICPUF",
        "23, psiiof, PSIIOF",
        "24, psimemf, PSIMEMF",
        "25, memanon, MEMANON",
        "26, memfile, MEMFILE",
        "27, instr, INSTR",
        "28, progress, PROGRESS",
        "29, disk, DISK"
    })
    void idAndWireNameAreTheContract(int id, String wireName, Signal signal) {
        assertThat(Signal.ofId(id)).hasValue(signal);
        assertThat(Signal.ofWireName(wireName)).hasValue(signal);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 12_345, -1, Integer.MAX_VALUE})
    void idOfANewerPeerIsNoSignal(int id) {
        assertThat(Signal.ofId(id)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "CPU", "cpu ", "gpu"})
    void nameThatIsNotOursIsNoSignal(String wireName) {
        assertThat(Signal.ofWireName(wireName)).isEmpty();
    }

    @Test
    void onlyRatiosDoNotAddUp() {
        assertThat(Signal.predictors())
                .filteredOn(signal -> signal.combination() == Signal.Combination.WEIGHTED_MEAN)
                .containsExactly(Signal.LLCMR, Signal.CPUWAIT);
    }

    /** A stored model is of these; another of them makes another schema. */
    @Test
    void slowdownsArePredictedFromTheFirstTen() {
        assertThat(Signal.predictors()).extracting(Signal::id).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    }
}
