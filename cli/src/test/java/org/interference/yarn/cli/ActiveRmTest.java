package org.interference.yarn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which ResourceManager is asked, and as whom. */
class ActiveRmTest {
    private static final Map<String, String> KNOWS_OF_NONE = Map.of("Refresh", "5;url=http://127.0.0.1/");

    @TempDir
    private Path folder;

    private FakeRm active;
    private FakeRm standby;
    private final Program program = new Program();

    @BeforeEach
    void start() throws IOException {
        active =
                FakeRm.start().says("GET health", 200, Program.answer("health")).says("PUT mode", 200, "{}");
        standby = FakeRm.start();
    }

    @AfterEach
    void stop() {
        active.close();
        standby.close();
    }

    @Test
    void theActiveOneIsTheOneThatAStandbyNames() {
        standby.redirectsTo(active);

        assertThat(program.run("status", "--verbose", "--rm", standby.url())).isZero();

        assertThat(program.err())
                .isEqualTo("%s is standby and redirects to %s%n%2$s answers (200)%n"
                        .formatted(standby.url(), active.url()));
    }

    @Test
    void theNextOneIsAskedIfAStandbyKnowsOfNoActiveOne() {
        standby.saysAlways(307, KNOWS_OF_NONE, "Can not find any active RM.");

        assertThat(program.run("status", "--rm", standby.url() + "," + active.url()))
                .isZero();

        assertThat(program.err()).isEmpty();
    }

    @Test
    void aChangeGoesToTheActiveOneAlone() {
        standby.redirectsTo(active);

        assertThat(program.run("mode", "on", "--rm", standby.url())).isZero();

        assertThat(standby.asked()).containsExactly("GET /ws/v1/interference/health");
        assertThat(active.asked()).containsExactly("GET /ws/v1/interference/health", "PUT /ws/v1/interference/mode");
    }

    @Test
    void thatAllAreStandbyIsSaid() {
        standby.saysAlways(307, KNOWS_OF_NONE, "Can not find any active RM.");

        assertThat(program.run("status", "--rm", standby.url())).isEqualTo(1);

        assertThat(program.err())
                .isEqualTo(standby.url() + " is standby and knows of no active ResourceManager:"
                        + " yarn rmadmin -getAllServiceState says who could become active\n");
    }

    @Test
    void aStandbyThatNamesOneThatIsDown() throws IOException {
        FakeRm down = FakeRm.start();
        standby.redirectsTo(down);
        down.close();

        assertThat(program.run("status", "--rm", standby.url())).isEqualTo(1);

        assertThat(program.err()).startsWith("Nothing answers at " + down.url() + ": ");
    }

    @Test
    void twoThatNameEachOtherAreNotFollowedForever() {
        standby.redirectsTo(standby);

        assertThat(program.run("status", "--rm", standby.url())).isEqualTo(1);

        assertThat(program.err()).contains("is standby, and who it says is active is not");
    }

    @Test
    void theUsersNameIsSentWhereNoTicketIsAskedFor() {
        program.run("status", "--rm", active.url());

        assertThat(active.seen()).hasSize(1).allSatisfy(question -> assertThat(question.query())
                .containsEntry("user.name", "alice"));
    }

    @Test
    void theConfigurationSaysWhereTheResourceManagerIs() throws IOException {
        site(Map.of("yarn.resourcemanager.webapp.address", "127.0.0.1:" + active.port()));

        assertThat(program.with("HADOOP_CONF_DIR", folder.toString()).run("status"))
                .isZero();
    }

    @Test
    void theConfigurationSaysWhoStandsInForWhom() throws IOException {
        standby.saysAlways(307, KNOWS_OF_NONE, "Can not find any active RM.");
        site(Map.of(
                "yarn.resourcemanager.ha.enabled",
                "true",
                "yarn.resourcemanager.ha.rm-ids",
                "rm1,rm2",
                "yarn.resourcemanager.webapp.address.rm1",
                "127.0.0.1:" + standby.port(),
                "yarn.resourcemanager.webapp.address.rm2",
                "127.0.0.1:" + active.port()));

        assertThat(program.with("HADOOP_CONF_DIR", folder.toString()).run("status", "-v"))
                .isZero();

        assertThat(program.err())
                .isEqualTo("%s is standby and knows of no active ResourceManager%n%s answers (200)%n"
                        .formatted(standby.url(), active.url()));
    }

    @Test
    void aConfigurationThatCannotBeReadIsNamed() throws IOException {
        Files.writeString(folder.resolve("yarn-site.xml"), "<configuration><property>");

        assertThat(program.with("HADOOP_CONF_DIR", folder.toString()).run("status"))
                .isEqualTo(1);

        assertThat(program.err())
                .startsWith("Hadoop's configuration cannot be read from " + folder)
                .hasLineCount(1);
    }

    @Test
    void aConfigurationDirectoryThatIsNoneIsBadInput() {
        assertThat(program.with("HADOOP_CONF_DIR", "/no/such").run("status")).isEqualTo(2);

        assertThat(program.err())
                .isEqualTo("HADOOP_CONF_DIR is '/no/such' but must be the directory of yarn-site.xml\n");
    }

    private void site(Map<String, String> settings) throws IOException {
        StringBuilder xml = new StringBuilder("<configuration>");
        settings.forEach((name, value) ->
                xml.append("<property><name>%s</name><value>%s</value></property>".formatted(name, value)));
        Files.writeString(folder.resolve("yarn-site.xml"), xml.append("</configuration>"));
    }
}
