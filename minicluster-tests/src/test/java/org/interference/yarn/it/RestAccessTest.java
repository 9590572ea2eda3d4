package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.LoginContext;
import javax.ws.rs.core.Response;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.util.KerberosUtil;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.RMAuditLogger;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.fault.Part;
import org.interference.yarn.place.Placement;
import org.interference.yarn.rest.Hk2WebService;
import org.interference.yarn.rest.RestHost;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may see and do what over REST, with ACLs on: an administrator, an application's owner, a stranger, and nobody. */
class RestAccessTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SHADOW = "{\"mode\":\"shadow\"}";
    /** As an export writes them. */
    private static final String PROFILES =
            "{\"schema\":2,\"profiles\":[{\"level\":\"NAME\",\"key\":\"spark/größe/task\","
                    + "\"samples\":3,\"updated\":\"2024-05-06T07:08:09Z\",\"runTimeSeconds\":{\"all\":[3,3,9.5,10.0,0.25,11.0,11.0]},"
                    + "\"signals\":{\"cpu\":[3,3,0.5,1.0E-4,0.0,0.5,0.75]}}]}";

    @TempDir
    private Path directory;

    private MockRM resourceManager;
    private Realm realm;
    private String address;
    private String container;

    /** An answer. */
    private record Answer(int status, String body) {
        JsonNode json() throws IOException {
            return JSON.readTree(body);
        }
    }

    /** Opens a connection as somebody. */
    @FunctionalInterface
    private interface As {
        HttpURLConnection open(URL url) throws Exception;
    }

    @AfterEach
    void stop() throws Exception {
        if (resourceManager != null) {
            resourceManager.close();
        }
        if (realm != null) {
            realm.close();
        }
        UserGroupInformation.reset();
    }

    @Test
    void byName() throws Exception {
        start(Map.of("hadoop.http.authentication.type", "simple"));

        assertThat(get(url -> (HttpURLConnection) url.openConnection(), "/health")
                        .status())
                .as("nobody")
                .isEqualTo(401);
        everybodySeesAndDoesWhatTheyMay(RestAccessTest::named);
    }

    @Test
    void byKerberos() throws Exception {
        realm = Realm.of(directory, "admin", "owner", "stranger");
        start(realm.settings());

        assertThat(get(url -> (HttpURLConnection) url.openConnection(), "/health")
                        .status())
                .as("nobody")
                .isEqualTo(401);
        everybodySeesAndDoesWhatTheyMay(name -> ticket(realm.principal(name), realm.keytab()));
    }

    /** It may be of somebody else. And whatever they provoke, placement goes on. */
    @Test
    void whoeverAsksSeesNothingOfTheFault() throws Exception {
        start(Map.of("hadoop.http.authentication.type", "simple"));
        Placement placement = ((RestHost) resourceManager.getResourceScheduler())
                .restSources()
                .orElseThrow()
                .placement();

        // Nobody has injected a request, so whatever asks who asks fails.
        Response answer = new Hk2WebService(resourceManager).health();

        assertThat(answer.getStatus()).isEqualTo(500);
        assertThat(answer.getEntity().toString())
                .containsPattern("incident [0-9a-f]{8}")
                .doesNotContain("NullPointer");
        assertThat(placement.gate().faults().counts().get(Part.REST)).isEqualTo(1);
        assertThat(placement.gate().health().breakerErrors()).isZero();
    }

    /** The answer comes although the body does not, but for its first byte, for which the web server waits: so nothing of it was waited for. */
    @Test
    void bodyOfWhoMayNotSendItOrThatIsTooLargeIsNotRead() throws Exception {
        start(Map.of("hadoop.http.authentication.type", "simple"));
        String small = "Content-Length: 16384";

        for (String change : List.of("PUT /mode", "PUT /config", "POST /model/rollback", "POST /profiles/import")) {
            assertThat(statusBeforeTheBodyEnds("owner", change, "Content-Length: 16777216", "["))
                    .as(change)
                    .isEqualTo(403);
            assertThat(statusBeforeTheBodyEnds("admin", change, "Content-Length: 10000000000", "["))
                    .as(change)
                    .isEqualTo(413);
        }
        assertThat(statusBeforeTheBodyEnds("admin", "PUT /mode", "Content-Length: 16385", "["))
                .isEqualTo(413);
        assertThat(statusBeforeTheBodyEnds("admin", "PUT /mode", small, SHADOW + " ".repeat(16384 - SHADOW.length())))
                .as("as large as it may be")
                .isEqualTo(200);
    }

    @Test
    void bodyThatDoesNotSayHowLongItIsIsCutAtItsLimit() throws Exception {
        start(Map.of("hadoop.http.authentication.type", "simple"));

        assertThat(statusBeforeTheBodyEnds("admin", "PUT /mode", "Transfer-Encoding: chunked", chunk(16385)))
                .isEqualTo(413);
        assertThat(statusBeforeTheBodyEnds("admin", "PUT /config", "Transfer-Encoding: chunked", chunk(16385)))
                .isEqualTo(413);
    }

    private static String chunk(int length) {
        return "%x\r\n%s\r\n".formatted(length, "[".repeat(length));
    }

    /** Sends a request whose body is not sent to its end, and returns the status of the answer. */
    private int statusBeforeTheBodyEnds(String user, String request, String length, String begin) throws IOException {
        String[] words = request.split(" ", 2);
        String[] host = address.split(":", 2);
        try (Socket socket = new Socket(host[0], Integer.parseInt(host[1]))) {
            socket.setSoTimeout(20_000);
            String head =
                    "%s /ws/v1/interference%s?user.name=%s HTTP/1.1\r\nHost: x\r\nX-XSRF-Header: x\r\n%s\r\n%s\r\n\r\n"
                            .formatted(words[0], words[1], user, "Content-Type: application/json", length);
            socket.getOutputStream().write((head + begin).getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            return Integer.parseInt(answer.readLine().split(" ", 3)[1]);
        }
    }

    /** Turns a name into somebody who is authenticated. */
    @FunctionalInterface
    private interface Login {
        As as(String name) throws Exception;
    }

    private void everybodySeesAndDoesWhatTheyMay(Login login) throws Exception {
        As admin = login.as("admin");
        As owner = login.as("owner");
        As stranger = login.as("stranger");
        String explanation = "/containers/%s/explain".formatted(container);

        for (As who : List.of(admin, owner)) {
            JsonNode decision = decision(who);
            assertThat(decision.path("visible").asBoolean()).isTrue();
            assertThat(decision.path("container").asText()).isEqualTo(container);
            assertThat(get(who, explanation)
                            .json()
                            .path("decision")
                            .path("container")
                            .asText())
                    .isEqualTo(container);
        }
        JsonNode hidden = decision(stranger);
        assertThat(hidden.path("visible").asBoolean()).isFalse();
        assertThat(hidden.has("container") || hidden.has("application") || hidden.has("task"))
                .isFalse();
        assertThat(get(stranger, explanation).status()).isEqualTo(403);
        assertThat(get(stranger, "/containers/%s/history".formatted(container)).status())
                .isEqualTo(403);
        assertThat(get(owner, "/profiles/export").status()).isEqualTo(403);
        assertThat(send(owner, "POST", "/profiles/import", PROFILES, "x").status())
                .isEqualTo(403);
        assertThat(send(admin, "POST", "/profiles/import", PROFILES, "x").body())
                .isEqualTo("{\"imported\":1}");
        assertThat(get(admin, "/profiles/export")).isEqualTo(new Answer(200, PROFILES));
        everybodyMayPlanButNotMoveWhatTheyMayNotSee(admin, owner, stranger);

        List<String> audit = new CopyOnWriteArrayList<>();
        Logger log = Logger.getLogger(RMAuditLogger.class);
        AppenderSkeleton appender = new Remembering(audit);
        log.addAppender(appender);
        try {
            assertThat(put(owner, "/mode", SHADOW, "x").status()).isEqualTo(403);
            assertThat(put(admin, "/mode", SHADOW, null).status())
                    .as("without the header that no other site can send")
                    .isEqualTo(403);
            assertThat(get(admin, "/health").json().path("mode").asText()).isEqualTo("off");
            assertThat(put(admin, "/mode", "{\"mode\":\"loud\"}", "x").status()).isEqualTo(400);
            assertThat(put(admin, "/mode", SHADOW, "x").status()).isEqualTo(200);
            assertThat(get(admin, "/health").json().path("mode").asText()).isEqualTo("shadow");
            assertThat(put(admin, "/mode", "{\"mode\":\"off\"}", "x").status()).isEqualTo(200);
        } finally {
            log.removeAppender(appender);
        }
        assertThat(audit).hasSize(5);
        assertThat(audit.get(0)).contains("USER=owner").contains("RESULT=FAILURE");
        assertThat(audit.get(1))
                .contains("USER=admin")
                .contains("RESULT=FAILURE")
                .contains("X-XSRF-Header");
        assertThat(audit.get(2)).contains("RESULT=FAILURE").contains("loud");
        assertThat(audit.get(3))
                .contains("USER=admin")
                .contains("RESULT=SUCCESS")
                .contains("shadow");
    }

    private void everybodyMayPlanButNotMoveWhatTheyMayNotSee(As admin, As owner, As stranger) throws Exception {
        String imported = "spark/gr%C3%B6%C3%9Fe/task";
        String mine = "/plan-inputs?application="
                + ContainerId.fromString(container).getApplicationAttemptId().getApplicationId();
        JsonNode nodes = get(stranger, "/plan-inputs").json().path("nodes");
        assertThat(nodes.findValuesAsText("node")).containsExactly("127.0.0.1:1234");
        assertThat(nodes.at("/0/free/memory-mb").asLong()).isBetween(1L, 8191L);
        assertThat(get(stranger, mine).status()).isEqualTo(403);
        assertThat(get(owner, mine).json().path("containers").isArray()).isTrue();
        assertThat(get(admin, "/plan-inputs?profile=none&profile=" + imported)
                        .json()
                        .path("profiles")
                        .findValuesAsText("key"))
                .containsExactly("spark/größe/task");
        assertThat(get(owner, "/plan-inputs?profile=" + imported).json().path("profiles"))
                .isEmpty();
    }

    private JsonNode decision(As who) throws Exception {
        Answer answer = get(who, "/decisions");
        assertThat(answer.status()).isEqualTo(200);
        JsonNode decisions = answer.json().path("decisions");
        for (JsonNode decision : decisions) {
            if (!decision.path("am").asBoolean()) {
                return decision;
            }
        }
        throw new AssertionError("no decision in " + answer.body());
    }

    /** An application of the owner's has been given a container in shadow, and then everything was switched off. */
    private void start(Map<String, String> authentication) throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "not a secret");
        Configuration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, InterferenceAwareScheduler.class.getName());
        // With a thread of the scheduler's a master may be allocated before somebody sees that it is scheduled.
        conf.setBoolean("yarn.scheduler.capacity.schedule-asynchronously.enable", false);
        conf.set("yarn.interference.place.mode", "shadow");
        conf.set(
                "yarn.interference.profile.store-dir",
                directory.resolve("profiles").toString());
        conf.setBoolean("mockrm.webapp.enabled", true);
        address = MiniCluster.freeAddress();
        conf.set(YarnConfiguration.RM_WEBAPP_ADDRESS, address);
        conf.setBoolean(YarnConfiguration.YARN_ACL_ENABLE, true);
        conf.set(YarnConfiguration.YARN_ADMIN_ACL, "admin");
        // By default everybody administers every queue, and so views its applications.
        conf.set("yarn.scheduler.capacity.root.acl_administer_queue", " ");
        conf.set("yarn.scheduler.capacity.root.default.acl_administer_queue", " ");
        conf.set("hadoop.http.filter.initializers", AuthenticationFilterInitializer.class.getName());
        conf.set("hadoop.http.authentication.simple.anonymous.allowed", "false");
        conf.set("hadoop.http.authentication.signature.secret.file", secret.toString());
        authentication.forEach(conf::set);
        resourceManager = new MockRM(conf);
        resourceManager.start();
        RMApp app = MockRMAppSubmitter.submit(
                resourceManager,
                MockRMAppSubmissionData.Builder.createWithMemory(512, resourceManager)
                        .withAppName("private")
                        .withUser("owner")
                        .withApplicationTags(Set.of("ifc:private"))
                        .build());
        MockNM node = resourceManager.registerNode("127.0.0.1:1234", 8192, 8);
        MockAM master = MockRM.launchAndRegisterAM(app, resourceManager, node);
        container = master.allocateAndWaitForContainers("*", 1, 512, node).stream()
                .map(granted -> granted.getId())
                .map(ContainerId::toString)
                .findFirst()
                .orElseThrow();
        // While there is somebody who accounts. The application may hear of its container before that is committed.
        await("the decision").atMost(PATIENCE).until(() -> ((RestHost) resourceManager.getResourceScheduler())
                .restSources()
                .orElseThrow()
                .placement()
                .decisions()
                .of(container)
                .isPresent());
        conf.set("yarn.interference.place.mode", "off");
        ((InterferenceAwareScheduler) resourceManager.getResourceScheduler())
                .reinitialize(conf, resourceManager.getRMContext());
    }

    private static As named(String name) {
        return url -> (HttpURLConnection)
                new URL(url + (url.getQuery() == null ? "?" : "&") + "user.name=" + name).openConnection();
    }

    private static As ticket(String principal, Path keytab) throws Exception {
        LoginContext login = new LoginContext(
                "",
                new Subject(false, Set.of(new KerberosPrincipal(principal)), Set.of(), Set.of()),
                null,
                login(principal, keytab));
        login.login();
        AuthenticatedURL.Token token = new AuthenticatedURL.Token();
        return url -> Subject.doAs(login.getSubject(), (PrivilegedExceptionAction<HttpURLConnection>)
                () -> new AuthenticatedURL().openConnection(url, token));
    }

    private static javax.security.auth.login.Configuration login(String principal, Path keytab) {
        return new javax.security.auth.login.Configuration() {
            @Override
            public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                Map<String, String> options = new HashMap<>();
                options.put("keyTab", keytab.toString());
                options.put("principal", principal);
                options.put("useKeyTab", "true");
                options.put("storeKey", "true");
                options.put("doNotPrompt", "true");
                options.put("refreshKrb5Config", "true");
                options.put("isInitiator", "true");
                return new AppConfigurationEntry[] {
                    new AppConfigurationEntry(
                            KerberosUtil.getKrb5LoginModuleName(),
                            AppConfigurationEntry.LoginModuleControlFlag.REQUIRED,
                            options)
                };
            }
        };
    }

    private Answer get(As who, String path) throws Exception {
        return answer(who.open(url(path)));
    }

    private Answer put(As who, String path, String body, String header) throws Exception {
        return send(who, "PUT", path, body, header);
    }

    /** @param header null to leave it out */
    private Answer send(As who, String method, String path, String body, String header) throws Exception {
        HttpURLConnection connection = who.open(url(path));
        connection.setRequestMethod(method);
        connection.setRequestProperty("Content-Type", "application/json");
        if (header != null) {
            connection.setRequestProperty("X-XSRF-Header", header);
        }
        connection.setDoOutput(true);
        try (OutputStream out = connection.getOutputStream()) {
            out.write(body.getBytes(StandardCharsets.UTF_8));
        }
        return answer(connection);
    }

    private URL url(String path) throws IOException {
        return URI.create("http://%s/ws/v1/interference%s".formatted(address, path))
                .toURL();
    }

    private static Answer answer(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return new Answer(status, in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** Keeps what is logged. */
    static final class Remembering extends AppenderSkeleton {
        private final List<String> lines;

        Remembering(List<String> lines) {
            this.lines = lines;
        }

        @Override
        protected void append(LoggingEvent event) {
            lines.add(event.getRenderedMessage());
        }

        @Override
        public void close() {
            // Nothing is open.
        }

        @Override
        public boolean requiresLayout() {
            return false;
        }
    }
}
