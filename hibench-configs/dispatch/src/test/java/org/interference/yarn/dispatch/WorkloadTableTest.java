package org.interference.yarn.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Claims about the committed hibench-configs/workloads.tsv. */
class WorkloadTableTest {
    /** HiBench's conf/benchmarks.lst at 53ac935f, and its streaming workloads. */
    private static final List<String> BENCHMARKS = List.of(
            "micro/sleep",
            "micro/sort",
            "micro/terasort",
            "micro/wordcount",
            "micro/repartition",
            "micro/dfsioe",
            "sql/aggregation",
            "sql/join",
            "sql/scan",
            "websearch/nutchindexing",
            "websearch/pagerank",
            "ml/bayes",
            "ml/kmeans",
            "ml/lr",
            "ml/als",
            "ml/pca",
            "ml/gbt",
            "ml/rf",
            "ml/svd",
            "ml/linear",
            "ml/lda",
            "ml/svm",
            "ml/gmm",
            "ml/correlation",
            "ml/summarizer",
            "graph/nweight",
            "streaming/identity",
            "streaming/repartition",
            "streaming/wordcount",
            "streaming/fixwindow");

    @Test
    void everyWorkloadOfHiBenchIsThere() throws InputException {
        List<String> hibench = Tables.workloads().workloads().stream()
                .flatMap(workload -> workload.hibench().stream())
                .toList();

        assertThat(BENCHMARKS)
                .allSatisfy(benchmark -> assertThat(hibench).anyMatch(path -> path.startsWith(benchmark + "/")));
    }

    @Test
    void everyFamilyHasStandInsAtEveryScale() throws InputException {
        for (ScaleProfile scale : ScaleProfile.values()) {
            assertThat(Tables.workloads().workloads().stream()
                            .filter(workload -> workload.standIn(scale).isPresent())
                            .map(WorkloadEntry::family)
                            .distinct())
                    .contains("micro", "sql", "websearch", "ml", "graph", "streaming");
        }
    }

    @Test
    void kindsDifferAndMayBeTags() throws InputException {
        List<String> kinds = Tables.workloads().workloads().stream()
                .filter(workload -> !workload.isData())
                .map(WorkloadEntry::kind)
                .toList();

        assertThat(kinds).doesNotHaveDuplicates().allMatch(kind -> kind.matches("[a-z0-9-]{1,90}"));
    }

    @Test
    void whatReadsDataNamesSomethingThatMakesThem() throws InputException {
        WorkloadTable table = Tables.workloads();
        for (WorkloadEntry workload : table.workloads()) {
            Optional<Job> job = workload.standIn(ScaleProfile.TINY);
            boolean reads = job.isPresent() && job.get().arguments().contains("${input}");

            assertThat(workload.data().isPresent()).as(workload.path()).isEqualTo(reads);
            workload.data()
                    .ifPresent(name -> assertThat(table.data(name)).as(name).isPresent());
        }
    }

    @Test
    void theReadmeListsWorkloadByWorkloadWhatStandsInForIt() throws Exception {
        List<String> readme = Files.readAllLines(Path.of("..", "README.md"));
        List<String> matrix = Tables.workloads().workloads().stream()
                .filter(workload -> !workload.isData())
                .map(workload -> "| %s | `%s` | %s |"
                        .formatted(
                                workload.family(),
                                workload.kind(),
                                workload.program()
                                        .map(program -> "`" + program.substring(program.lastIndexOf('.') + 1) + "`")
                                        .orElse("**none**")))
                .toList();

        assertThat(readme.stream().filter(line -> matrix.stream().anyMatch(line::startsWith)))
                .hasSameSizeAs(matrix);
    }

    @Test
    void aStarStandsForAnyCharacters() throws InputException {
        WorkloadTable table = Tables.workloads();

        assertThat(table.named("*")).hasSize((int) table.workloads().stream()
                .filter(workload -> !workload.isData())
                .count());
        assertThat(kinds(table, "sort-*")).contains("sort-spark").noneMatch(kind -> kind.startsWith("terasort"));
        assertThat(kinds(table, "*sort-spark")).contains("sort-spark", "terasort-spark");
        assertThat(kinds(table, "so*rt-s*k")).containsExactly("sort-spark");
        assertThat(kinds(table, "sort-spark")).containsExactly("sort-spark");
        assertThat(kinds(table, "micro/sort/mapreduce")).containsExactly("sort-mapreduce");
        assertThat(kinds(table, "micro/sort/hadoop")).containsExactly("sort-mapreduce");
        assertThat(kinds(table, "sort-spark*sort-spark")).isEmpty();
        assertThat(kinds(table, "")).isEmpty();
    }

    /** On a thread of its own: a regular expression is not interrupted. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void noGlobTakesForEver() throws InputException {
        assertThat(Tables.workloads().named("*r".repeat(40))).isEmpty();
        assertThat(Tables.workloads().named("*".repeat(4000) + "\t")).isEmpty();
    }

    private static List<String> kinds(WorkloadTable table, String glob) {
        return table.named(glob).stream().map(WorkloadEntry::kind).toList();
    }

    @Test
    void damagedTablesAreReadOrRefusedInOneSentence() throws InputException {
        String table = """
                family\tworkload\tframework\thibench\tdata\tprogram\ttiny\tsmall\tlarge\tnote
                micro\tsort\tspark\tmicro/sort/spark\ttext\tMicroJobs\tsort ${input}\t-\t-\town
                """;

        Fuzz.parse(table, 5_000, lines -> WorkloadTable.of(lines, "file"));
    }
}
