package org.interference.yarn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said when there is no answer, and the status then. */
class RefusalsTest {
    private static final Map<String, String> HTML = Map.of("Content-Type", "text/html");

    private FakeRm rm;
    private final Program program = new Program();

    @BeforeEach
    void start() throws IOException {
        rm = FakeRm.start();
    }

    @AfterEach
    void stop() {
        rm.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400|from is after to|2|from is after to",
                "404|there is no container container_1|2|there is no container container_1",
                "409|it trains already|1|it trains already",
                "413|more than 64 MiB|2|more than 64 MiB",
                "403|alice is no administrator|1|RM refuses this (403): alice is no administrator",
                "503|the plugin is not running|1|RM answers (503): the plugin is not running;"
                        + " yarn.resourcemanager.scheduler.class must name one of its schedulers",
                "500|a defect|1|RM failed (500, a defect): the ResourceManager's log says more",
            })
    void whatThePluginRefusesIsSaidInItsWords(int status, String error, int exit, String sentence) {
        rm.says("GET health", status, "{\"error\":\"%s\"}".formatted(error));

        assertThat(program.run("status", "--rm", rm.url())).isEqualTo(exit);

        assertThat(program.err()).isEqualTo(sentence.replace("RM", rm.url()) + "\n");
        assertThat(program.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "401|RM does not take a user's bare name (401), and asks for nothing that this program can give",
                "403|RM refuses this (403): no reason is given; yarn.admin.acl names the administrators",
                "404|RM answers without the interference plugin (404): is it the ResourceManager's web address, and the"
                        + " plugin's jar in its class path?",
                "200|RM answers with text/html, which the plugin does not: is it the ResourceManager's web address?",
                "302|RM redirects to nowhere, which is no ResourceManager: --rm must name the ResourceManager itself",
            })
    void whatSomebodyElseRefusesIsExplained(int status, String sentence) {
        rm.saysAlways(status, HTML, "<html>no</html>");

        assertThat(program.run("status", "--rm", rm.url())).isEqualTo(1);

        assertThat(program.err()).isEqualTo(sentence.replace("RM", rm.url()) + "\n");
    }

    @Test
    void withoutATicketOneIsToldToGetOne() {
        rm.saysAlways(401, Map.of("WWW-Authenticate", "Negotiate"), "");

        assertThat(program.run("status", "--rm", rm.url())).isEqualTo(1);

        assertThat(program.err())
                .startsWith(rm.url() + " asks for a Kerberos ticket and got none that it takes (")
                .endsWith("): run kinit, klist shows what there is\n")
                .hasLineCount(1);
    }

    @Test
    void nobodyAnswers() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }

        assertThat(program.run("status", "--rm", "127.0.0.1:" + free)).isEqualTo(1);

        assertThat(program.err())
                .isEqualTo(("Nothing answers at http://127.0.0.1:%d: is the ResourceManager running there?"
                                + " --rm or HADOOP_CONF_DIR says where%n")
                        .formatted(free));
    }

    @Test
    void somebodyAcceptsAndSaysNothing() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + mute.getLocalPort();

            assertThat(program.run("status", "--timeout", "1", "--rm", url)).isEqualTo(1);

            assertThat(program.err())
                    .isEqualTo(url + " does not answer in 1 s: is the ResourceManager running there?"
                            + " --timeout waits longer\n");
        }
    }

    @Test
    void aChangeThatIsNotAnsweredInTimeIsNotSentAgain() {
        CountDownLatch over = new CountDownLatch(1);
        rm.says("GET health", 200, Program.answer("health")).says("PUT mode", question -> {
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return FakeRm.Said.json(200, "{}");
        });

        int status = program.run("mode", "on", "--timeout", "1", "--rm", rm.url());
        over.countDown();

        assertThat(status).isEqualTo(1);
        assertThat(program.err())
                .startsWith("Whether it was done is not known: " + rm.url() + " does not answer in 1 s");
        assertThat(rm.asked()).containsOnlyOnce("PUT /ws/v1/interference/mode");
    }

    @Test
    void whoSpeaksNoTlsIsNamed() throws Exception {
        try (ServerSocket plain = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> answerOnce(plain));
            server.start();
            String url = "https://127.0.0.1:" + plain.getLocalPort();

            assertThat(program.run("status", "--rm", url)).isEqualTo(1);

            assertThat(program.err()).startsWith("No TLS with " + url + " (").contains("ssl-client.xml");
            server.join();
        }
    }

    private static void answerOnce(ServerSocket socket) {
        try (Socket connection = socket.accept()) {
            connection.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"ftp://rm", "http://", "http://a b", "://"})
    void anAddressThatIsNoneIsBadInput(String address) {
        assertThat(program.run("status", "--rm", address)).isEqualTo(2);

        assertThat(program.err())
                .isEqualTo("--rm is '%s' but must be a web address such as http://rm.example.com:8088%n"
                        .formatted(address));
    }
}
