package org.interference.yarn.benchmarks.corun;

import java.io.IOException;
import java.util.StringTokenizer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/** A word and one, for every word of a line. */
final class WordMapper extends Mapper<LongWritable, Text, Text, IntWritable> {
    private static final IntWritable ONE = new IntWritable(1);

    private static final int STEPS_PER_LINE = 2;

    private final Text word = new Text();

    @Override
    protected void setup(Context context) {
        WordCountTask.countPhase();
    }

    @Override
    protected void map(LongWritable offset, Text line, Context context) throws IOException, InterruptedException {
        StringTokenizer words = new StringTokenizer(line.toString());
        while (words.hasMoreTokens()) {
            word.set(words.nextToken());
            context.write(word, ONE);
        }
        WordCountTask.count(STEPS_PER_LINE);
    }

    @Override
    protected void cleanup(Context context) {
        WordCountTask.countPhase();
    }
}
