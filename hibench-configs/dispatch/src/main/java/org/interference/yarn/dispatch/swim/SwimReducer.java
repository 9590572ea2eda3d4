package org.interference.yarn.dispatch.swim;

import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Reducer;

/** Takes in what arrives, then writes its share. */
public final class SwimReducer extends Reducer<LongWritable, BytesWritable, LongWritable, BytesWritable> {
    @Override
    protected void reduce(LongWritable key, Iterable<BytesWritable> values, Context context) {
        values.forEach(value -> context.progress());
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
        SplittableRandom random =
                new SplittableRandom(context.getTaskAttemptID().getTaskID().getId());
        for (long left = context.getConfiguration().getLong(SwimJob.WRITTEN_BY_REDUCE, 0);
                left > 0;
                left -= SwimJob.RECORD) {
            context.write(new LongWritable(left), SwimJob.record(random, left));
        }
    }
}
