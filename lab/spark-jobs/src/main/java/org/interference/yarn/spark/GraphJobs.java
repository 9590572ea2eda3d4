package org.interference.yarn.spark;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * Random graphs of which each vertex has {@link #DEGREE} edges: {@code pagerank VERTICES ITERATIONS OUTPUT}, and {@code nweight
 * VERTICES HOPS OUTPUT}, which sums up for each vertex the weights of all paths of so many hops.
 */
public final class GraphJobs {
    private static final int DEGREE = 5;
    private static final double DAMPING = 0.85;

    private GraphJobs() {}

    public static void main(String[] words) {
        Arguments arguments = new Arguments(words);
        try (SparkSession spark = SparkSession.builder().getOrCreate()) {
            JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
            JavaPairRDD<Integer, List<Integer>> edges = edges(context, arguments.number(1));
            ranks(arguments, edges).saveAsTextFile(arguments.text(3));
        }
    }

    private static JavaPairRDD<Integer, List<Integer>> edges(JavaSparkContext context, int vertices) {
        return context.parallelize(IntStream.range(0, vertices).boxed().toList(), context.defaultParallelism())
                .mapToPair(vertex -> new Tuple2<>(vertex, targets(vertex, vertices)))
                .cache();
    }

    private static List<Integer> targets(int vertex, int vertices) {
        Random random = new Random(vertex);
        List<Integer> targets = new ArrayList<>();
        for (int i = 0; i < DEGREE; i++) {
            targets.add(random.nextInt(vertices));
        }
        return targets;
    }

    private static JavaPairRDD<Integer, Double> ranks(Arguments arguments, JavaPairRDD<Integer, List<Integer>> edges) {
        JavaPairRDD<Integer, Double> ranks = edges.mapValues(targets -> 1.0);
        for (int round = 0; round < arguments.number(2); round++) {
            JavaPairRDD<Integer, Double> arrived = edges.join(ranks)
                    .values()
                    .flatMapToPair(vertex -> shares(vertex._1(), vertex._2()))
                    .reduceByKey(Double::sum);
            ranks = switch (arguments.workload()) {
                case "pagerank" -> arrived.mapValues(sum -> 1 - DAMPING + DAMPING * sum);
                case "nweight" -> arrived;
                default -> throw arguments.unknown();
            };
        }
        return ranks;
    }

    private static Iterator<Tuple2<Integer, Double>> shares(List<Integer> targets, double rank) {
        return targets.isEmpty()
                ? Collections.emptyIterator()
                : targets.stream()
                        .map(target -> new Tuple2<>(target, rank / targets.size()))
                        .iterator();
    }
}
