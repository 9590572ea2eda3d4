package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE_WITH_PROCESSES;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An unmodified YARN service, launched and stopped by YARN's own command, on stock daemons with the plugin. */
@Timeout(900)
class YarnServiceTest {

    @TempDir
    private Path directory;

    @Test
    void aServiceGetsWhatItAsksForAndItsComponentsHaveProfiles() throws Exception {
        try (Daemons daemons = Daemons.install(directory, yarn -> {
            yarn.set("hadoop.registry.zk.quorum", MiniCluster.freeAddress());
            yarn.set("yarn.interference.place.mode", "on");
            yarn.set("yarn.nodemanager.vmem-check-enabled", "false");
        })) {
            daemons.startZooKeeper();
            daemons.startResourceManager();
            daemons.startNodeManager();
            Path service = Files.writeString(directory.resolve("tiers.json"), """
                    {"name": "tiers", "version": "1", "components": [
                      {"name": "busy", "number_of_containers": 1, "launch_command": "while :; do :; done",
                       "resource": {"cpus": 1, "memory": "256"}},
                      {"name": "idle", "number_of_containers": 1, "launch_command": "sleep 1000",
                       "resource": {"cpus": 1, "memory": "256"}}]}
                    """);

            daemons.yarnApp("-launch", "tiers", service.toString());
            await("the service").atMost(PATIENCE_WITH_PROCESSES).until(() -> isStable(daemons, 2));
            daemons.yarnApp("-flex", "tiers", "-component", "idle", "2");
            await("a third container").atMost(PATIENCE_WITH_PROCESSES).until(() -> isStable(daemons, 3));
            assertThat(daemons.get("decisions").path("decisions"))
                    .as("placed by the plugin")
                    .isNotEmpty();
            daemons.yarnApp("-stop", "tiers");

            await("profiles of the components")
                    .atMost(PATIENCE_WITH_PROCESSES)
                    .until(() -> cpuOfComponents(daemons).size() == 2);
            assertThat(cpuOfComponents(daemons))
                    .as("the busy component and the idle one")
                    .anyMatch(cpu -> cpu > 0.05)
                    .anyMatch(cpu -> cpu < 0.05);
        }
    }

    private static boolean isStable(Daemons daemons, int containers) throws Exception {
        JsonNode service = status(daemons);
        int ready = 0;
        for (JsonNode component : service.path("components")) {
            for (JsonNode container : component.path("containers")) {
                ready += container.path("state").asText().equals("READY") ? 1 : 0;
            }
        }
        return service.path("state").asText().equals("STABLE") && ready == containers;
    }

    /** What YARN says of the service; its command may log before it answers. */
    private static JsonNode status(Daemons daemons) throws Exception {
        String printed = daemons.yarnApp("-status", "tiers");
        String answer = printed.lines().dropWhile(line -> !line.startsWith("{")).collect(Collectors.joining("\n"));
        assertThat(answer).as("an answer in %s", printed).isNotEmpty();
        return new ObjectMapper().readTree(answer);
    }

    private static List<Double> cpuOfComponents(Daemons daemons) throws Exception {
        List<Double> found = new ArrayList<>();
        for (JsonNode profile : daemons.get("profiles").path("profiles")) {
            if (profile.path("key").asText().matches("yarn-service/tiers/component-\\d+/.*")) {
                found.add(profile.path("signals").path("cpu").path("mean").asDouble());
            }
        }
        return found;
    }
}
