package org.interference.yarn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ResourceManager whose certificate nobody but the cluster's own truststore knows. */
class TlsTest {
    private static final String PASSWORD = "for-this-test";

    @TempDir
    private static Path folder;

    private static FakeRm rm;
    private final Program program = new Program();

    @BeforeAll
    static void start() throws IOException, GeneralSecurityException, InterruptedException {
        Path keys = folder.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "rm",
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        keys.toString())
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("localhost"), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        rm = FakeRm.serve(server).says("GET health", 200, Program.answer("health"));
    }

    @AfterAll
    static void stop() {
        rm.close();
    }

    @Test
    void aCertificateThatNobodyKnowsIsRefusedWithTheRemedy() {
        assertThat(program.run("status", "--rm", "https://localhost:" + rm.port()))
                .isEqualTo(1);

        assertThat(program.err())
                .startsWith("No TLS with https://localhost:" + rm.port() + " (")
                .endsWith(
                        ": the truststore that ssl-client.xml in HADOOP_CONF_DIR names must hold what its certificate is"
                                + " signed by\n")
                .hasLineCount(1);
    }

    @Test
    void theTruststoreOfTheConfigurationIsUsed() throws IOException {
        Path configuration = Files.createDirectory(folder.resolve("conf"));
        Files.writeString(configuration.resolve("ssl-client.xml"), """
                <configuration>
                  <property><name>ssl.client.truststore.location</name><value>%s</value></property>
                  <property><name>ssl.client.truststore.password</name><value>%s</value></property>
                  <property><name>ssl.client.truststore.type</name><value>pkcs12</value></property>
                </configuration>
                """.formatted(folder.resolve("keys.p12"), PASSWORD));
        Files.writeString(configuration.resolve("yarn-site.xml"), """
                <configuration>
                  <property><name>yarn.http.policy</name><value>HTTPS_ONLY</value></property>
                  <property><name>yarn.resourcemanager.webapp.https.address</name><value>localhost:%d</value></property>
                </configuration>
                """.formatted(rm.port()));

        int status = program.with("HADOOP_CONF_DIR", configuration.toString()).run("status");

        assertThat(program.err()).isEmpty();
        assertThat(status).isZero();
    }
}
