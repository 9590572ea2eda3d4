package org.interference.yarn.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.interference.yarn.place.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodiesTest {
    @Test
    void bodiesSayWhatIsWanted() {
        assertThat(Bodies.mode(bytes("{'mode': 'shadow', 'queue': 'root.etl'}")))
                .isEqualTo(new Bodies.NewMode(Mode.SHADOW, Optional.of("root.etl")));
        assertThat(Bodies.mode(bytes("{'mode': 'off'}"))).isEqualTo(new Bodies.NewMode(Mode.OFF, Optional.empty()));
        assertThat(Bodies.settings(bytes("{'settings': {'a': '1', 'b': ''}}"))).isEqualTo(Map.of("a", "1", "b", ""));
        assertThat(Bodies.version(bytes("{'version': 3}"))).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "null",
                "not json",
                "{'mode': 1, 'settings': [], 'version': 0}",
                "{'mode': 'ON', 'settings': {'a': 1}, 'version': '3'}",
                "{'mode': 'on', 'queue': 7, 'settings': {'a': {}}, 'version': 3.5}",
                "{'mode': null, 'settings': null, 'version': 3000000000}",
            })
    void whatSaysNothingIsRefusedInOneSentence(String body) {
        assertThatThrownBy(() -> Bodies.mode(bytes(body))).isInstanceOf(RequestException.class);
        assertThatThrownBy(() -> Bodies.settings(bytes(body))).isInstanceOf(RequestException.class);
        assertThatThrownBy(() -> Bodies.version(bytes(body))).isInstanceOf(RequestException.class);
    }

    @Test
    void refusalDoesNotRepeatTheBody() {
        assertThatThrownBy(() -> Bodies.mode(bytes("{'mode': '%s'}".formatted("x".repeat(10_000)))))
                .message()
                .hasSizeLessThan(200);
    }

    /** Whoever is answered sees the first line alone. */
    @Test
    void refusalSaysWhyInItsFirstLineWhateverItRepeats() {
        assertThatThrownBy(() -> Bodies.mode(bytes("{'mode': 'on\\r\\n\\u2028'}")))
                .hasMessage("mode is 'on   ' but must be one of off, shadow, on");
    }

    @Test
    void refusalRepeatsNoHalfOfACharacter() {
        String pair = "😀";
        assertThatThrownBy(() -> Bodies.mode(bytes("{'mode': 'x%s'}".formatted(pair.repeat(60)))))
                .hasMessage("mode is 'x%s…' but must be one of off, shadow, on".formatted(pair.repeat(59)));
        assertThatThrownBy(() -> Bodies.mode(bytes("{'mode': '\\ud83d'}"))).hasMessageStartingWith("mode is ' ' but");
    }

    /** Whatever comes, it is a value or a refusal. */
    @Test
    void anythingIsReadOrRefused() {
        Random random = new Random(1);
        String valid = "{'mode': 'shadow', 'queue': 'root.etl', 'settings': {'a': '1'}, 'version': 3}";
        for (int i = 0; i < 10_000; i++) {
            byte[] body = bytes(valid);
            for (int change = 0; change <= random.nextInt(4); change++) {
                body[random.nextInt(body.length)] = (byte) random.nextInt(256);
            }
            readOrRefused(() -> Bodies.mode(body));
            readOrRefused(() -> Bodies.settings(body));
            readOrRefused(() -> Bodies.version(body));
        }
    }

    private static void readOrRefused(Runnable reading) {
        try {
            reading.run();
        } catch (RequestException e) {
            assertThat(e.status()).isEqualTo(400);
        }
    }

    private static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }
}
