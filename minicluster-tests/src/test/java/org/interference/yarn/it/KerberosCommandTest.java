package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.interference.yarn.InterferenceAwareScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program bin/interference, as a process with the tickets of kinit, against a ResourceManager that wants them. */
class KerberosCommandTest {
    private static final Path PROGRAM = Path.of("..", "cli", "target");

    @TempDir
    private Path directory;

    private Realm realm;
    private MockRM resourceManager;

    /** How the program ended. */
    private record End(int status, String out, String err) {}

    @BeforeEach
    void start() throws Exception {
        realm = Realm.of(directory, "admin", "stranger");
        Configuration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, InterferenceAwareScheduler.class.getName());
        conf.set(
                "yarn.interference.profile.store-dir",
                directory.resolve("profiles").toString());
        conf.setBoolean("mockrm.webapp.enabled", true);
        conf.set(YarnConfiguration.RM_WEBAPP_ADDRESS, MiniCluster.freeAddress());
        conf.setBoolean(YarnConfiguration.YARN_ACL_ENABLE, true);
        conf.set(YarnConfiguration.YARN_ADMIN_ACL, "admin");
        conf.set("hadoop.http.filter.initializers", AuthenticationFilterInitializer.class.getName());
        conf.set(
                "hadoop.http.authentication.signature.secret.file",
                Files.writeString(directory.resolve("secret"), "not a secret").toString());
        realm.settings().forEach(conf::set);
        resourceManager = new MockRM(conf);
        resourceManager.start();

        Configuration client = new Configuration(false);
        client.set(YarnConfiguration.RM_WEBAPP_ADDRESS, conf.get(YarnConfiguration.RM_WEBAPP_ADDRESS));
        try (OutputStream out = Files.newOutputStream(
                Files.createDirectory(directory.resolve("conf")).resolve("yarn-site.xml"))) {
            client.writeXml(out);
        }
    }

    @AfterEach
    void stop() throws Exception {
        if (resourceManager != null) {
            resourceManager.close();
        }
        realm.close();
        UserGroupInformation.reset();
    }

    @Test
    void whoHasATicketIsKnownByIt() throws Exception {
        Path stranger = realm.ticketsOf("stranger");
        End read = run(stranger, "status");
        assertThat(read.err()).isEmpty();
        assertThat(read.status()).isZero();

        End refused = run(stranger, "mode", "shadow");
        assertThat(refused.status()).isNotZero();
        assertThat(refused.err())
                .contains("refuses this (403)")
                .contains("stranger")
                .contains("yarn.admin.acl");

        Path admin = realm.ticketsOf("admin");
        End done = run(admin, "mode", "shadow");
        assertThat(done.err()).isEmpty();
        assertThat(done.status()).isZero();
        assertThat(run(stranger, "status").out()).contains("shadow");
    }

    @Test
    void whoHasNoneIsToldOfKinit() throws Exception {
        End end = run(directory.resolve("nothing"), "status");

        assertThat(end.status()).isNotZero();
        assertThat(end.out()).isEmpty();
        assertThat(end.err()).contains("Kerberos ticket").contains("run kinit").hasLineCount(1);
    }

    private End run(Path tickets, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.security.krb5.conf=" + realm.configuration(),
                "-cp",
                PROGRAM.resolve("classes") + ":" + Files.readString(PROGRAM.resolve("classpath.txt")),
                "org.interference.yarn.cli.InterferenceProgram"));
        command.addAll(List.of(arguments));
        ProcessBuilder program = new ProcessBuilder(command);
        program.environment().put("HADOOP_CONF_DIR", directory.resolve("conf").toString());
        program.environment().put("KRB5CCNAME", tickets.toString());
        Path err = directory.resolve("err");
        Process process = program.redirectError(err.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new End(process.waitFor(), out, Files.readString(err));
    }
}
