package org.interference.yarn.testbed;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The configuration of the hosts that are up, for clients of their own: without the variables that bin/testbed fills in, and without Hadoop's defaults, of
 * which a client of another version has others.
 */
@Command(name = "configuration", description = "Writes what clients of the hosts that are up have to be told.")
final class ConfigurationCommand implements Callable<Integer> {
    @Option(names = "--to", required = true, description = "A folder, for HADOOP_CONF_DIR.")
    private Path folder;

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(folder);
        write("core-site.xml", "core-site.xml");
        // With MapReduce's, as its defaults come after the first file; its own says whose a job is, by the client's
        // environment.
        write("yarn-site.xml", "mapred-site.xml", "yarn-site.xml");
        return 0;
    }

    private void write(String name, String... files) throws IOException {
        Configuration site = new Configuration(false);
        for (String file : files) {
            site.addResource(file);
        }
        Configuration filled = new Configuration(false);
        site.forEach(property -> filled.set(property.getKey(), site.get(property.getKey())));
        try (OutputStream out = Files.newOutputStream(folder.resolve(name))) {
            filled.writeXml(out);
        }
    }
}
