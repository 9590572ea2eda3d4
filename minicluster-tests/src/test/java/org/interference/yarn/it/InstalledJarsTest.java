package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Method;
import java.net.ConnectException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.nm.app.InterferenceAuxService;
import org.interference.yarn.nm.app.InterferenceNodeAgent;
import org.interference.yarn.profile.store.LocalDirectory;
import org.interference.yarn.profile.store.ProfileStore;
import org.interference.yarn.wire.intpd.IntpdCodec;
import org.interference.yarn.wire.intpd.IntpdRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The README's installation does what the README says. */
@Timeout(900)
class InstalledJarsTest {

    /** In YARN's packages, where the methods are that they open (ADR-0016, ADR-0020). */
    private static final String OPENED =
            "org/apache/hadoop/yarn/server/resourcemanager/scheduler/(NewestContainer|fair/(OpenFairScheduler|NeedyApplications|Nearness|FurtherAhead|NextAsk|MastersShare|MaxShare)|capacity/OpenCapacityScheduler).*";

    @TempDir
    private Path directory;

    @Test
    void eachJarHoldsNothingOutsideOurPackagesButTheClassesThatOpenYarnsSchedulers() throws Exception {
        for (Class<?> entry : List.of(InterferenceAwareScheduler.class, InterferenceNodeAgent.class)) {
            try (JarFile jar = new JarFile(Daemons.jarOf(entry).toFile())) {
                assertThat(jar.stream().filter(file -> !file.isDirectory()).map(ZipEntry::getName))
                        .as(jar.getName())
                        .contains("META-INF/LICENSE", "META-INF/NOTICE")
                        .allMatch(name -> name.startsWith("org/interference/yarn/")
                                || name.startsWith("META-INF/")
                                || name.matches(OPENED));
            }
        }
    }

    @Test
    void theNodeManagersJarCarriesNothingOfTheResourceManagers() throws Exception {
        try (JarFile jar =
                new JarFile(Daemons.jarOf(InterferenceNodeAgent.class).toFile())) {
            assertThat(jar.stream().map(ZipEntry::getName))
                    .noneMatch(name -> name.matches(
                            "org/interference/yarn/(profile|place|predict|rest|shaded/jackson/(?!core/).*)/.*"));
        }
    }

    @Test
    void theResourceManagersJarCarriesNothingOfTheCollectors() throws Exception {
        try (JarFile jar =
                new JarFile(Daemons.jarOf(InterferenceAwareScheduler.class).toFile())) {
            assertThat(jar.stream().map(ZipEntry::getName))
                    .noneMatch(name -> name.matches("org/interference/yarn/(nm|wire/intpd)/.*"));
        }
    }

    @Test
    void theNodeManagersJarAloneUnderstandsTheCollector() throws Exception {
        URL[] jar = {Daemons.jarOf(InterferenceNodeAgent.class).toUri().toURL()};
        try (URLClassLoader alone = new URLClassLoader(jar, ClassLoader.getPlatformClassLoader())) {
            Class<?> request = alone.loadClass(IntpdRequest.class.getName());
            Class<?> hello = alone.loadClass(IntpdRequest.Hello.class.getName());
            Method decode = alone.loadClass(IntpdCodec.class.getName()).getMethod("decode", byte[].class, request);

            String answer = "{\"v\":1,\"ok\":true,\"daemon\":\"intpd\",\"release\":\"x\",\"start_ns\":1,"
                    + "\"signals\":{\"cpu\":{\"source\":\"ebpf\"}}}";

            Object reply = decode.invoke(
                    null,
                    answer.getBytes(StandardCharsets.UTF_8),
                    hello.getConstructor().newInstance());

            assertThat(reply)
                    .hasToString("IntpdReply[id=OptionalLong.empty,"
                            + " answer=Hello[daemon=intpd, release=x, startNanos=1,"
                            + " signals={CPU=IntpdAbility[source=ebpf, reason=Optional.empty]}]]");
        }
    }

