package org.interference.yarn.spark;

import java.util.concurrent.TimeoutException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;

/**
 * HiBench's streaming workloads on rows that Spark makes itself, without Kafka: {@code identity|repartition|wordcount|fixwindow
 * ROWS_PER_SECOND SECONDS CHECKPOINT}.
 */
public final class StreamingJobs {
    private static final long MILLIS = 1000;

    private StreamingJobs() {}

    public static void main(String[] words) throws TimeoutException, StreamingQueryException {
        Arguments arguments = new Arguments(words);
        try (SparkSession spark = SparkSession.builder().getOrCreate()) {
            Dataset<Row> rows = spark.readStream()
                    .format("rate")
                    .option("rowsPerSecond", arguments.number(1))
                    .load();
            boolean grouped = arguments.workload().equals("wordcount")
                    || arguments.workload().equals("fixwindow");
            StreamingQuery query = output(arguments, rows)
                    .writeStream()
                    .format("noop")
                    .outputMode(grouped ? "complete" : "append")
                    .option("checkpointLocation", arguments.text(3))
                    .start();
            query.awaitTermination(arguments.number(2) * MILLIS);
            query.stop();
        }
    }

    private static Dataset<Row> output(Arguments arguments, Dataset<Row> rows) {
        return switch (arguments.workload()) {
            case "identity" -> rows;
            case "repartition" ->
                rows.repartition(rows.sparkSession().sparkContext().defaultParallelism());
            case "wordcount" ->
                rows.groupBy(functions.expr("concat('word', value % 1000)")).count();
            case "fixwindow" ->
                rows.groupBy(functions.window(functions.col("timestamp"), "10 seconds"))
                        .count();
            default -> throw arguments.unknown();
        };
    }
}
