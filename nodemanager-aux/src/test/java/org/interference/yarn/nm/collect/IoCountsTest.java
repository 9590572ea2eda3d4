package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IoCountsTest {
    @Test
    void truncatedBytesWereNotWritten() {
        String io = "rchar: 9\nwchar: 9\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 4096\n";

        assertThat(IoCounts.parse(io)).contains(new IoCounts(4096, 4096));
    }

    @Test
    void textWithoutBothCountsIsNoCount() {
        assertThat(IoCounts.parse("read_bytes: 4096\n")).isEmpty();
        assertThat(IoCounts.parse("read_bytes: x\nwrite_bytes: 1\n")).isEmpty();
    }
}
