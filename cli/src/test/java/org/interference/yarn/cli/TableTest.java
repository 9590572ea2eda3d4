package org.interference.yarn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.interference.yarn.cli.Table.Room;
import org.junit.jupiter.api.Test;

class TableTest {
    private final Table table = new Table()
            .text("NAME", Room.CUT_END)
            .text("FROM THE END", Room.CUT_BEGINNING)
            .number("N", Room.ALWAYS)
            .text("EXTRA", Room.OR_NONE);

    TableTest() {
        table.row("a-name-that-is-long-1", "container_0001_000002", "7", "beside");
        table.row("b", "c", "10", "");
    }

    @Test
    void whereThereIsRoomNothingIsCut() {
        assertThat(table.print(80)).isEqualTo("""
                NAME                   FROM THE END            N  EXTRA
                a-name-that-is-long-1  container_0001_000002   7  beside
                b                      c                      10
                """);
    }

    @Test
    void theLongestAreCutFirstAndEachAtItsEnd() {
        assertThat(table.print(54)).isEqualTo("""
                NAME                  FROM THE END           N  EXTRA
                a-name-that-is-long…  …ntainer_0001_000002   7  beside
                b                     c                     10
                """);
    }

    @Test
    void whatIsNotNeededGoesAndIsNamedBeforeTextsBecomeUnreadable() {
        assertThat(table.print(46)).isEqualTo("""
                NAME                  FROM THE END           N
                a-name-that-is-long…  …ntainer_0001_000002   7
                b                     c                     10
                Not shown: EXTRA (a wider terminal, a pipe or --json has it).
                """);
    }

    @Test
    void thenTextsAreShortenedFurther() {
        assertThat(table.print(36)).startsWith("""
                NAME             FROM THE END      N
                a-name-that-is…  …er_0001_000002   7
                """);
    }

    @Test
    void whatIsNeededStaysHoweverNarrowItIs() {
        assertThat(table.print(10)).contains("NAME", "FROM THE END", "N");
    }
}
