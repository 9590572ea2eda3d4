package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.interference.yarn.nm.attribute.Fields;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.Untold;

/**
 * What a node's disks and network can move in a second. Of disks the kernel does not say it, so an operator does. The network's rate is that of
 * all interfaces that have a device and are not down, without those that carry for another one with a device, as intpd has it for the capacity of
 * {@code netp}. Not thread-safe.
 */
public final class NodeCapacities {
    /** Interfaces come and go seldom, and a driver may ask its device for the speed. */
    private static final long LOOK_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long BITS_PER_MBIT = 1_000_000;

    private final Path interfaces;
    private final OptionalDouble diskBytes;
    private final OptionalLong networkBits;
    private Optional<Network> network = Optional.empty();

    /** @param bits a second, or why they are not known */
    private record Network(long lookedNanos, long bits, Optional<Untold> untold) {}

    /**
     * @param sys where sysfs is mounted
     * @param diskBytes a second that the disks can move; empty where nobody says
     * @param networkBits a second that the network can move; empty where the interfaces are to say
     */
    public NodeCapacities(Path sys, OptionalDouble diskBytes, OptionalLong networkBits) {
        this.interfaces = sys.resolve("class/net");
        this.diskBytes = diskBytes;
        this.networkBits = networkBits;
    }

    /** Adds each of them to {@code told}, or why it is not known to {@code untold}. */
    void tell(long nanos, Map<NodeMetric, Double> told, Map<NodeMetric, Untold> untold) {
        diskBytes.ifPresentOrElse(
                bytes -> told.put(NodeMetric.DISKRATE, bytes),
                () -> untold.put(NodeMetric.DISKRATE, Untold.NO_DISK_SETTING));
        Network known = network.filter(looked -> nanos - looked.lookedNanos() < LOOK_NANOS)
                .orElseGet(() -> look(nanos));
        network = Optional.of(known);
        known.untold()
                .ifPresentOrElse(
                        reason -> untold.put(NodeMetric.NETWORKRATE, reason),
                        () -> told.put(NodeMetric.NETWORKRATE, (double) known.bits()));
    }

    private Network look(long nanos) {
        if (networkBits.isPresent()) {
            return new Network(nanos, networkBits.getAsLong(), Optional.empty());
        }
        long sum = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(interfaces)) {
            for (Path each : all) {
                if (carries(each)) {
                    long megabits = number(each.resolve("speed"));
                    // The kernel says -1, or 4294967295 in older drivers, where it is not known.
                    if (megabits <= 0 || megabits >= Integer.MAX_VALUE) {
                        return new Network(nanos, 0, Optional.of(Untold.NO_SPEED));
                    }
                    sum += megabits * BITS_PER_MBIT;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            sum = 0;
        }
        return new Network(nanos, sum, sum > 0 ? Optional.empty() : Optional.of(Untold.NO_INTERFACE));
    }

    private static boolean carries(Path each) {
        return Files.exists(each.resolve("device"))
                && !word(each.resolve("operstate")).equals("down")
                && !standsBy(each)
                && !servesAnother(each);
    }

    /** One of a bond of which one at a time carries everything, and it is another one. */
    private static boolean standsBy(Path each) {
        String active = word(each.resolve("master/bonding/active_slave"));
        return word(each.resolve("master/bonding/mode")).startsWith("active-backup")
                && !active.isEmpty()
                && !active.equals(each.getFileName().toString());
    }

    /**
     * Of another one with a device, which has its packets to carry and says the same speed: a virtual function below the interface that a
     * hypervisor gave the machine (netvsc, net_failover). A bond or a bridge has no device.
     */
    private static boolean servesAnother(Path each) {
        return Files.exists(each.resolve("master/device"));
    }

    private static long number(Path file) {
        return Fields.number(word(file), 0, -1);
    }

    /** What a file of one line says; empty where it is not there, or the kernel refuses to say it. */
    private static String word(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
