package org.interference.yarn.dispatch.swim;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Gives each of {@link SwimJob#MAPS} maps its number, and nothing else. */
public final class Numbers extends InputFormat<LongWritable, NullWritable> {
    /** A number, wherever. */
    public static final class Split extends InputSplit implements Writable {
        private long number;

        /** For Hadoop, which reads it then. */
        public Split() {}

        Split(long number) {
            this.number = number;
        }

        @Override
        public long getLength() {
            return 1;
        }

        @Override
        public String[] getLocations() {
            return new String[0];
        }

        @Override
        public void write(DataOutput out) throws IOException {
            out.writeLong(number);
        }

        @Override
        public void readFields(DataInput in) throws IOException {
            number = in.readLong();
        }
    }

    @Override
    public List<InputSplit> getSplits(JobContext context) {
        List<InputSplit> splits = new ArrayList<>();
        for (int number = 0; number < context.getConfiguration().getInt(SwimJob.MAPS, 1); number++) {
            splits.add(new Split(number));
        }
        return splits;
    }

    @Override
    public RecordReader<LongWritable, NullWritable> createRecordReader(InputSplit split, TaskAttemptContext context) {
        return new One();
    }

    private static final class One extends RecordReader<LongWritable, NullWritable> {
        private final LongWritable number = new LongWritable();
        private boolean read;

        @Override
        public void initialize(InputSplit split, TaskAttemptContext context) {
            number.set(((Split) split).number);
        }

        @Override
        public boolean nextKeyValue() {
            boolean first = !read;
            read = true;
            return first;
        }

        @Override
        public LongWritable getCurrentKey() {
            return number;
        }

        @Override
        public NullWritable getCurrentValue() {
            return NullWritable.get();
        }

        @Override
        public float getProgress() {
            return read ? 1 : 0;
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
