package org.interference.yarn.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobListTest {
    private static final String LIST = """
            # comment
            workload\tframework\tprogram\targuments\tqueue\tcount\tjar
            pi\tmapreduce\torg.apache.hadoop.examples.QuasiMonteCarlo\t4 "10 00"\troot.etl\t2\t-

            etl\tcommand\t/opt/etl.sh
            micro/sort/spark\t-\t-\t-\troot.ml
            """;

    @Test
    void aListGivesItsJobsInItsOrder() throws InputException {
        List<Job> jobs = parse(LIST);

        assertThat(jobs).hasSize(4);
        assertThat(jobs.get(0)).isEqualTo(jobs.get(1));
        assertThat(jobs.get(0).arguments()).containsExactly("4", "10 00");
        assertThat(jobs.get(0).queue()).contains("root.etl");
        assertThat(jobs.get(2).framework()).isEqualTo(Framework.COMMAND);
        assertThat(jobs.get(2).queue()).isEmpty();
    }

    @Test
    void aJobWithoutAProgramIsWhatStandsInForTheWorkload() throws InputException {
        Job job = parse(LIST).get(3);

        assertThat(job.workload()).isEqualTo("sort-spark");
        assertThat(job.framework()).isEqualTo(Framework.SPARK);
        assertThat(job.data()).contains("text");
        assertThat(job.queue()).isEqualTo(Optional.of("root.ml"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wrkload|names the column 'wrkload' but columns are arguments, count, framework, jar, program, queue, workload",
                "workload;x;nosuch|workload is 'nosuch', which workloads.tsv does not have, and there is no program",
                "workload;x;*/sort/*|workload is '*/sort/*', which is each of sort-mapreduce, sort-spark",
                "workload;x;sql/join/mapreduce|workload is 'sql/join/mapreduce', for which nothing stands in here: see workloads.tsv",
                "workload,count;x;pi-mapreduce,0|count is '0' but must be a whole number from 1 to 100000",
                "workload,program;x;a,b|has no framework",
                "workload,program,framework;x;a,b,hive|framework is 'hive' but must be one of mapreduce, spark, command, hibench, storm",
                "workload,program,framework;x;a,b,storm|framework is 'storm', whose jobs --hibench makes",
                "workload,program,framework;x;A,b,spark|workload is 'A' but must be 1 to 90 of a-z, 0-9, '.', '_' and '-', as it becomes a tag",
                "workload,program,framework,arguments;x;a,b,spark,\"c|has a quote that does not end",
                "workload;x;a,b|has 2 fields between tabs but the first line names 1 columns"
            })
    void whatIsWrongIsSaidInOneSentenceWithTheLine(String lines, String sentence) {
        String text = lines.replace(',', '\t').replace(";x;", "\n");
        long line = text.lines().count();

        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> parse(text))
                .withMessage("file, line %d: %s", line, sentence);
    }

    @Test
    void aListWithoutJobsIsRefused() {
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> parse("workload\n"))
                .withMessage("file: has no jobs");
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> parse(""))
                .withMessage("file: is empty but must begin with a line that names its columns");
    }

    @Test
    void damagedListsAreReadOrRefusedInOneSentence() throws InputException {
        WorkloadTable table = Tables.workloads();

        Fuzz.parse(LIST, 20_000, lines -> JobList.of(lines, "file", table, ScaleProfile.TINY));
    }

    private static List<Job> parse(String text) throws InputException {
        return JobList.of(text.lines().toList(), "file", Tables.workloads(), ScaleProfile.TINY);
    }
}
