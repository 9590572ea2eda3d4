package org.interference.yarn.spark;

import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.classification.GBTClassifier;
import org.apache.spark.ml.classification.LinearSVC;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.NaiveBayes;
import org.apache.spark.ml.classification.RandomForestClassifier;
import org.apache.spark.ml.clustering.GaussianMixture;
import org.apache.spark.ml.clustering.KMeans;
import org.apache.spark.ml.clustering.LDA;
import org.apache.spark.ml.feature.PCA;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.recommendation.ALS;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.stat.Correlation;
import org.apache.spark.ml.stat.Summarizer;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.linalg.distributed.RowMatrix;
import org.apache.spark.mllib.random.RandomRDDs;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * HiBench's machine learning, by Spark's own library on random points: {@code WORKLOAD POINTS FEATURES}, and {@code als USERS
 * PRODUCTS RATINGS}.
 */
public final class MlJobs {
    private static final long SEED = 20_191_121L;
    private static final int ITERATIONS = 5;
    private static final int CLUSTERS = 10;
    private static final int FEW = 3;
    private static final double TOLERANCE = 1e-9;

    private MlJobs() {}

    public static void main(String[] words) {
        Arguments arguments = new Arguments(words);
        try (SparkSession spark = SparkSession.builder().getOrCreate()) {
            switch (arguments.workload()) {
                case "als" -> als(spark, arguments.number(1), arguments.number(2), arguments.number(3));
                case "svd" -> new RowMatrix(vectors(spark, arguments).rdd()).computeSVD(FEW, false, TOLERANCE);
                case "correlation" ->
                    Correlation.corr(points(spark, arguments), "features").head();
                case "summarizer" ->
                    points(spark, arguments)
                            .select(Summarizer.metrics("mean", "variance").summary(functions.col("features")))
                            .head();
                default -> estimator(arguments).fit(points(spark, arguments));
            }
        }
    }

    private static Estimator<?> estimator(Arguments arguments) {
        return switch (arguments.workload()) {
            case "kmeans" -> new KMeans().setK(CLUSTERS).setMaxIter(ITERATIONS).setSeed(SEED);
            case "bayes" -> new NaiveBayes().setModelType("gaussian");
            case "lr" -> new LogisticRegression().setMaxIter(ITERATIONS);
            case "pca" -> new PCA().setK(FEW).setInputCol("features").setOutputCol("components");
            case "gbt" -> new GBTClassifier().setMaxIter(ITERATIONS).setSeed(SEED);
            case "rf" -> new RandomForestClassifier().setNumTrees(CLUSTERS).setSeed(SEED);
            case "linear" -> new LinearRegression().setMaxIter(ITERATIONS).setSolver("l-bfgs");
            case "lda" -> new LDA().setK(CLUSTERS).setMaxIter(ITERATIONS).setSeed(SEED);
            case "svm" -> new LinearSVC().setMaxIter(ITERATIONS);
            case "gmm" -> new GaussianMixture().setK(FEW).setMaxIter(ITERATIONS).setSeed(SEED);
            default -> throw arguments.unknown();
        };
    }

    private static org.apache.spark.api.java.JavaRDD<Vector> vectors(SparkSession spark, Arguments arguments) {
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        return RandomRDDs.normalJavaVectorRDD(
                        context, arguments.number(1), arguments.number(2), context.defaultParallelism(), SEED)
                .cache();
    }

    /** Two classes, told apart by the first feature; features are not negative, as LDA counts words by them. */
    private static Dataset<Row> points(SparkSession spark, Arguments arguments) {
        StructType schema =
                new StructType().add("label", DataTypes.DoubleType).add("features", SQLDataTypes.VectorType());
        return spark.createDataFrame(
                        vectors(spark, arguments)
                                .map(point -> RowFactory.create(
                                        point.apply(0) > 0 ? 1.0 : 0.0,
                                        Vectors.dense(absolute(point)).asML())),
                        schema)
                .cache();
    }

    private static double[] absolute(Vector point) {
        double[] values = point.toArray().clone();
        for (int i = 0; i < values.length; i++) {
            values[i] = Math.abs(values[i]);
        }
        return values;
    }

    private static void als(SparkSession spark, int users, int products, int ratings) {
        Dataset<Row> rated = spark.range(ratings)
                .selectExpr(
                        "CAST(abs(hash(id, 1)) %% %d AS INT) AS user".formatted(users),
                        "CAST(abs(hash(id, 2)) %% %d AS INT) AS item".formatted(products),
                        "CAST(abs(hash(id, 3)) % 5 + 1 AS FLOAT) AS rating");
        new ALS().setMaxIter(ITERATIONS).setSeed(SEED).fit(rated);
    }
}