    @Test
    void stockDaemonsMeasureABusyContainerAndItsProfileSurvivesAKilledResourceManager() throws Exception {
        try (Daemons daemons = Daemons.install(directory, conf -> {})) {
            Process resourceManager = daemons.startResourceManager();
            daemons.startNodeManager();

            try (FakeApplication application = FakeApplication.start(daemons.conf(), "busy loop")) {
                Container container = application.ask(1, 512, 1).get(0);
                application.start(container, "timeout 5 sh -c 'while :; do :; done'; exit 0");
                await("profile of the loop").atMost(PATIENCE).until(() -> cpuOfTheLoop(daemons) > 0);
            }

            assertThat(daemons.get("health").path("mode").asText()).isEqualTo("shadow");
            LocalDirectory store = new LocalDirectory(directory.resolve("store"));
            await("profile on disk").atMost(PATIENCE).until(() -> ProfileStore.read(store).stream()
                    .anyMatch(profile -> profile.key().text().startsWith("yarn/busy-loop/priority-1/")));
            double learnt = cpuOfTheLoop(daemons);
            resourceManager.destroyForcibly().waitFor();
            daemons.startResourceManager();
            // The store is read beside everything else.
            await("the profile as it was").atMost(PATIENCE).until(() -> cpuOfTheLoop(daemons) == learnt);
        }
    }

    @Test
    void theAuxiliaryServiceAloneShowsItsContainersLocallyAndAgainAfterARestart() throws Exception {
        try (Daemons daemons = Daemons.install(directory, this::onlyTheAuxiliaryService)) {
            daemons.startResourceManager();
            Process nodeManager = daemons.startNodeManager();

            try (FakeApplication application = FakeApplication.start(daemons.conf(), "shown")) {
                Container container = application.ask(1, 512, 1).get(0);
                application.start(container, "timeout 100 sh -c 'while :; do :; done'");
                await("the busy container at /jmx").atMost(PATIENCE).until(() -> isBusyInJmx(daemons, container));

                nodeManager.destroyForcibly().waitFor();
                daemons.startNodeManager();
                await("the busy container at /jmx again")
                        .atMost(PATIENCE)
                        .ignoreExceptionsInstanceOf(ConnectException.class)
                        .until(() -> isBusyInJmx(daemons, container));

                assertThat(daemons.get("nodes")
                                .path("nodes")
                                .path(0)
                                .path("fresh")
                                .asBoolean())
                        .as("counters on the heartbeat, which an auxiliary service cannot give")
                        .isFalse();
                application.release(List.of(container));
            }
        }
    }

    private void onlyTheAuxiliaryService(Configuration yarn) {
        yarn.setBoolean(YarnConfiguration.NM_RECOVERY_ENABLED, true);
        yarn.setBoolean(YarnConfiguration.NM_RECOVERY_SUPERVISED, true);
        yarn.set(
                YarnConfiguration.NM_RECOVERY_DIR, directory.resolve("recovery").toString());
        for (String address : List.of(YarnConfiguration.NM_ADDRESS, YarnConfiguration.NM_WEBAPP_ADDRESS)) {
            yarn.set(address, MiniCluster.freeAddress());
        }
        yarn.unset("yarn.nodemanager.container-state-transition-listener.classes");
        yarn.set("yarn.nodemanager.aux-services", "interference");
        yarn.set("yarn.nodemanager.aux-services.interference.class", InterferenceAuxService.class.getName());
    }

    private static boolean isBusyInJmx(Daemons daemons, Container container) throws Exception {
        JsonNode beans = Daemons.json("http://%s/jmx?qry=Hadoop:service=NodeManager,name=InterferenceCounters,*"
                .formatted(daemons.conf().get(YarnConfiguration.NM_WEBAPP_ADDRESS)));
        for (JsonNode shown : beans.path("beans").path(0).path("Containers")) {
            for (JsonNode signal : shown.path("signals")) {
                if (shown.path("container").asText().equals(container.getId().toString())
                        && signal.path("signal").asText().equals("cpu")
                        && signal.path("level").asDouble() > 0.05) {
                    return true;
                }
            }
        }
        return false;
    }

    private static double cpuOfTheLoop(Daemons daemons) throws Exception {
        for (JsonNode profile : daemons.get("profiles").path("profiles")) {
            if (profile.path("key").asText().startsWith("yarn/busy-loop/priority-1/")) {
                return profile.path("signals").path("cpu").path("mean").asDouble();
            }
        }
        return 0;
    }
}
