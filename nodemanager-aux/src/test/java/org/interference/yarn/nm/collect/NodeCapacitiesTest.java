package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.Untold;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeCapacitiesTest {
    @TempDir
    private Path sys;

    private final Map<NodeMetric, Double> told = new EnumMap<>(NodeMetric.class);
    private final Map<NodeMetric, Untold> untold = new EnumMap<>(NodeMetric.class);

    private void tell(NodeCapacities capacities, long seconds) {
        told.clear();
        untold.clear();
        capacities.tell(TimeUnit.SECONDS.toNanos(seconds), told, untold);
    }

    private NodeCapacities ofInterfaces() {
        return new NodeCapacities(sys, OptionalDouble.empty(), OptionalLong.empty());
    }

    private void put(String file, String text) {
        FakeProc.write(sys.resolve("class/net").resolve(file), text);
    }

    private void nic(String name, String state, String speed) {
        put(name + "/device/vendor", "0x8086\n");
        put(name + "/operstate", state + "\n");
        put(name + "/speed", speed + "\n");
    }

    @Test
    void networksRateIsThatOfAllInterfacesThatHaveADeviceAndAreNotDown() {
        nic("eth0", "up", "10000");
        nic("eth1", "unknown", "1000");
        nic("eth2", "down", "40000");
        put("lo/operstate", "unknown\n");
        put("docker0/speed", "10000\n");

        tell(ofInterfaces(), 0);

        assertThat(told).isEqualTo(Map.of(NodeMetric.NETWORKRATE, 11e9));
        assertThat(untold).isEqualTo(Map.of(NodeMetric.DISKRATE, Untold.NO_DISK_SETTING));
    }

    @Test
    void interfaceThatStandsByInABondIsLeftOut() {
        for (String name : new String[] {"eth0", "eth1"}) {
            nic(name, "up", "10000");
            put(name + "/master/bonding/mode", "active-backup 1\n");
            put(name + "/master/bonding/active_slave", "eth1\n");
        }

        tell(ofInterfaces(), 0);

        assertThat(told).containsEntry(NodeMetric.NETWORKRATE, 10e9);
    }

    /** As on Hyper-V with accelerated networking, whose eth0 hands all to a virtual function. */
    @Test
    void interfaceThatCarriesForAnotherWithADeviceIsNotCountedAgain() {
        nic("eth0", "up", "50000");
        nic("enP1s1", "up", "50000");
        put("enP1s1/master/device/vendor", "0x1414\n");

        tell(ofInterfaces(), 0);

        assertThat(told).containsEntry(NodeMetric.NETWORKRATE, 50e9);
    }

    @Test
    void interfaceThatDoesNotSayItsSpeedLeavesTheRateUnknown() {
        nic("eth0", "up", "10000");
        for (String speed : new String[] {"-1", "4294967295", "0", ""}) {
            nic("eth1", "up", speed);

            tell(ofInterfaces(), 0);

            assertThat(told).isEmpty();
            assertThat(untold).containsEntry(NodeMetric.NETWORKRATE, Untold.NO_SPEED);
        }
    }

    @Test
    void withoutAnInterfaceThereIsNoRate() {
        tell(ofInterfaces(), 0);
        assertThat(untold).containsEntry(NodeMetric.NETWORKRATE, Untold.NO_INTERFACE);

        put("lo/operstate", "unknown\n");
        tell(ofInterfaces(), 0);
        assertThat(untold).containsEntry(NodeMetric.NETWORKRATE, Untold.NO_INTERFACE);
    }

    @Test
    void whatIsSetGoesBeforeWhatInterfacesSay() {
        nic("eth0", "up", "1000");

        tell(new NodeCapacities(sys, OptionalDouble.of(5e8), OptionalLong.of(25_000_000_000L)), 0);

        assertThat(told).isEqualTo(Map.of(NodeMetric.DISKRATE, 5e8, NodeMetric.NETWORKRATE, 25e9));
        assertThat(untold).isEmpty();
    }

    @Test
    void interfacesAreLookedAtOnceAMinute() {
        NodeCapacities capacities = ofInterfaces();
        nic("eth0", "up", "1000");
        tell(capacities, 0);
        nic("eth0", "up", "10000");

        tell(capacities, 59);
        assertThat(told).containsEntry(NodeMetric.NETWORKRATE, 1e9);
        tell(capacities, 60);
        assertThat(told).containsEntry(NodeMetric.NETWORKRATE, 10e9);
    }
}
