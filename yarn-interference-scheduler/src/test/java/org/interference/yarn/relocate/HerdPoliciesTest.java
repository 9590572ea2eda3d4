package org.interference.yarn.relocate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.interference.yarn.relocate.HerdChoice.Check;
import org.interference.yarn.relocate.HerdChoice.Move;
import org.interference.yarn.relocate.HerdView.Container;
import org.interference.yarn.relocate.HerdView.Host;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The published policies, with the published parameters. */
class HerdPoliciesTest {
    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    /** Each row but the first breaks one condition, at its threshold and just below. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // missing, container's ops, its host's ops, other's, its host's activity, other's, the gate that fails
                "0.02, 40, 1000, 650, 0.30, 0.15, -",
                "0.03, 40, 1000, 650, 0.30, 0.15, ENOUGH_SAMPLES",
                "0.02, 40, 1000, 660, 0.30, 0.15, DISK_OPS_REWARD",
                "0.00, 40, 1000, 0, 0.14, 0.00, DISK_ACTIVE DISK_ACTIVE_REWARD",
                "0.00, 40, 1000, 0, 0.30, 0.20, DISK_ACTIVE_REWARD",
                "0.00, 39, 1000, 0, 0.30, 0.10, DISK_OPS_BASELINE",
            })
    void oltpPolicyMovesOnlyThroughAllSixGates(
            double missing,
            double ops,
            double hostOps,
            double otherOps,
            double active,
            double otherActive,
            String failed) {
        HerdView view = new HerdView(
                List.of(host("busy", hostOps, active), host("idle", otherOps, otherActive)),
                List.of(container("server", "busy", missing, ops)));

        HerdChoice choice = OltpPolicy.choose(view);

        assertThat(choice.move())
                .isEqualTo(failed == null ? Optional.of(new Move("server", "busy", "idle")) : Optional.empty());
        assertThat(choice.checks()).hasSize(6);
        assertThat(choice.checks().stream()
                        .filter(check -> !check.passed())
                        .map(check -> check.gate().name())
                        .collect(Collectors.joining(" ")))
                .isEqualTo(failed == null ? "" : failed);
    }

    @Test
    void oltpPolicyLooksAtTheNextContainerIfTheFirstIsWhereOpsAreLeast() {
        HerdView view = new HerdView(
                List.of(host("busy", 1000, 0.9), host("idle", 600, 0.1)),
                List.of(container("first", "idle", 0, 600), container("second", "busy", 0, 500)));

        assertThat(OltpPolicy.choose(view).move()).contains(new Move("second", "busy", "idle"));
    }

    /** The published scenario: five servers on one of six hosts; one after the other leaves while that pays. */
    @Test
    void oltpPolicySpreadsFiveServersOverTheHosts() {
        int[] servers = {5, 0, 0, 0, 0};
        int moves = 0;
        for (HerdChoice choice = OltpPolicy.choose(servers(servers));
                choice.move().isPresent();
                choice = OltpPolicy.choose(servers(servers))) {
            servers[Integer.parseInt(choice.move().get().from())]--;
            servers[Integer.parseInt(choice.move().get().to())]++;
            moves++;
        }

        assertThat(moves).isEqualTo(4);
        assertThat(servers).containsOnly(1);
    }

    @Test
    void whatIsNotMeasuredMovesNobody() {
        Host untold = new Host(
                "h", OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());
        HerdView view = new HerdView(List.of(untold), List.of(container("c", "h", 0, 100)));

        assertThat(OltpPolicy.choose(view).move()).isEmpty();
        assertThat(OltpPolicy.choose(view).checks()).isEmpty();
        assertThat(CpuGreedyPolicy.choose(view).move()).isEmpty();
    }

    @Test
    void greedyPolicyMovesTheLeastUsingContainerToWhereMostIsFree() {
        List<Host> hosts = List.of(cpus("busy", 0.9, 4), cpus("half", 0.5, 4), cpus("large", 0.6, 16));

        assertThat(CpuGreedyPolicy.choose(new HerdView(hosts, List.of(cpu("a", 0.5, 1), cpu("b", 0.4, 1))))
                        .move())
                .contains(new Move("b", "busy", "large"));
        assertThat(CpuGreedyPolicy.choose(new HerdView(hosts, List.of(cpu("a", 0.5, 4), cpu("b", 0.4, 1))))
                        .move())
                .as("of many threads each gets less")
                .contains(new Move("a", "busy", "large"));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void movesLeadElsewhereAndFromWhereTheContainerIs(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 100; i++) {
            HerdView view = random(random);
            for (HerdChoice choice : List.of(OltpPolicy.choose(view), CpuGreedyPolicy.choose(view))) {
                choice.move().ifPresent(move -> {
                    assertThat(move.from()).isNotEqualTo(move.to());
                    assertThat(view.containers())
                            .anyMatch(container -> container.name().equals(move.container())
                                    && container.host().equals(move.from()));
                    assertThat(choice.checks()).allMatch(Check::passed);
                });
            }
        }
    }

    private static HerdView random(Random random) {
        List<Host> hosts = LongStream.range(0, 1 + random.nextInt(5))
                .mapToObj(i -> new Host(
                        "h" + i,
                        maybe(random, 10_000),
                        maybe(random, 1),
                        maybe(random, 1),
                        OptionalDouble.of(1 + random.nextInt(16))))
                .toList();
        List<Container> containers = LongStream.range(0, random.nextInt(12))
                .mapToObj(i -> new Container(
                        "c" + i,
                        "h" + random.nextInt(hosts.size()),
                        random.nextDouble() / 10,
                        maybe(random, 3000),
                        maybe(random, 0.5),
                        maybe(random, 8)))
                .toList();
        return new HerdView(hosts, containers);
    }

    private static OptionalDouble maybe(Random random, double most) {
        return random.nextInt(5) == 0 ? OptionalDouble.empty() : OptionalDouble.of(most * random.nextDouble());
    }

    private static HerdView servers(int[] counts) {
        return new HerdView(
                LongStream.range(0, counts.length)
                        .mapToObj(i ->
                                host(Long.toString(i), 500.0 * counts[(int) i], Math.min(1, 0.4 * counts[(int) i])))
                        .toList(),
                LongStream.range(0, counts.length)
                        .boxed()
                        .flatMap(i -> LongStream.range(0, counts[i.intValue()])
                                .mapToObj(server -> container("s" + i + "." + server, Long.toString(i), 0, 500)))
                        .toList());
    }

    private static Host host(String name, double ops, double active) {
        return new Host(
                name,
                OptionalDouble.of(ops),
                OptionalDouble.of(active),
                OptionalDouble.empty(),
                OptionalDouble.empty());
    }

    private static Host cpus(String name, double used, double cores) {
        return new Host(
                name,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.of(used),
                OptionalDouble.of(cores));
    }

    private static Container container(String name, String host, double missing, double ops) {
        return new Container(
                name, host, missing, OptionalDouble.of(ops), OptionalDouble.empty(), OptionalDouble.empty());
    }

    private static Container cpu(String name, double used, double processes) {
        return new Container(
                name, "busy", 0, OptionalDouble.empty(), OptionalDouble.of(used), OptionalDouble.of(processes));
    }
}
