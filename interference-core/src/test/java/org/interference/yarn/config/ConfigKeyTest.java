package org.interference.yarn.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigKeyTest {
    private static final ConfigKey<Duration> MILLIS =
            ConfigKey.millis("yarn.interference.x", Duration.ofSeconds(10), Duration.ofSeconds(1), "A time.");
    private static final ConfigKey<Integer> INTEGER = ConfigKey.integer("yarn.interference.n", 5, 1, 9, "A number.");
    private static final ConfigKey<Colour> COLOUR =
            ConfigKey.oneOf("yarn.interference.colour", Colour.class, Colour.DARK_RED, "A colour.");
    private static final ConfigKey<String> TEXT =
            ConfigKey.text("yarn.interference.dir", "/var/x", "a directory", "A directory.");

    private enum Colour {
        DARK_RED,
        BLUE
    }

    @Test
    void refusalIsOneSentenceThatSaysWhatIsAllowed() {
        assertThatThrownBy(() -> MILLIS.read(set("0")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("yarn.interference.x is '0' but must be a whole number of milliseconds, at least 1000"
                        + " (default: 10000)");
    }

    @Test
    void refusalOfWhatCannotBeParsedKeepsTheCause() {
        assertThatThrownBy(() -> INTEGER.read(set("five")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("yarn.interference.n is 'five' but must be a whole number from 1 to 9 (default: 5)")
                .hasCauseInstanceOf(NumberFormatException.class);
    }

    @Test
    void refusalOfAnUnknownConstantNamesAllOfThem() {
        assertThatThrownBy(() -> COLOUR.read(set("green")))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "yarn.interference.colour is 'green' but must be one of dark_red, blue (default: dark_red)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "0", "10", "1.5", "1e3", "99999999999"})
    void numberOutsideTheRuleIsRefused(String raw) {
        assertThatThrownBy(() -> INTEGER.read(set(raw))).isInstanceOf(ConfigException.class);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "9, 9"})
    void bothEndsOfTheRangeAreAllowed(String raw, int expected) {
        assertThat(INTEGER.read(set(raw))).isEqualTo(expected);
    }

    @Test
    void shortestTimeIsAllowed() {
        assertThat(MILLIS.read(set("1000"))).isEqualTo(Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"999", "-1", "10 s", "1s"})
    void timeOutsideTheRuleIsRefused(String raw) {
        assertThatThrownBy(() -> MILLIS.read(set(raw))).isInstanceOf(ConfigException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "\t\n"})
    void emptyTextIsRefused(String raw) {
        assertThatThrownBy(() -> TEXT.read(set(raw)))
                .isInstanceOf(ConfigException.class)
                .hasMessage("yarn.interference.dir is '' but must be a directory (default: /var/x)");
    }

    @Test
    void defaultIsUsedWhenTheKeyIsNotSet() {
        assertThat(MILLIS.read(ConfigKeyTest::unset)).isEqualTo(Duration.ofSeconds(10));
        assertThat(INTEGER.read(ConfigKeyTest::unset)).isEqualTo(5);
        assertThat(COLOUR.read(ConfigKeyTest::unset)).isEqualTo(Colour.DARK_RED);
        assertThat(TEXT.read(ConfigKeyTest::unset)).isEqualTo("/var/x");
    }

    @Test
    void defaultIsUsedWhenTheLookupAnswersNull() {
        assertThat(MILLIS.read(set(null))).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void keyIsLookedUpByItsName() {
        BinaryOperator<String> onlyThisKey = (name, fallback) -> name.equals("yarn.interference.n") ? "7" : fallback;

        assertThat(INTEGER.read(onlyThisKey)).isEqualTo(7);
    }

    @Test
    void blanksAroundAValueAreStripped() {
        assertThat(MILLIS.read(set(" 2000\n"))).isEqualTo(Duration.ofSeconds(2));
        assertThat(TEXT.read(set("\t/data/profiles "))).isEqualTo("/data/profiles");
        assertThat(COLOUR.read(set(" blue "))).isEqualTo(Colour.BLUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dark_red", "DARK_RED", "Dark_Red"})
    void constantIsReadInAnyCase(String raw) {
        assertThat(COLOUR.read(set(raw))).isEqualTo(Colour.DARK_RED);
    }

    @Test
    void everyDefaultIsWrittenAsAnOperatorWouldWriteIt() {
        assertThat(List.of(MILLIS.fallback(), INTEGER.fallback(), COLOUR.fallback(), TEXT.fallback()))
                .containsExactly("10000", "5", "dark_red", "/var/x");
    }

    /** Stands for a key that no configuration file has: Hadoop answers the default then. */
    private static String unset(String name, String fallback) {
        return fallback;
    }

    private static BinaryOperator<String> set(String raw) {
        return (name, fallback) -> raw;
    }
}
