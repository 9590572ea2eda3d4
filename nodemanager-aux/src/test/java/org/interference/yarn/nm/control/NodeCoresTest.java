package org.interference.yarn.nm.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeCoresTest {
    /** Eight physical cores of two threads, numbered as Linux does. */
    private static final NodeCores SIXTEEN = new NodeCores(List.of(IntStream.range(0, 8)
            .mapToObj(core -> CoreSet.of(List.of(core, core + 8)))
            .toList()));

    @Test
    void fewAreThreadsOfOneCoreOrOfTwo() {
        assertThat(SIXTEEN.few(2, CoreSharing.SAME_CORE)).isEqualTo(CoreSet.parse("0,8"));
        assertThat(SIXTEEN.few(3, CoreSharing.SAME_CORE)).isEqualTo(CoreSet.parse("0-1,8"));
        assertThat(SIXTEEN.few(2, CoreSharing.APART)).isEqualTo(CoreSet.parse("0-1"));
        assertThat(SIXTEEN.few(9, CoreSharing.APART)).isEqualTo(CoreSet.parse("0-8"));
    }

    @Test
    void fewAreOfTheFirstNumaNodeThatHasAsMany() {
        NodeCores uneven = new NodeCores(
                List.of(List.of(CoreSet.parse("0,8")), SIXTEEN.physical().subList(1, 8)));

        assertThat(uneven.few(2, CoreSharing.APART)).isEqualTo(CoreSet.parse("0,8"));
        assertThat(uneven.few(3, CoreSharing.SAME_CORE)).isEqualTo(CoreSet.parse("1-2,9"));
        assertThat(uneven.few(16, CoreSharing.SAME_CORE)).isEqualTo(CoreSet.parse("0-15"));
    }
}
