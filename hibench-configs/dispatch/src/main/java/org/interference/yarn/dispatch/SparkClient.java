package org.interference.yarn.dispatch;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Submits Spark applications in cluster mode by what Spark's own InProcessLauncher calls, from this process and one after the other.
 * Spark and its Hadoop have a class loader of their own, made when the first of them is submitted. Thread-safe.
 */
final class SparkClient implements Client {
    private static final String SUBMIT = "org.apache.spark.deploy.InProcessSparkSubmit";

    private final SparkHome home;
    private final Optional<Path> hadoopConf;
    private Optional<ClassLoader> spark = Optional.empty();

    SparkClient(SparkHome home, Optional<Path> hadoopConf) {
        this.home = home;
        this.hadoopConf = hadoopConf;
    }

    @Override
    public synchronized void submit(Order order) throws Exception {
        ClassLoader loader = loader();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(loader);
        try {
            String[] arguments = arguments(order).toArray(String[]::new);
            loader.loadClass(SUBMIT).getMethod("main", String[].class).invoke(null, (Object) arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private List<String> arguments(Order order) throws IOException {
        Job job = order.job();
        List<String> arguments = new ArrayList<>(List.of(
                "--master", "yarn", "--deploy-mode", "cluster", "--name", job.workload(), "--queue", order.queue()));
        home.settings().forEach((key, value) -> arguments.addAll(List.of("--conf", key + "=" + value)));
        arguments.addAll(List.of("--conf", "spark.yarn.tags=" + String.join(",", order.tags())));
        arguments.addAll(List.of("--conf", "spark.yarn.submit.waitAppCompletion=" + order.untilItEnds()));
        arguments.addAll(List.of("--class", job.program()));
        arguments.add(jar(job));
        arguments.addAll(order.arguments());
        return arguments;
    }

    private String jar(Job job) throws IOException {
        return job.jar()
                .or(() -> home.jobs().map(Path::toString))
                .orElseThrow(() ->
                        new IOException("its jar is neither named nor built: mvn -Pspark package -pl :spark-jobs -am"));
    }

    private ClassLoader loader() throws IOException {
        if (spark.isEmpty()) {
            // Spark's logging is its own; without, it writes on the screen.
            System.setProperty(
                    "log4j2.configurationFile",
                    String.valueOf(SparkClient.class.getResource("/spark-client-log4j2.properties")));
            List<URL> path = new ArrayList<>();
            if (hadoopConf.isPresent()) {
                path.add(hadoopConf.get().toUri().toURL());
            }
            for (Path jar : home.jars()) {
                path.add(jar.toUri().toURL());
            }
            spark = Optional.of(
                    new URLClassLoader("spark", path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader()));
        }
        return spark.get();
    }
}
