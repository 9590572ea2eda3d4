package org.interference.yarn.cli.rm;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.util.RMHAUtils;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;

/** Hadoop's configuration on this machine, read when it is first needed: that takes a while. Not thread-safe. */
final class HadoopConfiguration {
    private final UnaryOperator<String> environment;
    private Optional<YarnConfiguration> read = Optional.empty();

    HadoopConfiguration(UnaryOperator<String> environment) {
        this.environment = environment;
    }

    Configuration read() throws RmException {
        return yarn();
    }

    /** Returns the web addresses of all ResourceManagers; more than one if they stand in for each other. */
    List<URI> rms() throws RmException {
        YarnConfiguration conf = yarn();
        List<URI> rms;
        try {
            String scheme = WebAppUtils.getHttpSchemePrefix(conf);
            rms = HAUtil.isHAEnabled(conf)
                    ? RMHAUtils.getRMHAWebappAddresses(conf).stream()
                            .map(address -> URI.create(scheme + address))
                            .toList()
                    : List.of(URI.create(WebAppUtils.getRMWebAppURLWithScheme(conf)));
        } catch (IllegalArgumentException e) {
            throw RmException.failed("yarn-site.xml has a bad web address: " + e.getMessage(), e);
        }
        if (rms.isEmpty()) {
            throw RmException.failed("yarn-site.xml has yarn.resourcemanager.ha.enabled, and no web address for any of"
                    + " yarn.resourcemanager.ha.rm-ids; --rm says where to ask");
        }
        return rms;
    }

    private YarnConfiguration yarn() throws RmException {
        if (read.isEmpty()) {
            Optional<Path> directory = directory();
            directory.ifPresent(HadoopConfiguration::putOnClassPath);
            try {
                YarnConfiguration conf = new YarnConfiguration();
                // Configuration is lazy; whatever is wrong with the files shall come to light here.
                conf.size();
                read = Optional.of(conf);
            } catch (RuntimeException e) {
                throw RmException.failed(
                        "Hadoop's configuration cannot be read from %s: %s"
                                .formatted(directory.map(Path::toString).orElse("the class path"), e.getMessage()),
                        e);
            }
        }
        return read.get();
    }

    /** HADOOP_CONF_DIR, or else where Hadoop's own programs look. */
    private Optional<Path> directory() throws RmException {
        String named = environment.apply("HADOOP_CONF_DIR");
        if (named != null) {
            if (!Files.isDirectory(Path.of(named))) {
                throw RmException.badQuestion(
                        "HADOOP_CONF_DIR is '%s' but must be the directory of yarn-site.xml".formatted(named));
            }
            return Optional.of(Path.of(named));
        }
        return Optional.ofNullable(environment.apply("HADOOP_HOME"))
                .map(home -> Path.of(home, "etc", "hadoop"))
                .filter(Files::isDirectory);
    }

    /** Hadoop looks for its files there, for ssl-client.xml too, by the class loader of whichever thread asks. */
    private static void putOnClassPath(Path directory) {
        try {
            URL[] path = {directory.toAbsolutePath().toUri().toURL()};
            Thread.currentThread()
                    .setContextClassLoader(new URLClassLoader(path, HadoopConfiguration.class.getClassLoader()));
        } catch (MalformedURLException e) {
            throw new IllegalStateException("a directory has no URL", e);
        }
    }
}
