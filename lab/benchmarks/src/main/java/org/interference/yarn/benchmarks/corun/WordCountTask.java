package org.interference.yarn.benchmarks.corun;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/**
 * Word counts by Hadoop's local job runner: map, sort, spill, merge, reduce. Work is counted in steps: of a line mapped, of
 * comparisons while sorting, of records reduced, and of what Hadoop does between the phases, in about the proportions of the
 * time that they take alone. A count of records alone would stand still for half of a job, which under contention is longer
 * than a window.
 */
final class WordCountTask {
    private static final int LINES = 6_000;
    private static final int WORDS_PER_LINE = 8;
    private static final int VOCABULARY = 5_000;
    private static final int STEPS_PER_PHASE = 30_000;

    /** The tasks of a local job run in this JVM and are built by Hadoop, which passes them nothing but strings. */
    private static WorkCounter counter;

    private final Path input;
    private final Path output;
    private final Configuration configuration = new Configuration();

    private WordCountTask(Path directory) {
        input = directory.resolve("input");
        output = directory.resolve("output");
        configuration.set("hadoop.tmp.dir", directory.resolve("hadoop").toString());
        configuration.set("mapreduce.framework.name", "local");
        configuration.setInt("mapreduce.task.io.sort.mb", 16);
        configuration.setInt("mapreduce.client.completion.pollinterval", 10);
    }

    static WordCountTask in(Path directory, WorkCounter counter) throws IOException {
        WordCountTask.counter = counter;
        WordCountTask task = new WordCountTask(directory);
        Files.writeString(task.input, text(new Random(11)), StandardCharsets.US_ASCII);
        return task;
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int line = 0; line < LINES; line++) {
            for (int word = 0; word < WORDS_PER_LINE; word++) {
                text.append(Integer.toString(random.nextInt(VOCABULARY), Character.MAX_RADIX))
                        .append(' ');
            }
            text.append('\n');
        }
        return text.toString();
    }

    /**
     * Runs one job over the whole input.
     *
     * @throws IOException also when the job fails
     */
    void runOne() throws IOException, InterruptedException, ClassNotFoundException {
        var written = new org.apache.hadoop.fs.Path(output.toUri());
        FileSystem.getLocal(configuration).delete(written, true);
        Job job = Job.getInstance(configuration, "word count");
        job.setMapperClass(WordMapper.class);
        job.setReducerClass(SumReducer.class);
        job.setSortComparatorClass(CountingComparator.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(input.toUri()));
        FileOutputFormat.setOutputPath(job, written);
        if (!job.waitForCompletion(false)) {
            throw new IOException("The word count failed; its messages are above");
        }
        countPhase();
    }

    static void count(long steps) {
        counter.add(steps);
    }

    /** A phase of a job has begun or ended. */
    static void countPhase() {
        counter.add(STEPS_PER_PHASE);
    }
}
