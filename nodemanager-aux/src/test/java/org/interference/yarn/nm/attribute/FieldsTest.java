package org.interference.yarn.nm.attribute;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldsTest {
    @Test
    void aNumberIsFoundByItsPlace() {
        String line = "12 -3 9223372036854775799 x4 5\n";

        assertThat(Fields.number(line, 0, 0)).isEqualTo(12);
        assertThat(Fields.number(line, 0, 1)).isEqualTo(-3);
        assertThat(Fields.number(line, 3, 1)).isEqualTo(9_223_372_036_854_775_799L);
        assertThat(Fields.number(line, 0, 4)).isEqualTo(5);
        assertThat(Fields.number(line, 0, 3)).isEqualTo(Fields.NONE);
        assertThat(Fields.number(line, 0, 5)).isEqualTo(Fields.NONE);
        assertThat(Fields.number(line, 1000, 0)).isEqualTo(Fields.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "-", "+1", "1x", "99999999999999999999", "9223372036854775808"})
    void whatIsNoNumberOfALongIsNone(String text) {
        assertThat(Fields.number(text, 0, 0)).isEqualTo(Fields.NONE);
    }
}
