package org.interference.yarn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the program says of its commands. */
class InterferenceProgramTest {
    private final Program program = new Program();

    @Test
    void withoutACommandTheCommandsAreShown() {
        assertThat(program.run()).isEqualTo(2);

        assertThat(program.out()).isEmpty();
        assertThat(program.err()).contains("\n  status  ", "\n  plan  ", "\n  simulate  ");
    }

    @Test
    void anUnknownCommandIsOneSentenceAndStatusTwo() {
        assertThat(program.run("forecast")).isEqualTo(2);

        assertThat(program.err())
                .isEqualTo("Unmatched argument at index 0: 'forecast' (bin/interference --help says more)\n");
        assertThat(program.out()).isEmpty();
    }

    @Test
    void theSimulatorIsAProgramOfItsOwn() {
        assertThat(program.run("simulate")).isEqualTo(2);

        assertThat(program.err())
                .startsWith("The simulator is a program of its own, which bin/interference simulate starts");
        assertThat(program.out()).isEmpty();
    }
}
