package org.interference.yarn.dispatch;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** Runs Hadoop Tools in this process, each with a configuration of its own that names queue and tags. Thread-safe. */
final class MapReduceClient implements Client {
    private static final int LOOK_EVERY_MILLIS = 3000;

    private final Configuration conf;

    MapReduceClient(Configuration conf) {
        this.conf = conf;
    }

    @Override
    public void submit(Order order) throws Exception {
        Configuration own = new Configuration(conf);
        own.set("mapreduce.job.queuename", order.queue());
        own.set("mapreduce.job.tags", String.join(",", order.tags()));
        // Clients only wait; how the job fares is seen in YARN.
        own.setInt("mapreduce.client.completion.pollinterval", LOOK_EVERY_MILLIS);
        own.setInt("mapreduce.client.progressmonitor.pollinterval", LOOK_EVERY_MILLIS);
        Optional<String> jar = order.job().jar();
        if (jar.isPresent()) {
            ClassLoader loader = loader(Path.of(jar.get()));
            own.setClassLoader(loader);
            own.set("mapreduce.job.jar", jar.get());
            Thread.currentThread().setContextClassLoader(loader);
        }
        Tool tool = tool(own.getClassByName(order.job().program()));
        int status = ToolRunner.run(own, tool, order.arguments().toArray(String[]::new));
        if (status != 0) {
            throw new IOException("ended with status " + status);
        }
    }

    private static ClassLoader loader(Path jar) throws IOException {
        if (!Files.isRegularFile(jar)) {
            throw new IOException("there is no jar " + jar);
        }
        try {
            return new URLClassLoader(
                    new URL[] {jar.toAbsolutePath().toUri().toURL()}, MapReduceClient.class.getClassLoader());
        } catch (MalformedURLException e) {
            throw new IllegalStateException("a file has no URL", e);
        }
    }

    private static Tool tool(Class<?> type) throws IOException, ReflectiveOperationException {
        if (!Tool.class.isAssignableFrom(type)) {
            throw new IOException("%s is no org.apache.hadoop.util.Tool; the framework command runs any program"
                    .formatted(type.getName()));
        }
        var constructor = type.getDeclaredConstructor();
        // Some of Hadoop's examples keep theirs to themselves.
        constructor.setAccessible(true);
        return (Tool) constructor.newInstance();
    }
}
