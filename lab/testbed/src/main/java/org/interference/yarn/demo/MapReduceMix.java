package org.interference.yarn.demo;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.QuasiMonteCarlo;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** MapReduce applications: Hadoop's own examples, run as a client would run them. */
public final class MapReduceMix {
    private static final int TEXT_FILES = 2;
    private static final int TEXT_LINES = 120_000;
    private static final int WORDS_PER_LINE = 10;
    private static final int VOCABULARY = 5_000;
    private static final long SEED = 20_191_121L;
    private static final String TERASORT_ROWS = "400000";

    private final Configuration conf;
    private final Path text;

    /**
     * Makes none of them yet.
     *
     * @param home where the word count's input is
     */
    public MapReduceMix(Configuration conf, Path home) {
        this.conf = conf;
        this.text = new Path(home, "text");
    }

    /** Writes the word count's input, the same text on every run. */
    public void writeInput() throws IOException {
        FileSystem fileSystem = FileSystem.get(conf);
        Random random = new Random(SEED);
        for (int file = 0; file < TEXT_FILES; file++) {
            try (Writer out = new OutputStreamWriter(
                    fileSystem.create(new Path(text, "part-" + file)), StandardCharsets.US_ASCII)) {
                for (int line = 0; line < TEXT_LINES / TEXT_FILES; line++) {
                    out.write(line(random));
                }
            }
        }
    }

    private static String line(Random random) {
        StringBuilder line = new StringBuilder();
        for (int word = 0; word < WORDS_PER_LINE; word++) {
            // The square makes a few words frequent and most of them rare, as in a text.
            int rank = (int) (VOCABULARY * random.nextDouble() * random.nextDouble());
            line.append("word").append(rank).append(' ');
        }
        return line.append('\n').toString();
    }

    /** The workloads of one round, writing below {@code output}. */
    List<DemoWorkload> workloads(Path output) {
        return List.of(
                new DemoWorkload("pi", () -> pi(4, 8_000_000)),
                new DemoWorkload("teragen, terasort", () -> terasort(output)),
                new DemoWorkload("wordcount", () -> wordCount(new Path(output, "wordcount"))));
    }

    /** Estimates pi in {@code maps} maps of {@code points} points each, and waits for it. */
    public void pi(int maps, int points) throws Exception {
        run("pi", new QuasiMonteCarlo(), 0, String.valueOf(maps), String.valueOf(points));
    }

    private void terasort(Path output) throws Exception {
        String rows = new Path(output, "teragen").toString();
        run("teragen", new TeraGen(), 0, TERASORT_ROWS, rows);
        run("terasort", new TeraSort(), 2, rows, new Path(output, "terasort").toString());
    }

    private void run(String name, Tool tool, int reduces, String... arguments) throws Exception {
        Configuration own = new Configuration(conf);
        own.setInt("mapreduce.job.maps", 2);
        if (reduces > 0) {
            own.setInt("mapreduce.job.reduces", reduces);
        }
        int status = ToolRunner.run(own, tool, arguments);
        if (status != 0) {
            throw new ApplicationFailedException(name + " ended with status " + status);
        }
    }

    /** Counts the words of the input, and waits for it. The example's main method ends the process, so its job is put together here. */
    public void wordCount(Path output) throws Exception {
        Job job = Job.getInstance(new Configuration(conf), "word count");
        job.setJarByClass(WordCount.class);
        job.setMapperClass(WordCount.TokenizerMapper.class);
        job.setCombinerClass(WordCount.IntSumReducer.class);
        job.setReducerClass(WordCount.IntSumReducer.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        FileInputFormat.addInputPath(job, text);
        FileOutputFormat.setOutputPath(job, output);
        if (!job.waitForCompletion(true)) {
            throw new ApplicationFailedException(
                    "wordcount failed: " + job.getStatus().getFailureInfo());
        }
    }
}
