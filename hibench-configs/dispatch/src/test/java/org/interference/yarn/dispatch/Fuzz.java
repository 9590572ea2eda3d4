package org.interference.yarn.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Damages text, and holds a parser to what it promises: a result, or one sentence. */
final class Fuzz {
    private static final String[] PIECES = {
        "\t",
        "\t\t",
        "\"",
        "-",
        "#",
        "",
        " ",
        "99999999999999999999",
        "-1",
        "1e9",
        "\u0000",
        "é",
        "${output}",
        "NaN",
        "spark"
    };

    private Fuzz() {}

    interface Parser {
        void parse(List<String> lines) throws InputException;
    }

    /** Parses so many damaged versions of {@code text}. */
    static void parse(String text, int times, Parser parser) {
        Random random = new Random(7);
        for (int i = 0; i < times; i++) {
            List<String> lines = damaged(text, random);
            try {
                parser.parse(lines);
            } catch (InputException e) {
                assertThat(e.getMessage())
                        .as("for %s", lines)
                        .isNotBlank()
                        .doesNotContain("\n", "Exception", "\u0000")
                        .startsWith("file");
            }
        }
    }

    private static List<String> damaged(String text, Random random) {
        StringBuilder damaged = new StringBuilder(text);
        int wounds = 1 + random.nextInt(4);
        for (int wound = 0; wound < wounds && damaged.length() > 0; wound++) {
            int at = random.nextInt(damaged.length());
            switch (random.nextInt(4)) {
                case 0 -> damaged.deleteCharAt(at);
                case 1 -> damaged.setCharAt(at, (char) random.nextInt(0x250));
                case 2 -> damaged.insert(at, PIECES[random.nextInt(PIECES.length)]);
                default -> damaged.delete(at, Math.min(damaged.length(), at + random.nextInt(30)));
            }
        }
        return new ArrayList<>(damaged.toString().lines().toList());
    }
}
