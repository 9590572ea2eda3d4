package org.interference.yarn.relocate;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The cluster as the published policies see it: over one sample window. Immutable. What is not measured is empty, and a policy that needs it chooses nobody.
 */
public record HerdView(List<Host> hosts, List<Container> containers) {
    public HerdView {
        hosts = List.copyOf(hosts);
        containers = List.copyOf(containers);
    }

    /**
     * A compute host.
     *
     * @param diskOps disk requests a second
     * @param diskActive share of the time in which its disk is active, from 0 to 1
     * @param cpu share of its CPUs that is used, from 0 to 1
     * @param cores how many CPUs it has
     */
    public record Host(
            String name, OptionalDouble diskOps, OptionalDouble diskActive, OptionalDouble cpu, OptionalDouble cores) {
        OptionalDouble freeCores() {
            return cpu.isPresent() && cores.isPresent()
                    ? OptionalDouble.of((1 - cpu.getAsDouble()) * cores.getAsDouble())
                    : OptionalDouble.empty();
        }
    }

    /**
     * A container.
     *
     * @param missing share of the samples of its window that are missing, from 0 to 1
     * @param diskOps disk requests a second
     * @param cpu share of its host's CPUs that it uses, from 0 to 1
     * @param processes how many it has; empty if nobody counts them
     */
    public record Container(
            String name,
            String host,
            double missing,
            OptionalDouble diskOps,
            OptionalDouble cpu,
            OptionalDouble processes) {}

    /** Returns the host that has most of something; of several, the first by name. Empty if no host tells. */
    Optional<Host> most(Function<Host, OptionalDouble> of) {
        return told(of).min(Comparator.comparingDouble(
                        (Host host) -> -of.apply(host).getAsDouble())
                .thenComparing(Host::name));
    }

    /** Returns the host that has least of something; of several, the first by name. Empty if no host tells. */
    Optional<Host> least(Function<Host, OptionalDouble> of) {
        return told(of).min(
                        Comparator.comparingDouble((Host host) -> of.apply(host).getAsDouble())
                                .thenComparing(Host::name));
    }

    private Stream<Host> told(Function<Host, OptionalDouble> of) {
        return hosts.stream().filter(host -> of.apply(host).isPresent());
    }
}
