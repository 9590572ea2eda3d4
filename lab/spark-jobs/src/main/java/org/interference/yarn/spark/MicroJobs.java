package org.interference.yarn.spark;

import java.util.Arrays;
import java.util.Collections;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * HiBench's micro workloads: {@code sort|wordcount|repartition|terasort INPUT OUTPUT}, where INPUT is text, and {@code sleep TASKS
 * MILLISECONDS}.
 */
public final class MicroJobs {
    private static final int TERASORT_KEY = 10;

    private MicroJobs() {}

    public static void main(String[] words) {
        Arguments arguments = new Arguments(words);
        try (SparkSession spark = SparkSession.builder().getOrCreate()) {
            JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
            if (arguments.workload().equals("sleep")) {
                sleep(context, arguments.number(1), arguments.number(2));
                return;
            }
            JavaRDD<String> lines = context.textFile(arguments.text(1), context.defaultParallelism());
            output(arguments, lines, context.defaultParallelism()).saveAsTextFile(arguments.text(2));
        }
    }

    private static JavaRDD<?> output(Arguments arguments, JavaRDD<String> lines, int partitions) {
        return switch (arguments.workload()) {
            case "sort" ->
                lines.mapToPair(line -> new Tuple2<>(line, 1)).sortByKey().keys();
            case "terasort" ->
                lines.mapToPair(line -> new Tuple2<>(line.substring(0, Math.min(TERASORT_KEY, line.length())), line))
                        .repartitionAndSortWithinPartitions(new HashPartitioner(partitions))
                        .values();
            case "wordcount" ->
                lines.flatMap(line -> Arrays.asList(line.split(" ", -1)).iterator())
                        .mapToPair(word -> new Tuple2<>(word, 1L))
                        .reduceByKey(Long::sum)
                        .map(count -> count._1() + "\t" + count._2());
            case "repartition" -> lines.repartition(partitions);
            default -> throw arguments.unknown();
        };
    }

    private static void sleep(JavaSparkContext context, int tasks, int millis) {
        context.parallelize(Collections.nCopies(tasks, millis), tasks).foreach(Thread::sleep);
    }
}
