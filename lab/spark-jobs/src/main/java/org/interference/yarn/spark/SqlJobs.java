package org.interference.yarn.spark;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * HiBench's SQL workloads on tables of the same columns: {@code scan|join|aggregation INPUT OUTPUT}, and {@code data VISITS PAGES
 * OUTPUT}, which makes INPUT.
 */
public final class SqlJobs {
    private static final String VISITS = "uservisits";
    private static final String RANKINGS = "rankings";

    private SqlJobs() {}

    public static void main(String[] words) {
        Arguments arguments = new Arguments(words);
        try (SparkSession spark = SparkSession.builder().getOrCreate()) {
            if (arguments.workload().equals("data")) {
                makeData(spark, arguments.number(1), arguments.number(2), arguments.text(3));
                return;
            }
            table(spark, arguments.text(1), VISITS);
            table(spark, arguments.text(1), RANKINGS);
            spark.sql(query(arguments)).write().option("header", true).csv(arguments.text(2));
        }
    }

    private static String query(Arguments arguments) {
        return switch (arguments.workload()) {
            case "scan" -> "SELECT * FROM uservisits";
            case "aggregation" -> "SELECT sourceIP, SUM(adRevenue) AS revenue FROM uservisits GROUP BY sourceIP";
            case "join" -> """
                SELECT sourceIP, AVG(pageRank) AS rank, SUM(adRevenue) AS revenue
                FROM rankings JOIN uservisits ON pageURL = destURL
                WHERE visitDate BETWEEN '1999-01-01' AND '2000-01-01'
                GROUP BY sourceIP ORDER BY revenue DESC
                """;
            default -> throw arguments.unknown();
        };
    }

    private static void table(SparkSession spark, String input, String name) {
        spark.read()
                .option("header", true)
                .option("inferSchema", true)
                .csv(input + "/" + name)
                .createOrReplaceTempView(name);
    }

    /** The same rows on every run. */
    private static void makeData(SparkSession spark, int visits, int pages, String output) {
        Dataset<Row> rankings = spark.range(pages)
                .selectExpr(
                        "concat('url', id) AS pageURL",
                        "hash(id, 1) % 1000 AS pageRank",
                        "abs(hash(id, 2)) % 60 AS avgDuration");
        Dataset<Row> uservisits = spark.range(visits)
                .selectExpr(
                        "concat('10.0.', abs(hash(id, 3)) % 256, '.', abs(hash(id, 4)) % 16) AS sourceIP",
                        "concat('url', abs(hash(id, 5)) % " + pages + ") AS destURL",
                        "date_add(DATE '1990-01-01', abs(hash(id, 6)) % 7300) AS visitDate",
                        "abs(hash(id, 7)) % 10000 / 10000.0 AS adRevenue",
                        "concat('agent', abs(hash(id, 8)) % 100) AS userAgent",
                        "concat('C', abs(hash(id, 9)) % 200) AS countryCode",
                        "concat('L', abs(hash(id, 10)) % 100) AS languageCode",
                        "concat('word', abs(hash(id, 11)) % 5000) AS searchWord",
                        "abs(hash(id, 12)) % 1000 AS duration");
        rankings.write().option("header", true).csv(output + "/" + RANKINGS);
        uservisits.write().option("header", true).csv(output + "/" + VISITS);
    }
}
