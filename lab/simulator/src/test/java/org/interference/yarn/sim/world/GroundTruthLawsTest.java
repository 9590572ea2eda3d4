package org.interference.yarn.sim.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.interference.yarn.sim.workload.SharedResource;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.interference.yarn.sim.workload.SimTaskKinds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every truth promises, over random nodes. */
class GroundTruthLawsTest {
    private static final double NOISE = 1e-9;
    private static final int NODES = 2000;

    static Stream<UserWorld> worlds() throws WorldFileException {
        return Stream.concat(
                Worlds.all().stream().map(world -> new UserWorld(world, SimTaskKinds.all())),
                Stream.of(
                        WorldFile.read(Path.of("worlds/corun.json")),
                        WorldFile.read(Path.of("worlds/published.json"))));
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void aTaskAloneIsNotSlowed(UserWorld own) {
        for (SimTaskKind kind : own.kinds()) {
            for (double progress : new double[] {0, 0.3, 0.5, 0.9}) {
                double[] alone = own.world().truth().slowdowns(List.of(new Load("alone", kind, progress)));

                assertThat(alone).as("%s at %s", kind.name(), progress).hasSize(1);
                assertThat(alone[0]).isBetween(1.0, 1 + NOISE);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void oneMoreNeighbourMakesNobodyFaster(UserWorld own) {
        SplittableRandom random = new SplittableRandom(1);
        for (int node = 0; node < NODES; node++) {
            List<Load> few = new ArrayList<>();
            for (int i = random.nextInt(1, 8); i > 0; i--) {
                few.add(load(random, own.kinds()));
            }
            List<Load> more = new ArrayList<>(few);
            more.add(load(random, own.kinds()));

            double[] before = own.world().truth().slowdowns(few);
            double[] after = own.world().truth().slowdowns(more);

            for (int i = 0; i < few.size(); i++) {
                assertThat(before[i]).isGreaterThanOrEqualTo(1);
                assertThat(after[i]).as("%s beside %s", few.get(i), more).isGreaterThanOrEqualTo(before[i] - NOISE);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void byAPartOfTheResourcesNobodyIsSlowerThanByAll(UserWorld own) {
        SplittableRandom random = new SplittableRandom(1);
        for (int node = 0; node < NODES; node++) {
            List<Load> together = new ArrayList<>();
            for (int i = random.nextInt(1, 8); i > 0; i--) {
                together.add(load(random, own.kinds()));
            }
            Set<SharedResource> part = EnumSet.allOf(SharedResource.class);
            part.removeIf(resource -> random.nextBoolean());

            double[] all = own.world().truth().slowdowns(together);
            double[] byPart = own.world().truth().slowdowns(together, part);

            for (int i = 0; i < all.length; i++) {
                assertThat(byPart[i]).as("%s by %s", together, part).isBetween(1.0, all[i] + NOISE);
            }
        }
    }

    private static Load load(SplittableRandom random, List<SimTaskKind> kinds) {
        SimTaskKind kind = kinds.get(random.nextInt(kinds.size()));
        return new Load(kind.name(), kind, random.nextDouble());
    }
}
