package org.interference.yarn.nm.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.ContainerInitializationContext;
import org.apache.hadoop.yarn.server.api.ContainerTerminationContext;
import org.interference.yarn.nm.collect.Count;
import org.interference.yarn.nm.collect.CounterSource;
import org.interference.yarn.nm.collect.WatchedContainer;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The auxiliary service as the NodeManager calls it; AuxServiceTest in minicluster-tests has a NodeManager around it. */
class InterferenceAuxServiceTest {
    private static final ContainerId ID = ContainerId.fromString("container_1_0001_01_000001");

    @TempDir
    private Path directory;

    private final List<InterferenceAuxService> services = new ArrayList<>();

    @AfterEach
    void stopped() throws Exception {
        services.forEach(InterferenceAuxService::stop);
        Waiting.await("threads of the service to end", () -> Waiting.threads("interference-") == 0);
        assertThat(names()).isEmpty();
    }

    @Test
    void containersAreShownFromTheirBeginToTheirEnd() throws Exception {
        InterferenceAuxService service = started(new YarnConfiguration());
        ObjectName bean = names().iterator().next();

        service.initializeContainer(new ContainerInitializationContext("user", ID, Resource.newInstance(1, 1)));
        pidFile("4711");
        Waiting.await("the container with a level", () -> levels(bean).equals(List.of(1.0)));
        assertThat(containers(bean))
                .extracting(container -> container.get("container"))
                .containsExactly(ID.toString());
        assertThat(containers(bean))
                .extracting(container -> container.get("ended"))
                .containsExactly(false);

        service.stopContainer(new ContainerTerminationContext("user", ID, Resource.newInstance(1, 1)));
        Waiting.await(
                "the end of the container",
                () -> containers(bean)[0].get("ended").equals(true));
    }

    @Test
    void besideTheListenerItDoesNothing() throws Exception {
        for (Class<?> listener : List.of(InterferenceNodeAgent.class, OtherAgent.class)) {
            Configuration conf = new YarnConfiguration();
            conf.set(
                    YarnConfiguration.NM_CONTAINER_STATE_TRANSITION_LISTENERS,
                    "org.example.Missing, " + listener.getName());

            InterferenceAuxService service = started(conf);

            assertThat(names()).isEmpty();
            assertThat(Waiting.threads("interference-")).isZero();
            service.initializeContainer(new ContainerInitializationContext("user", ID, Resource.newInstance(1, 1)));
            service.stopContainer(new ContainerTerminationContext("user", ID, Resource.newInstance(1, 1)));
        }
    }

    @Test
    void wrongSettingLeavesTheNodeManagerStock() throws Exception {
        Configuration conf = new YarnConfiguration();
        conf.set("yarn.interference.nm.collect.interval-ms", "often");

        InterferenceAuxService service = started(conf);

        assertThat(service.getServiceState()).isEqualTo(Service.STATE.STARTED);
        assertThat(names()).isEmpty();
        assertThat(service.getMetaData().remaining()).isZero();
    }

    @Test
    void theJournalOfAKilledNodeManagerIsGoneAlsoAfterAStartWithAWrongSetting() throws Exception {
        Path journal = Files.createDirectories(directory.resolve("local")).resolve("interference-node-control.journal");
        Files.writeString(journal, "damaged\n");
        Configuration conf = new YarnConfiguration();
        conf.set("yarn.interference.node-control.mu", "many");

        started(conf);

        assertThat(journal).doesNotExist();
    }

    @Test
    void sourceThatCannotBeMadeLeavesTheNodeManagerStock() throws Exception {
        InterferenceAuxService service = new InterferenceAuxService() {
            @Override
            protected CounterSource counterSource(Configuration conf, NodeSettings settings) {
                throw new LinkageError("broken jar");
            }
        };
        services.add(service);

        service.init(new YarnConfiguration());
        service.start();

        assertThat(names()).isEmpty();
    }

    @Test
    void controlsTheNodeUntilItStops() throws Exception {
        ObjectName beans = new ObjectName("Hadoop:service=NodeManager,name=InterferenceNodeControl,*");
        Configuration conf = new YarnConfiguration();
        conf.set("yarn.interference.node-control.mode", "dry-run");

        InterferenceAuxService service = started(conf);

        ObjectName bean = ManagementFactory.getPlatformMBeanServer()
                .queryNames(beans, null)
                .iterator()
                .next();
        assertThat(ManagementFactory.getPlatformMBeanServer().getAttribute(bean, "Mode"))
                .isEqualTo("dry-run");

        service.stop();

        assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(beans, null))
                .isEmpty();
    }

    private InterferenceAuxService started(Configuration conf) {
        conf.set(YarnConfiguration.NM_LOCAL_DIRS, "file://" + directory.resolve("local"));
        if (conf.get("yarn.interference.nm.collect.interval-ms") == null) {
            conf.set("yarn.interference.nm.collect.interval-ms", "200");
        }
        InterferenceAuxService service = new Injected();
        services.add(service);
        service.init(conf);
        service.start();
        return service;
    }

    private void pidFile(String pid) throws IOException {
        Path folder = Files.createDirectories(directory.resolve("local/nmPrivate/application_1_0001/" + ID));
        Files.writeString(folder.resolve(ID + ".pid"), pid);
    }

    private static CompositeData[] containers(ObjectName bean) {
        try {
            return (CompositeData[]) ManagementFactory.getPlatformMBeanServer().getAttribute(bean, "Containers");
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }

    private static List<Object> levels(ObjectName bean) {
        return Arrays.stream(containers(bean))
                .flatMap(container -> Arrays.stream((CompositeData[]) container.get("signals")))
                .map(signal -> signal.get("level"))
                .toList();
    }

    private static Set<ObjectName> names() throws Exception {
        return ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName(LocalCounters.NAME + "*"), null);
    }

    /** A listener that an operator made of ours. */
    public static final class OtherAgent extends InterferenceNodeAgent {}

    private static final class Injected extends InterferenceAuxService {
        @Override
        protected CounterSource counterSource(Configuration conf, NodeSettings settings) {
            return new OneMoreEachTime();
        }
    }

    private static final class OneMoreEachTime implements CounterSource {
        private double count;

        @Override
        public String name() {
            return "one more";
        }

        @Override
        public Map<String, Map<Signal, Count>> snapshot(Collection<WatchedContainer> containers) {
            count++;
            Map<String, Map<Signal, Count>> counts = new HashMap<>();
            containers.forEach(container ->
                    counts.put(container.id(), Map.of(Signal.CPU, new Count.Counted(count, count, false, name()))));
            return counts;
        }
    }
}
