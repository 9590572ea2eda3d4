package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;

import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.client.cli.RMAdminCLI;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two ResourceManagers, each a process: in one JVM they share the filter of YARN's web application that redirects.
 */
class StandbyTest {
    private static final List<String> IDS = List.of("rm0", "rm1");

    @TempDir
    private Path directory;

    @Test
    void theOneThatStandsByRedirectsToTheActiveOne() throws Exception {
        Map<String, String> addresses = new HashMap<>();
        for (String id : IDS) {
            for (String address : MiniCluster.RESOURCE_MANAGER_ADDRESSES) {
                addresses.put(HAUtil.addSuffix(address, id), MiniCluster.freeAddress());
            }
        }
        try (Daemons first = Daemons.install(directory.resolve("rm0"), conf -> pair(conf, "rm0", addresses));
                Daemons second = Daemons.install(directory.resolve("rm1"), conf -> pair(conf, "rm1", addresses))) {
            first.startStandby();
            second.startStandby();
            String active = addresses.get(HAUtil.addSuffix(YarnConfiguration.RM_WEBAPP_ADDRESS, "rm0"));
            String standby = addresses.get(HAUtil.addSuffix(YarnConfiguration.RM_WEBAPP_ADDRESS, "rm1"));
            for (String address : List.of(active, standby)) {
                await(address + " stands by")
                        .atMost(PATIENCE)
                        .ignoreExceptionsInstanceOf(ConnectException.class)
                        .until(() -> Daemons.json("http://%s/ws/v1/cluster/info".formatted(address))
                                .at("/clusterInfo/haState")
                                .asText()
                                .equals("STANDBY"));
            }

            assertThat(new RMAdminCLI(first.conf()).run(new String[] {"-transitionToActive", "rm0"}))
                    .isZero();

            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(
                                            URI.create("http://%s/ws/v1/interference/nodes?limit=7".formatted(standby)))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(307);
            assertThat(response.headers().firstValue("Location"))
                    .contains("http://%s/ws/v1/interference/nodes?limit=7".formatted(active));
        }
    }

    private void pair(Configuration conf, String id, Map<String, String> addresses) {
        conf.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
        conf.setBoolean(YarnConfiguration.AUTO_FAILOVER_ENABLED, false);
        conf.set(YarnConfiguration.RM_CLUSTER_ID, "pair");
        conf.set(YarnConfiguration.RM_HA_IDS, String.join(",", IDS));
        conf.set(YarnConfiguration.RM_HA_ID, id);
        MiniCluster.RESOURCE_MANAGER_ADDRESSES.forEach(conf::unset);
        addresses.forEach(conf::set);
        MiniCluster.recovery(conf, directory.resolve("state"));
    }
}
