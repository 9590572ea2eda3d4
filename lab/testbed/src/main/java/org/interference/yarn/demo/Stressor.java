package org.interference.yarn.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ClassUtil;
import org.apache.hadoop.yarn.applications.distributedshell.ApplicationMaster;
import org.apache.hadoop.yarn.applications.distributedshell.Client;

/** An unmodified DistributedShell application whose containers all press on one resource. */
enum Stressor {
    CPU,
    MEMORY,
    DISK,
    NETWORK;

    private static final int CONTAINERS = 2;

    DemoWorkload workload(Configuration conf, Path script, Duration length) {
        return new DemoWorkload(applicationName(), () -> run(conf, script, length));
    }

    /** The same in every round: the profile is found by it. */
    String applicationName() {
        return "stress-" + resource();
    }

    private String resource() {
        return name().toLowerCase(Locale.ROOT);
    }

    private void run(Configuration conf, Path script, Duration length) throws Exception {
        String memory = String.valueOf(DemoSettings.CONTAINER_MEMORY_MB);
        Client client = new Client(new Configuration(conf));
        // Where the network stressor sends to; without it, it stays on loopback.
        String receiver = System.getProperty("demo.receiver", "");
        boolean accepted = client.init(new String[] {
            "--appname",
            applicationName(),
            "--jar",
            ClassUtil.findContainingJar(ApplicationMaster.class),
            "--shell_script",
            script.toString(),
            "--shell_args",
            resource(),
            (length.toSeconds() + " " + receiver).strip(),
            "--num_containers",
            String.valueOf(CONTAINERS),
            "--container_memory",
            memory,
            "--container_vcores",
            "1",
            "--master_memory",
            memory,
            "--master_vcores",
            "1"
        });
        if (!accepted || !client.run()) {
            throw new ApplicationFailedException(applicationName() + " did not succeed");
        }
    }
}
