package org.interference.yarn.sim.herd;

import static org.interference.yarn.relocate.OltpPolicy.Gate.DISK_ACTIVE;
import static org.interference.yarn.relocate.OltpPolicy.Gate.DISK_ACTIVE_REWARD;
import static org.interference.yarn.relocate.OltpPolicy.Gate.DISK_OPS_BASELINE;
import static org.interference.yarn.relocate.OltpPolicy.Gate.DISK_OPS_REWARD;
import static org.interference.yarn.relocate.OltpPolicy.Gate.ENOUGH_SAMPLES;
import static org.interference.yarn.relocate.OltpPolicy.Gate.OTHER_HOST;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.interference.yarn.relocate.HerdChoice;
import org.interference.yarn.relocate.HerdView;
import org.interference.yarn.relocate.OltpPolicy;
import org.interference.yarn.relocate.OltpPolicy.Gate;

/**
 * What is published of the "OLTP Policy for TPC-C Workloads" (5.5.2), as examples: a server on a busy host and a host that is idler, with each condition at its
 * published threshold and just beyond it; and the scenario of 5.5.1, five servers that begin on one host. Pure.
 */
public final class OltpExamples {
    private static final String BUSY = "busy";
    private static final String IDLE = "idle";
    /** All conditions hold in the first two, each at its threshold in one of them: 0.02, 0.35 of 1000, 0.15, 0.15 and 0.005 of 8000. */
    private static final List<Example> EXAMPLES = List.of(
            new Example(0.02, 40, 1000, 650, 0.30, 0.15, BUSY, Set.of()),
            new Example(0, 40, 1000, 0, 0.15, 0, BUSY, Set.of()),
            new Example(0.03, 40, 1000, 650, 0.30, 0.15, BUSY, EnumSet.of(ENOUGH_SAMPLES)),
            new Example(0, 40, 1000, 660, 0.30, 0.15, BUSY, EnumSet.of(DISK_OPS_REWARD)),
            new Example(0, 40, 1000, 0, 0.14, 0, BUSY, EnumSet.of(DISK_ACTIVE, DISK_ACTIVE_REWARD)),
            new Example(0, 40, 1000, 0, 0.30, 0.16, BUSY, EnumSet.of(DISK_ACTIVE_REWARD)),
            new Example(0, 39, 1000, 0, 0.30, 0.10, BUSY, EnumSet.of(DISK_OPS_BASELINE)),
            new Example(0, 40, 1000, 600, 0.30, 0.10, IDLE, EnumSet.of(OTHER_HOST)));

    private static final int SERVERS = 5;
    private static final double OPS_OF_SERVER = 500;
    private static final double ACTIVITY_OF_SERVER = 0.4;

    private OltpExamples() {}

    /**
     * One example.
     *
     * @param missing share of the container's samples that are missing
     * @param ops of the container, a second
     * @param on where it is
     * @param fail the conditions that do not hold
     */
    private record Example(
            double missing,
            double ops,
            double busyOps,
            double idleOps,
            double busyActivity,
            double idleActivity,
            String on,
            Set<Gate> fail) {
        /** Returns how many conditions are decided otherwise than published, or whether it moves, whichever is more. */
        int wrong() {
            HerdChoice choice = OltpPolicy.choose(new HerdView(
                    List.of(host(BUSY, busyOps, busyActivity), host(IDLE, idleOps, idleActivity)),
                    List.of(server("server", on, missing, ops))));
            int wrong = (int) choice.checks().stream()
                    .filter(check -> check.passed() == fail.contains(check.gate()))
                    .count();
            boolean moves = choice.move().isPresent();
            int missed = Gate.values().length - choice.checks().size();
            return Math.max(wrong + missed, moves == fail.isEmpty() ? 0 : 1);
        }
    }

    /** Returns how many conditions are decided otherwise than published; 0 if none is, and five servers end on five hosts after four moves. */
    public static int wrong() {
        return EXAMPLES.stream().mapToInt(Example::wrong).sum() + wrongOfScenario();
    }

    private static int wrongOfScenario() {
        int[] servers = new int[SERVERS];
        servers[0] = SERVERS;
        for (int move = 1; move < SERVERS; move++) {
            HerdChoice choice = OltpPolicy.choose(scenario(servers));
            boolean spreads = choice.move().isPresent()
                    && choice.move().get().from().equals(name(0))
                    && servers[Integer.parseInt(choice.move().get().to())] == 0;
            if (!spreads) {
                return 1;
            }
            servers[0]--;
            servers[Integer.parseInt(choice.move().get().to())]++;
        }
        return OltpPolicy.choose(scenario(servers)).move().isPresent() ? 1 : 0;
    }

    private static HerdView scenario(int[] servers) {
        List<HerdView.Host> hosts = new ArrayList<>();
        List<HerdView.Container> containers = new ArrayList<>();
        for (int host = 0; host < servers.length; host++) {
            hosts.add(host(name(host), OPS_OF_SERVER * servers[host], Math.min(1, ACTIVITY_OF_SERVER * servers[host])));
            for (int i = 0; i < servers[host]; i++) {
                containers.add(server(name(host) + "." + i, name(host), 0, OPS_OF_SERVER));
            }
        }
        return new HerdView(hosts, containers);
    }

    private static String name(int host) {
        return Integer.toString(host);
    }

    private static HerdView.Host host(String name, double ops, double activity) {
        return new HerdView.Host(
                name,
                OptionalDouble.of(ops),
                OptionalDouble.of(activity),
                OptionalDouble.empty(),
                OptionalDouble.empty());
    }

    private static HerdView.Container server(String name, String host, double missing, double ops) {
        return new HerdView.Container(
                name, host, missing, OptionalDouble.of(ops), OptionalDouble.empty(), OptionalDouble.empty());
    }
}
