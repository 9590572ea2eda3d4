package org.interference.yarn.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HadoopLineTest {
    /** Amazon's, Cloudera's, Dataproc's and Bigtop's ways to name theirs. */
    @ParameterizedTest
    @CsvSource({
        "3.5.0,V3_5",
        "3.5.1-SNAPSHOT,V3_5",
        "3.4.3,V3_4",
        "3.4.2-amzn-2,V3_4",
        "3.4.2.7.3.3.0-56,V3_4",
        "3.3.6,V3_3",
        "3.4,V3_4",
        "3.4-dev,V3_4",
    })
    void aVendorsSuffixDoesNotMatter(String version, HadoopLine line) {
        assertThat(HadoopLine.of(version)).contains(line);
        assertThat(HadoopLine.require(version)).isEqualTo(line);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "3.1.1.7.1.7.0-551",
                "2.10.2",
                "3.50.0",
                "3.45",
                "4.3.4",
                "13.4.1",
                "3",
                "",
                "Unknown",
                "3.4x",
                "v3.4.1"
            })
    void elsewhereItDoesNotRun(String version) {
        assertThat(HadoopLine.of(version)).isEmpty();
        assertThatThrownBy(() -> HadoopLine.require(version))
                .isInstanceOf(UnsupportedHadoopException.class)
                .hasMessage("this is Hadoop %s, but the interference plugin is for Hadoop 3.3, 3.4, 3.5", version);
    }
}
