package org.interference.yarn.dispatch.swim;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.util.Tool;

/**
 * A job that reads, shuffles and writes so many bytes: arguments are the folder it reads, again and again if it is too short, the
 * folder it writes, and the three numbers. One map for each 128 MiB read or written, one reduce for each GiB shuffled or written, as
 * in the simulator's reading of SWIM; without a shuffle there are no reduces, and maps write the output.
 */
public final class SwimJob extends Configured implements Tool {
    static final String PREFIX = "interference.dispatch.swim.";
    static final String FOLDER = PREFIX + "folder";
    static final String READ_BY_MAP = PREFIX + "read-by-map";
    static final String WRITTEN_BY_MAP = PREFIX + "written-by-map";
    static final String WRITTEN_BY_REDUCE = PREFIX + "written-by-reduce";
    static final String MAPS = PREFIX + "maps";
    private static final long BLOCK = 128L << 20;
    private static final long REDUCED = 1L << 30;
    static final int RECORD = 1000;
    private static final int BUFFER = 1 << 16;

    @Override
    public int run(String[] arguments) throws IOException, InterruptedException, ClassNotFoundException {
        long input = Long.parseLong(arguments[2]);
        long shuffle = Long.parseLong(arguments[3]);
        long output = Long.parseLong(arguments[4]);
        long mapOutput = shuffle > 0 ? shuffle : output;
        int maps = (int) Math.max(1, -Math.floorDiv(-Math.max(input, mapOutput), BLOCK));
        int reduces = shuffle > 0 ? (int) -Math.floorDiv(-Math.max(shuffle, output), REDUCED) : 0;
        Configuration conf = getConf();
        conf.set(FOLDER, arguments[0]);
        conf.setInt(MAPS, maps);
        conf.setLong(READ_BY_MAP, input / maps);
        conf.setLong(WRITTEN_BY_MAP, mapOutput / maps);
        conf.setLong(WRITTEN_BY_REDUCE, reduces == 0 ? 0 : output / reduces);
        Job job = Job.getInstance(conf, "swim");
        job.setJarByClass(SwimJob.class);
        job.setInputFormatClass(Numbers.class);
        job.setMapperClass(SwimMapper.class);
        job.setReducerClass(SwimReducer.class);
        job.setNumReduceTasks(reduces);
        job.setMapOutputKeyClass(LongWritable.class);
        job.setMapOutputValueClass(BytesWritable.class);
        job.setOutputKeyClass(LongWritable.class);
        job.setOutputValueClass(BytesWritable.class);
        job.setOutputFormatClass(SequenceFileOutputFormat.class);
        FileOutputFormat.setOutputPath(job, new Path(arguments[1]));
        return job.waitForCompletion(false) ? 0 : 1;
    }

    /** Reads its share, then emits its share. */
    public static final class SwimMapper extends Mapper<LongWritable, NullWritable, LongWritable, BytesWritable> {
        @Override
        protected void map(LongWritable number, NullWritable nothing, Context context)
                throws IOException, InterruptedException {
            read(context);
            SplittableRandom random = new SplittableRandom(number.get());
            for (long left = context.getConfiguration().getLong(WRITTEN_BY_MAP, 0); left > 0; left -= RECORD) {
                context.write(new LongWritable(random.nextLong()), record(random, left));
            }
        }

        private static void read(Context context) throws IOException {
            Configuration conf = context.getConfiguration();
            Path folder = new Path(conf.get(FOLDER));
            FileSystem files = folder.getFileSystem(conf);
            long left = conf.getLong(READ_BY_MAP, 0);
            List<Path> paths = new ArrayList<>();
            for (FileStatus file : files.listStatus(folder)) {
                if (file.isFile() && file.getLen() > 0) {
                    paths.add(file.getPath());
                }
            }
            while (left > 0 && !paths.isEmpty()) {
                for (Path path : paths) {
                    left = read(files, path, left);
                    context.progress();
                }
            }
        }

        private static long read(FileSystem files, Path path, long most) throws IOException {
            long left = most;
            byte[] buffer = new byte[BUFFER];
            try (InputStream in = files.open(path)) {
                int got = 0;
                while (left > 0 && got >= 0) {
                    left -= got;
                    got = in.read(buffer);
                }
            }
            return left;
        }
    }

    static BytesWritable record(SplittableRandom random, long most) {
        byte[] bytes = new byte[(int) Math.min(RECORD, most)];
        random.nextBytes(bytes);
        return new BytesWritable(bytes);
    }
}
