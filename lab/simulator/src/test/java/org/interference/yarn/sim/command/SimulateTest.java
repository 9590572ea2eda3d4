package org.interference.yarn.sim.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.interference.yarn.sim.report.RunMetrics;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.interference.yarn.sim.workload.trace.KindInference;
import org.interference.yarn.sim.workload.trace.SwimReplay;
import org.interference.yarn.sim.world.Measurement;
import org.interference.yarn.sim.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateTest {
    private final FakeCells cells = new FakeCells();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void everyPolicyRunsOnTheSameSeedsAsTheBaseline() {
        assertThat(run("--world", "calm,wild", "--policy", "ours", "--seeds", "3"))
                .isZero();

        assertThat(cells.ran)
                .containsExactly(
                        "calm fair 1",
                        "calm ours 1",
                        "calm fair 2",
                        "calm ours 2",
                        "calm fair 3",
                        "calm ours 3",
                        "wild fair 1",
                        "wild ours 1",
                        "wild fair 2",
                        "wild ours 2",
                        "wild fair 3",
                        "wild ours 3");
    }

    @Test
    void theTableShowsTheChangeWithItsInterval() {
        assertThat(run("--world", "calm", "--policy", "ours", "--seeds", "4")).isZero();

        assertThat(out.toString())
                .contains("World calm")
                .containsPattern("\\| fair +\\| +100.0 \\|")
                .contains("50.0 (-50.0 ± 0.0 %)");
    }

    @Test
    void oneSeedGivesAChangeAndNoInterval() {
        assertThat(run("--world", "calm", "--policy", "ours", "--seeds", "1")).isZero();

        assertThat(out.toString()).contains("50.0 (-50.0 %)");
    }

    @Test
    void jsonIsTheWholeOutput() throws IOException {
        assertThat(run("--json", "--world", "calm", "--policy", "ours", "--seeds", "4"))
                .isZero();

        JsonNode makespan = new ObjectMapper().readTree(out.toString()).at("/results/calm/ours/makespan");
        assertThat(makespan.get("mean").doubleValue()).isEqualTo(50);
        assertThat(makespan.get("change_percent").doubleValue()).isEqualTo(-50);
        assertThat(makespan.get("low").doubleValue()).isEqualTo(-50);
    }

    @Test
    void listNamesWhatThereIs() {
        assertThat(run("--list")).isZero();

        assertThat(out.toString()).contains("Worlds\n  calm", "Patterns\n  swim", "Policies\n  fair");
        assertThat(cells.ran).isEmpty();
    }

    @Test
    void aTraceIsReplayedAndSummarised(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("own.tsv"), "a\t0\t0\t1\t0\t1\nb\t35\t35\t1\t0\t1\n");

        assertThat(run("--world", "calm", "--policy", "ours", "--seeds", "1", "--trace", file.toString()))
                .isZero();

        assertThat(out.toString())
                .contains("own.tsv: 2 jobs with 2 tasks; as scaled, a load of 0.01 on the 32 slots."
                        + " Its tasks are all taken for light-idle: whom they meet makes little difference.");
    }

    @Test
    void ofATraceWithoutCountersItIsSaid(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("sls.json"), "{\"job.tasks\": [{\"duration.ms\": 10000}]}");

        assertThat(run(
                        "--world",
                        "calm",
                        "--policy",
                        "ours",
                        "--seeds",
                        "1",
                        "--trace",
                        file.toString(),
                        "--format",
                        "sls"))
                .isZero();

        assertThat(out.toString())
                .contains("It has no counters: what tasks press on is drawn for each queue, user and type of task.");
    }

    @Test
    void tasksAreOfTheKindsOfAFileInEveryWorld(@TempDir Path folder) throws IOException {
        Path own = Files.writeString(folder.resolve("own.json"), """
                {"name": "own", "kinds": {"sort": {"cpu": 0.5}}, "slowdowns": {"sort": {"sort": 1.5}}}
                """);

        assertThat(run("--world", "calm," + own, "--policy", "ours", "--seeds", "1", "--load", "100"))
                .isZero();

        assertThat(cells.ran).containsExactly("calm fair 1", "calm ours 1", "own fair 1", "own ours 1");
        assertThat(cells.kinds).containsExactly("sort");
        assertThat(out.toString()).startsWith("Independent arrivals that would keep 100 % of the slots in use");
    }

    @Test
    void whatPoliciesLearntFromIsWhatRanBeforeApplicationsChanged() {
        assertThat(run("--world", "calm", "--policy", "ours", "--seeds", "1", "--load", "30-100", "--changed", "20"))
                .isZero();

        assertThat(cells.pasts).containsExactly("poisson-30-100-before");
        assertThat(out.toString())
                .startsWith("Independent arrivals that would keep 30, and in the end 100, % of the slots in use")
                .contains("Of the applications 20 % have become other programs since policies learnt.");
    }

    @Test
    void filesOfDifferentKindsAreSimulatedApart(@TempDir Path folder) throws IOException {
        String world = "{\"name\": \"%s\", \"kinds\": {\"%s\": {}}, \"curves\": {}}";
        Path one = Files.writeString(folder.resolve("one.json"), world.formatted("one", "sort"));
        Path same = Files.writeString(folder.resolve("same.json"), world.formatted("one", "sort"));
        Path other = Files.writeString(folder.resolve("other.json"), world.formatted("other", "scan"));

        assertThat(run("--policy", "ours", "--world", one + "," + other)).isEqualTo(2);
        assertThat(run("--policy", "ours", "--world", one + "," + same)).isEqualTo(2);

        assertThat(err.toString())
                .contains(
                        "other.json has other kinds of task than a file before it: simulate them apart",
                        "same.json: name is 'one' but must be another than that of a file before it")
                .hasLineCount(2);
    }

    @Test
    void theLoadOfALongTraceIsThatOfWhatIsReplayed(@TempDir Path folder) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int second : List.of(0, 10, 1000, 1010)) {
            text.append("a\t%d\t0\t1\t0\t1\n".formatted(second));
        }
        Path file = Files.writeString(folder.resolve("own.tsv"), text);

        assertThat(run(
                        "--world",
                        "calm",
                        "--seeds",
                        "1",
                        "--jobs",
                        "2",
                        "--trace",
                        file.toString(),
                        "--policy",
                        "ours"))
                .isZero();

        assertThat(out.toString())
                .contains("a load of 0.02 on the 32 slots while 2 of them are submitted (half the time 0.00 to 0.02)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--world nowhere|There is no world 'nowhere'; there are calm, wild",
                "--world calm --policy best|There is no policy 'best'; there are fair, ours",
                "--world calm --policy ours --pattern odd|There is no pattern 'odd'; there are swim",
                "--seeds 0|--seeds is 0 but must be from 1 to 10000",
                "--seeds many|Invalid value for option '--seeds'",
                "--nodes -4|--nodes is -4 but must be from 1 to 10000",
                "--world calm --policy ours --load 0|--load is 0 but must be from 1 to 1000",
                "--world calm --policy ours --load 30-0|--load is 30-0 but must be from 1 to 1000, or two of these with -",
                "--world calm --policy ours --load most|--load is most but must be from 1 to 1000",
                "--changed 101|--changed is 101 but must be from 0 to 100",
                "--world calm --policy ours --changed 20 --trace x.tsv|--changed is of applications that are a kind of task",
                "--world calm --policy ours --changed 20 --pattern swim|--changed is of applications that are a kind of task",
                "--world calm --policy ours --load 50 --pattern swim|--load says which jobs arrive, as --pattern and",
                "--world calm,none.json --policy ours|none.json is not there",
                "--slots 0|--slots is 0 but must be from 1 to 1000",
                "--fast|Unknown option: '--fast'",
                "--world calm --policy ours --pattern swim --trace x.tsv|--pattern and --trace both say",
                "--world calm --policy ours --trace x.tsv|x.tsv: cannot be read (there is no such file)",
                "--world calm --policy ours --trace x.csv|x.csv does not end in .tsv, .json or .jhist",
                "--world calm --policy ours --trace x.tsv --scale 0|scale of tasks must be positive",
                "--world calm --policy ours --trace x.tsv --format odd|Invalid value for option '--format'",
                "--world calm --policy ours --trace x.tsv --jobs 0|--jobs is 0 but must be at least 1",
                "--world calm --policy ours --trace x.tsv --disk-mb 0|disk bytes/s must be positive",
                "--scale 2|Missing required",
                "forecast|Unmatched argument",
            })
    void badInputIsOneSentenceAndStatusTwo(String arguments, String sentence) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);

        assertThat(err.toString())
                .contains(sentence, "(bin/interference simulate --help says more)")
                .hasLineCount(1)
                .doesNotContain("Exception");
        assertThat(out.toString()).isEmpty();
        assertThat(cells.ran).isEmpty();
    }

    @Test
    void helpIsNoError() {
        assertThat(run("--help")).isZero();

        assertThat(out.toString())
                .startsWith("Usage: interference simulate ")
                .contains("--world", "--trace", "docs/simulate.md");
    }

    private int run(String... arguments) {
        return Simulate.commandLine(cells, new PrintWriter(out, true), new PrintWriter(err, true))
                .execute(arguments);
    }

    /** Under "ours" everything takes half as long. */
    private static final class FakeCells implements Cells {
        private final List<String> ran = new ArrayList<>();
        private final Set<String> kinds = new TreeSet<>();
        private final Set<String> pasts = new TreeSet<>();

        @Override
        public List<World> worlds() {
            return List.of(world("calm"), world("wild"));
        }

        private static World world(String name) {
            return new World(name, "A sentence.", together -> new double[together.size()], Measurement.USUAL);
        }

        @Override
        public List<Choice> policies() {
            return List.of(new Choice("fair", "Stock."), new Choice("ours", "Better."));
        }

        @Override
        public List<KnownPattern> patterns(List<SimTaskKind> kinds) {
            return List.of(new KnownPattern(new SwimReplay(KindInference.USUAL), "A day."));
        }

        @Override
        public String baseline() {
            return "fair";
        }

        @Override
        public RunMetrics run(Cell cell, long seed) {
            List<SimJob> jobs = cell.pattern().jobs(new Random(seed), cell.nodes() * cell.slotsPerNode());
            assertThat(jobs).isNotEmpty();
            jobs.forEach(
                    job -> job.tasks().forEach(task -> kinds.add(task.kind().name())));
            pasts.add(cell.past().name());
            ran.add("%s %s %d".formatted(cell.world().name(), cell.policy(), seed));
            double seconds = cell.policy().equals("fair") ? 100 : 50;
            return new RunMetrics(seconds, seconds, seconds, 2, 3, 0.9, 1, 10, 0, 0, seconds, 0, 0);
        }
    }
}
