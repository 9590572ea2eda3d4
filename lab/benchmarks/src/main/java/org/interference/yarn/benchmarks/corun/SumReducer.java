package org.interference.yarn.benchmarks.corun;

import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Reducer;

/** A word and how often it is there. */
final class SumReducer extends Reducer<Text, IntWritable, Text, IntWritable> {
    private static final int RECORDS_PER_STEP = 4;

    @Override
    protected void setup(Context context) {
        WordCountTask.countPhase();
    }

    @Override
    protected void reduce(Text word, Iterable<IntWritable> counts, Context context)
            throws IOException, InterruptedException {
        int sum = 0;
        int records = 0;
        for (IntWritable count : counts) {
            sum += count.get();
            records++;
        }
        context.write(word, new IntWritable(sum));
        WordCountTask.count(records / RECORDS_PER_STEP);
    }

    @Override
    protected void cleanup(Context context) {
        WordCountTask.countPhase();
    }
}
