package org.interference.yarn.dispatch.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MakeflowTest {
    /** The example of Zheng 2019, 5.3.3, with the sub-sequences written out. */
    private static final String BLAST = """
            # An alignment.
            .MAKEFLOW CATEGORY local_split
            subseq.1 subseq.2: seq.inp splitreads.py
            \tLOCAL python splitreads.py 2 seq.inp

            .MAKEFLOW CATEGORY remote_map
            .MAKEFLOW MODE MIN_WASTE
            .MAKEFLOW MEMORY 2048
            output.1: seq.target subseq.1 rmapper
            \t./rmapper subseq.1 seq.target > output.1
            output.2: seq.target subseq.2 rmapper
            \t./rmapper subseq.2 seq.target > output.2

            CATEGORY="local_combine"
            output: output.1 output.2 combine.sh
            \tLOCAL ./combine.sh
            """;

    @Test
    void thePublishedExampleIsItsRulesAndTheirCategories() throws WorkflowException {
        Workflow workflow = parse(BLAST);

        assertThat(workflow.rules())
                .extracting(Rule::category)
                .containsExactly("local_split", "remote_map", "remote_map", "local_combine");
        assertThat(workflow.rules()).extracting(Rule::local).containsExactly(true, false, false, true);
        assertThat(workflow.rules().get(0).command()).isEqualTo("python splitreads.py 2 seq.inp");
        assertThat(workflow.rules().get(1).needs()).isEqualTo(new Needs(1, 2048));
        assertThat(workflow.rules().get(3).needs()).isEqualTo(new Needs(1, 1024));
        assertThat(workflow.rules().get(1).line()).isEqualTo(9);
        assertThat(workflow.waitsFor().get(3)).containsExactlyInAnyOrder(1, 2);
        assertThat(workflow.waitsFor().get(1)).containsExactly(0);
    }

    @Test
    void variablesAreThoseOfTheRuleThenOfItsCategoryThenOfAllThenOfTheEnvironment() throws WorkflowException {
        Workflow workflow = parse("""
                A=all
                B = all
                C="all"
                B+=more
                CATEGORY=One
                A=one
                x: in.$(A)
                @C=rule
                @CORES=3
                \techo $A ${B} $C $HOME \\$HOME '$A' "$A"
                y:
                \techo $A $C
                CATEGORY=two
                z:
                \techo $A
                """);

        assertThat(workflow.rules())
                .extracting(Rule::command)
                .containsExactly("echo one all more rule /home/me $HOME '$A' \"one\"", "echo one \"all\"", "echo all");
        assertThat(workflow.rules()).extracting(Rule::category).containsExactly("one", "one", "two");
        assertThat(workflow.rules().get(0).sources()).containsExactly(new FileUse("in.one", "in.one"));
        assertThat(workflow.rules()).extracting(rule -> rule.needs().cores()).containsExactly(3, 1, 1);
    }

    @Test
    void whatIsExportedIsInTheEnvironmentOfRulesThatFollow() throws WorkflowException {
        Workflow workflow = parse("""
                a:
                \ttrue
                export HOME NOBODY
                export X="1 2"
                b:
                \ttrue
                """);

        assertThat(workflow.rules().get(0).environment()).isEmpty();
        assertThat(workflow.rules().get(1).environment()).isEqualTo(Map.of("HOME", "/home/me", "X", "1 2"));
    }

    @Test
    void linesAreContinuedAndCommentsLeftOutButNotInQuotes() throws WorkflowException {
        Workflow workflow = parse("""
                FILES=a \\
                  b # and no more
                out: $FILES \\
                     ./c#it's one
                # don't mind
                \tcat a b \\
                \tc | grep '#' "#" > out # done
                """);

        Rule rule = workflow.rules().get(0);
        assertThat(rule.sources()).extracting(FileUse::name).containsExactly("a", "b", "c");
        assertThat(rule.command().replaceAll("\\s+", " ")).isEqualTo("cat a b c | grep '#' \"#\" > out");
        assertThat(rule.line()).isEqualTo(3);
    }

    @Test
    void aFileMayHaveAnotherNameBesideTheCommandAndAProgramOfTheNodeIsNotCarried() throws WorkflowException {
        Rule rule = parse("d/out -> out: d/in->in /usr/bin/sort\n  sort in > out\n")
                .rules()
                .get(0);

        assertThat(rule.targets()).containsExactly(new FileUse("d/out", "out"));
        assertThat(rule.sources())
                .containsExactly(new FileUse("d/in", "in"), new FileUse("/usr/bin/sort", "/usr/bin/sort"));
        assertThat(rule.sources().get(1).isOfTheNode()).isTrue();
    }

    @Test
    void rulesThatNameNoCategoryAreOfTheKindThatIsGiven() throws WorkflowException {
        assertThat(parse("a:\n\ttrue\n").rules().get(0).category()).isEqualTo("unnamed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a: b;~true;b: a;~true|1|is a rule of a cycle, in which each wants what the next one makes: lines 1, 3",
                "a: a;~true|1|is a rule that wants what it makes",
                "a:;~true;a:;~true|3|makes 'a', which the rule in line 1 makes, too",
                "a a:;~true|1|makes 'a', which it names twice",
                ": b;~true|1|is a rule without a target",
                "a:;b:;~true|1|is a rule without a command; it begins with a tab",
                "a:;CORES=1|1|is a rule without a command; it begins with a tab",
                ";~true|2|is a command under no rule; a rule has one, and && joins two",
                "a:;~true;~true|3|is a command under no rule; a rule has one, and && joins two",
                "a: 'b;~true|1|has a quote that does not end",
                ";a:;~echo \"x|3|has a quote that does not end",
                "a: \\|1|ends in a backslash, and no line follows",
                ".MAKEFLOW COLOUR red|1|is '.MAKEFLOW COLOUR red' but directives are .MAKEFLOW with CATEGORY, CORES, MEMORY, DISK or MODE and a value, and .SIZE FILE BYTES",
                "a:;.UMBRELLA SPEC x|2|is '.UMBRELLA SPEC x' but directives are .MAKEFLOW with CATEGORY, CORES, MEMORY, DISK or MODE and a value, and .SIZE FILE BYTES",
                "CORES=0|1|sets CORES to '0' but must set it to a whole number from 1 to 10000",
                "MEMORY=1G|1|sets MEMORY to '1G' but must set it to a whole number from 1 to 100000000, in MB",
                "GPUS=1|1|sets GPUS, which are not asked of YARN",
                "CATEGORY=a b|1|names the category 'a b' but must name it by 1 to 90 letters, digits, '.', '_' and '-', as it becomes a tag",
                "a: $X|1|uses $X, which has no value",
                "a: $|1|has a $ that is no variable; the shell's are written \\$",
                "a: ${X|1|has a $ that is no variable; the shell's are written \\$",
                "../a:|1|names the file '../a' but names are paths without .. of letters, digits and any of _+@%=,~.-",
                "/a:|1|has the target '/a' but must name it relative to the workflow's folder",
                "a: /b->c|1|renames '/b->c' but both names must be relative",
                "a:;~MAKEFLOW other|2|runs a Makeflow file of its own; its rules must be in this one",
                "a:;~LOCAL|2|has no command",
                "@X=1|1|sets a variable of a rule, but is under none",
                "nonsense here|1|begins with 'nonsense' but must be a rule, NAME=VALUE, export or .MAKEFLOW",
                "export 1x|1|exports '1x', which is no variable's name",
                "# nothing|1|is the end of a file without rules"
            })
    void whatIsWrongIsSaidInOneSentenceWithTheLine(String file, int line, String sentence) {
        String text = file.replace(';', '\n').replace('~', '\t');

        assertThatExceptionOfType(WorkflowException.class)
                .isThrownBy(() -> parse(text))
                .withMessage(sentence)
                .satisfies(e -> assertThat(e.line()).isEqualTo(line));
    }

    @Test
    void aVariableThatDoublesItselfIsRefusedBeforeItIsLarge() {
        String text = "A=aaaaaaaa\n" + "A=$A$A\n".repeat(60) + "x:\n\ttrue\n";

        assertThatExceptionOfType(WorkflowException.class)
                .isThrownBy(() -> parse(text))
                .withMessageStartingWith("has more than 32768 characters");
    }

    private static Workflow parse(String text) throws WorkflowException {
        return Makeflow.of(text.lines().toList(), "unnamed", MakeflowTest::environment);
    }

    private static Optional<String> environment(String name) {
        return name.equals("HOME") ? Optional.of("/home/me") : Optional.empty();
    }
}
