package org.interference.yarn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the program says of its commands. */
class InterferenceProgramTest {
    private final Program program = new Program();

    @Test
    void withoutACommandTheCommandsAreShown() {
        assertThat(program.run()).isEqualTo(2);

        assertThat(program.out()).isEmpty();
        assertThat(program.err()).contains("\n  status  ", "\n  plan  ", "\n  simulate  ", "\n  classify  ");
    }

    @Test
    void anUnknownCommandIsOneSentenceAndStatusTwo() {
        assertThat(program.run("forecast")).isEqualTo(2);

        assertThat(program.err())
                .isEqualTo("Unmatched argument at index 0: 'forecast' (interference --help says more)\n");
        assertThat(program.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"simulate", "classify"})
    void whatNeedsThePluginIsAProgramOfItsOwn(String command) {
        assertThat(program.run(command)).isEqualTo(2);

        assertThat(program.err())
                .startsWith("This is a program of its own, which bin/interference %s starts".formatted(command));
        assertThat(program.out()).isEmpty();
    }
}
